/** What the order events do to the order itself, as recipes that assign: from its placing to its end. */
import type { OrderEnd, OrderPlaced } from '../../events/orderEvents.ts'
import { isStopEntry, isTrailing } from '../../terms/orderTypes.ts'
import { trailingTriggerPrice } from '../formulas/trailingStop.ts'
import { type EditableOrderRecord, NO_ROW, type Order } from '../state/order.ts'

/** An order as it was placed at `at`, epoch ms, without a peak. Which one of all it is, its event does not say. */
export function placedOrder(
  event: OrderPlaced,
  at: number,
  { sequence, phaseOrdinal }: Pick<Order, 'sequence' | 'phaseOrdinal'>,
): Order {
  const trailing = isTrailing(event.orderType)
  return {
    id: event.orderId,
    accountId: event.accountId,
    marketId: event.marketId,
    status: 'active',
    orderType: event.orderType,
    direction: event.direction,
    triggerPrice: trailing ? trailingTriggerPrice(event, event.watermark) : event.triggerPrice,
    requestedTriggerPrice: event.requestedTriggerPrice,
    stopPrice: isStopEntry(event.orderType) ? event.triggerPrice : 0n,
    limitPrice: trailing ? trailingTriggerPrice(event, event.watermark) : event.limitPrice,
    stopTriggerPrice: event.stopTriggerPrice,
    takeTriggerPrice: event.takeTriggerPrice,
    trailingStopActivationPrice: event.trailingStopActivationPrice,
    trailingStopOffset: event.trailingStopOffset,
    trailingStopOffsetPercent: event.trailingStopOffsetPercent,
    leverage: event.leverage,
    positionId: event.positionId,
    parentOrderId: event.parentOrderId,
    amount: event.amount,
    indexPrice: null,
    createdAt: at,
    realizedPnl: null,
    rawRealizedPnl: null,
    profitAdjustmentApplied: false,
    sizeMode: event.sizeMode,
    baseSize: event.baseSize,
    reservedAmount: event.sizeMode === 'base' ? event.amount : null,
    errorCode: null,
    reason: null,
    sequence,
    phaseOrdinal,
    reserve: event.reserve,
    expectedAmount: event.expectedAmount,
    peak: null,
    row: NO_ROW,
  }
}

/** Ends an order. The trigger price of a trailing stop is the last ratcheted one, which the event says (F8). */
export function endOrder(order: EditableOrderRecord, event: OrderEnd): void {
  if (isTrailing(order.orderType)) order.limitPrice = event.triggerPrice
  order.triggerPrice = event.triggerPrice
  switch (event.type) {
    case 'orderExecuted':
      order.status = 'executed'
      order.indexPrice = event.indexPrice
      order.amount = event.amount
      order.realizedPnl = event.realizedPnl
      order.rawRealizedPnl = event.rawRealizedPnl
      order.profitAdjustmentApplied = event.profitAdjustmentApplied
      return
    case 'orderCanceled':
      order.status = event.status
      order.reason = event.reason
      return
    case 'orderFailed':
      order.status = 'canceled_by_error'
      order.errorCode = event.errorCode
      return
    case 'orderReplaced':
      order.status = 'canceled_by_update'
      return
  }
}

/** Whether an event ends an order. */
export function endsOrder(event: { readonly type: string }): event is OrderEnd {
  return Object.hasOwn(ENDS, event.type)
}

const ENDS: Readonly<Record<OrderEnd['type'], true>> = {
  orderExecuted: true,
  orderCanceled: true,
  orderFailed: true,
  orderReplaced: true,
}
