/** The terms of an order about to be created, whether placed, spawned, replaced or raised by the engine. */
import type { OrderPlaced } from '../../events/orderEvents.ts'
import type { Base, Price } from '../../quantity/units.ts'
import type { Position } from '../position/position.ts'
import type { Step } from '../step.ts'
import type { Order, OrderType } from './order.ts'

/** Everything an `orderPlaced` event says but its id. */
export type OrderTerms = Omit<OrderPlaced, 'type' | 'orderId'>

/** Creates an order and returns the active aggregate. Field by field: events are made by the million, all alike. */
export function createOrder(step: Step, terms: OrderTerms): Order {
  const orderId = step.newId()
  emitPlaced(step, orderId, terms)
  return step.world.orders.get(orderId) as Order
}

export function emitPlaced(step: Step, orderId: string, terms: OrderTerms): void {
  step.emit({
    type: 'orderPlaced',
    orderId,
    accountId: terms.accountId,
    marketId: terms.marketId,
    orderType: terms.orderType,
    direction: terms.direction,
    triggerPrice: terms.triggerPrice,
    requestedTriggerPrice: terms.requestedTriggerPrice,
    limitPrice: terms.limitPrice,
    stopTriggerPrice: terms.stopTriggerPrice,
    takeTriggerPrice: terms.takeTriggerPrice,
    trailingStopActivationPrice: terms.trailingStopActivationPrice,
    trailingStopOffset: terms.trailingStopOffset,
    trailingStopOffsetPercent: terms.trailingStopOffsetPercent,
    leverage: terms.leverage,
    positionId: terms.positionId,
    parentOrderId: terms.parentOrderId,
    amount: terms.amount,
    sizeMode: terms.sizeMode,
    baseSize: terms.baseSize,
    expectedAmount: terms.expectedAmount,
    watermark: terms.watermark,
    reserve: terms.reserve,
    reserveInherited: terms.reserveInherited,
  })
}

/** Terms of an order that closes a position at a price or at once; what does not apply is neutral (A6). */
export function closingTerms(
  position: Pick<Position, 'trader' | 'market' | 'direction' | 'idx'>,
  orderType: OrderType,
  amount: Base,
  triggerPrice: Price,
  requestedTriggerPrice: Price | null,
  parentOrderId: string | null,
): OrderTerms {
  return {
    accountId: position.trader,
    marketId: position.market,
    orderType,
    direction: position.direction,
    triggerPrice,
    requestedTriggerPrice,
    limitPrice: triggerPrice,
    stopTriggerPrice: 0n,
    takeTriggerPrice: 0n,
    trailingStopActivationPrice: 0n,
    trailingStopOffset: 0n,
    trailingStopOffsetPercent: 0n,
    leverage: null,
    positionId: position.idx,
    parentOrderId,
    amount,
    sizeMode: 'quote',
    baseSize: null,
    expectedAmount: 0n,
    watermark: null,
    reserve: 0n,
    reserveInherited: false,
  }
}
