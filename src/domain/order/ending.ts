/** The ways an order ends without executing. Each releases the whole reserve. */
import type { Price } from '../../quantity/units.ts'
import type { ExecutionErrorCode } from '../errors.ts'
import type { Step } from '../step.ts'
import type { CancelReason, Order } from './order.ts'
import { trailingTriggerPrice } from './trailingStop.ts'

/** The trigger price an order shows now: of a trailing stop the ratcheted one (F8). */
export function currentTriggerPrice(step: Pick<Step, 'world'>, order: Order): Price {
  if (order.type !== 'trailing_stop') return order.triggerPrice
  return trailingTriggerPrice(order, step.world.triggers.watermarkOf(order))
}

/** What every event that ends an order states. */
export function endOf(step: Step, order: Order) {
  return {
    orderId: order.id,
    accountId: order.trader,
    marketId: order.market,
    triggerPrice: currentTriggerPrice(step, order),
    released: order.reserve,
  }
}

/** By the trader (`reason` null) or by the platform. */
export function cancelOrder(step: Step, order: Order, reason: CancelReason | null): void {
  step.emit({ type: 'orderCanceled', ...endOf(step, order), status: 'canceled', reason })
}

/** Execution was tried and failed. */
export function failOrder(step: Step, order: Order, errorCode: ExecutionErrorCode): void {
  step.emit({ type: 'orderFailed', ...endOf(step, order), errorCode })
}

/** The position a close order was attached to is gone (F16). */
export function cancelAttachedOrders(step: Step, positionId: string): void {
  for (const order of [...(step.world.closeOrders.get(positionId) ?? [])])
    step.emit({ type: 'orderCanceled', ...endOf(step, order), status: 'canceled_by_position', reason: null })
}
