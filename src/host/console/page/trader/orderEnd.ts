// What became of an order that has ended, and why, in words.
import type { ApiOrder } from '../../../../client/client.ts'
import { CLOSE_REASONS } from '../../../../terms/closeReason.ts'
import { EXECUTION_ERRORS, type ExecutionErrorCode } from '../../../../terms/errors.ts'
import { price, quantity } from '../shared/amounts.ts'

/** Null where the order still rests. */
export function orderEnd(order: ApiOrder): string | null {
  switch (order.status) {
    case 'active':
      return null
    case 'executed':
      return `${executionCause(order)}${order.profitAdjustmentApplied ? '; profit of the first minute capped' : ''}`
    case 'canceled':
      return `canceled: ${order.reason === null ? 'by you' : CLOSE_REASONS[order.reason]}`
    case 'canceled_by_update':
      return 'changed: another order took its place'
    case 'canceled_by_error':
      return `failed: ${order.errorCode === null ? 'its turn came' : lowered(EXECUTION_ERRORS[order.errorCode as ExecutionErrorCode])}`
    case 'canceled_by_position':
      return 'canceled: its position ended'
  }
}

function executionCause({ type, triggerPrice, indexPrice, parentOrderId }: ApiOrder): string {
  const index = indexPrice === null ? '' : ` at index ${price(quantity(indexPrice))}`
  const trigger = quantity(triggerPrice)
  if (type === 'liquidation') return `liquidated${index}: the margin no longer carried the position`
  if (type === 'stop_limit') return `triggered${index}: it became a limit order`
  if (trigger === 0n) return `filled at once${index}`
  const attached =
    (type === 'stop' || type === 'take') && parentOrderId !== null ? ', attached to its entry' : ''
  return `filled${index}: it waited for ${price(trigger)}${attached}`
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')
}
