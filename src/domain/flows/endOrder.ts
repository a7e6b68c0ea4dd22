/** The ways an order ends without executing. Each releases the whole reserve. */

import type { CancelReason } from '../../terms/closeReason.ts'
import type { ExecutionErrorCode } from '../../terms/errors.ts'
import { currentTriggerPrice } from '../formulas/trailingStop.ts'
import type { Order } from '../state/order.ts'
import type { Decision } from './decision.ts'

/** By the trader (`reason` null) or by the platform. */
export function cancelOrder(decision: Decision, order: Order, reason: CancelReason | null): void {
  emitCanceled(decision, order, 'canceled', reason)
}

/** Execution was tried and failed. */
export function failOrder(decision: Decision, order: Order, errorCode: ExecutionErrorCode): void {
  decision.emit({
    type: 'orderFailed',
    orderId: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    triggerPrice: currentTriggerPrice(order),
    released: order.reserve,
    errorCode,
  })
}

/** The position a close order was attached to is gone (F16): the only thing that ends its siblings (F15). */
export function cancelAttachedOrders(decision: Decision, positionId: string): void {
  for (const order of decision.world.orders.closing(positionId))
    emitCanceled(decision, order, 'canceled_by_position', null)
}

function emitCanceled(
  decision: Decision,
  order: Order,
  status: 'canceled' | 'canceled_by_position',
  reason: CancelReason | null,
): void {
  decision.emit({
    type: 'orderCanceled',
    orderId: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    triggerPrice: currentTriggerPrice(order),
    released: order.reserve,
    status,
    reason,
  })
}
