/** What the order events do, money aside: the ledger moves that. */
import type { OrderEvent, OrderPlaced } from '../../events/orderEvents.ts'
import { isStopEntry, isTrailing } from '../../terms/orderTypes.ts'
import { trailingTriggerPrice } from '../formulas/trailingStop.ts'
import type { Order } from '../state/order.ts'
import type { World } from '../state/world.ts'
import { activeOrder, admit, removeFromBooks } from './resting.ts'

export function applyOrderEvent(world: World, event: OrderEvent, at: number): Order {
  if (event.type === 'orderPlaced') return place(world, event, at)
  const order = activeOrder(world, event.orderId)
  if (order === undefined) throw new ReferenceError(`no active order ${event.orderId}`)
  removeFromBooks(world, order)
  if (isTrailing(order.orderType)) order.limitPrice = event.triggerPrice
  order.triggerPrice = event.triggerPrice
  order.reserve = 0n
  switch (event.type) {
    case 'orderExecuted':
      order.status = 'executed'
      order.indexPrice = event.indexPrice
      order.amount = event.amount
      order.realizedPnl = event.realizedPnl
      order.rawRealizedPnl = event.rawRealizedPnl
      order.profitAdjustmentApplied = event.profitAdjustmentApplied
      return order
    case 'orderCanceled':
      order.status = event.status
      order.reason = event.reason
      return order
    case 'orderFailed':
      order.status = 'canceled_by_error'
      order.errorCode = event.errorCode
      return order
    case 'orderReplaced':
      order.status = 'canceled_by_update'
      return order
  }
}

function place(world: World, event: OrderPlaced, at: number): Order {
  const account = world.accounts.get(event.accountId)
  if (account === undefined) throw new ReferenceError(`no account ${event.accountId}`)
  if (event.reserveInherited) (world.orders.get(event.parentOrderId as string) as Order).reserve = 0n
  world.created += 1
  const order = placed(event, at, world.created, account.phaseOrdinal)
  admit(world, order)
  return order
}

function placed(event: OrderPlaced, at: number, sequence: number, phaseOrdinal: number): Order {
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
    peak: event.watermark,
  }
}
