/** The ways an order ends without executing. Each releases the whole reserve. */
import type { Price } from '../../quantity/units.ts'
import type { ExecutionErrorCode } from '../../terms/errors.ts'
import type { CancelReason } from '../../terms/orderStatus.ts'
import { isTrailing } from '../../terms/orderTypes.ts'
import { trailingTriggerPrice } from '../formulas/trailingStop.ts'
import type { Order } from '../state/order.ts'
import type { Step } from './step.ts'

/** The trigger price an order shows now: of a trailing stop the ratcheted one (F8). */
export function currentTriggerPrice(step: Pick<Step, 'world'>, order: Order): Price {
  if (!isTrailing(order.orderType)) return order.triggerPrice
  return trailingTriggerPrice(order, step.world.triggers.peakOf(order))
}

/** By the trader (`reason` null) or by the platform. */
export function cancelOrder(step: Step, order: Order, reason: CancelReason | null): void {
  emitCanceled(step, order, 'canceled', reason)
}

/** Execution was tried and failed. */
export function failOrder(step: Step, order: Order, errorCode: ExecutionErrorCode): void {
  step.emit({
    type: 'orderFailed',
    orderId: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    triggerPrice: currentTriggerPrice(step, order),
    released: order.reserve,
    errorCode,
  })
}

/** The position a close order was attached to is gone (F16). */
export function cancelAttachedOrders(step: Step, positionId: string): void {
  const attached = step.world.closeOrders.get(positionId)
  if (attached === undefined) return
  for (const order of [...attached]) emitCanceled(step, order, 'canceled_by_position', null)
}

function emitCanceled(
  step: Step,
  order: Order,
  status: 'canceled' | 'canceled_by_position',
  reason: CancelReason | null,
): void {
  step.emit({
    type: 'orderCanceled',
    orderId: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    triggerPrice: currentTriggerPrice(step, order),
    released: order.reserve,
    status,
    reason,
  })
}
