/** Orders come into being by one event, whether placed, spawned, replaced or raised by the engine. */
import type { OrderPlaced } from '../../events/orderEvents.ts'
import type { Base } from '../../quantity/units.ts'
import type { Position } from '../position/position.ts'
import type { Step } from '../step.ts'
import type { Order } from './order.ts'
import type { OrderType } from './orderTypes.ts'
import { activeOrder } from './resting.ts'

type Required = 'orderId' | 'accountId' | 'marketId' | 'orderType' | 'direction' | 'amount'

/** What is said of a new order. What is left out does not apply to it, and is neutral (A6). */
export type OrderTerms = Pick<OrderPlaced, Required> & Partial<Omit<OrderPlaced, 'type' | Required>>

/** Creates an order and returns the active aggregate. */
export function createOrder(step: Step, terms: OrderTerms): Order {
  step.emit(orderPlaced(terms))
  return activeOrder(step.world, terms.orderId) as Order
}

function orderPlaced(terms: OrderTerms): OrderPlaced {
  const triggerPrice = terms.triggerPrice ?? 0n
  return {
    type: 'orderPlaced',
    orderId: terms.orderId,
    accountId: terms.accountId,
    marketId: terms.marketId,
    orderType: terms.orderType,
    direction: terms.direction,
    triggerPrice,
    requestedTriggerPrice: terms.requestedTriggerPrice ?? null,
    limitPrice: terms.limitPrice ?? triggerPrice,
    stopTriggerPrice: terms.stopTriggerPrice ?? 0n,
    takeTriggerPrice: terms.takeTriggerPrice ?? 0n,
    trailingStopActivationPrice: terms.trailingStopActivationPrice ?? 0n,
    trailingStopOffset: terms.trailingStopOffset ?? 0n,
    trailingStopOffsetPercent: terms.trailingStopOffsetPercent ?? 0n,
    leverage: terms.leverage ?? null,
    positionId: terms.positionId ?? null,
    parentOrderId: terms.parentOrderId ?? null,
    amount: terms.amount,
    sizeMode: terms.sizeMode ?? 'quote',
    baseSize: terms.baseSize ?? null,
    expectedAmount: terms.expectedAmount ?? 0n,
    watermark: terms.watermark ?? null,
    reserve: terms.reserve ?? 0n,
    reserveInherited: terms.reserveInherited ?? false,
  }
}

/** The terms of an order that closes some of a position, at once unless they are given a trigger price. */
export function closingTerms(
  orderId: string,
  position: Pick<Position, 'trader' | 'market' | 'direction' | 'idx'>,
  orderType: OrderType,
  amount: Base,
) {
  return {
    orderId,
    accountId: position.trader,
    marketId: position.market,
    orderType,
    direction: position.direction,
    positionId: position.idx,
    amount,
  }
}
