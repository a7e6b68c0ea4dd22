/** Orders come into being by one event, whether placed, spawned, replaced or raised by the engine. */
import type { OrderPlaced } from '../../events/orderEvents.ts'
import type { Base } from '../../quantity/units.ts'
import type { OrderType } from '../../terms/orderTypes.ts'
import { knownOrder } from '../evolve/resting.ts'
import type { StopPrice } from '../formulas/minimumStopDistance.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import type { Decision } from './decision.ts'

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] }

/** An order that is about to come into being. */
export type NewOrder = Mutable<OrderPlaced>

/** What every order is about. */
type Named = Pick<OrderPlaced, 'accountId' | 'marketId' | 'orderType' | 'direction' | 'amount'>

/**
 * An order with the next id, to which nothing applies yet but what it is about: whatever is left as it is, is neutral (A6).
 * Fields are assigned rather than spread, because orders come by the million.
 */
export function newOrder(
  decision: Pick<Decision, 'newId'>,
  { accountId, marketId, orderType, direction, amount }: Named,
): NewOrder {
  return {
    type: 'orderPlaced',
    orderId: decision.newId(),
    accountId,
    marketId,
    orderType,
    direction,
    triggerPrice: 0n,
    requestedTriggerPrice: null,
    limitPrice: 0n,
    stopTriggerPrice: 0n,
    takeTriggerPrice: 0n,
    trailingStopActivationPrice: 0n,
    trailingStopOffset: 0n,
    trailingStopOffsetPercent: 0n,
    leverage: null,
    positionId: null,
    parentOrderId: null,
    amount,
    sizeMode: 'quote',
    baseSize: null,
    expectedAmount: 0n,
    watermark: null,
    reserve: 0n,
    reserveInherited: false,
  }
}

/** One that closes some of a position: at once, unless it is given a trigger price. */
export function newClosingOrder(
  decision: Pick<Decision, 'newId'>,
  { accountId, marketId, direction, id }: Pick<Position, 'accountId' | 'marketId' | 'direction' | 'id'>,
  orderType: OrderType,
  amount: Base,
): NewOrder {
  const order = newOrder(decision, { accountId: accountId, marketId: marketId, orderType, direction, amount })
  order.positionId = id
  return order
}

/** Gives an order its trigger price, which is its limit price too unless it has one of its own (F5). */
export function setTrigger(order: NewOrder, { triggerPrice, requestedTriggerPrice }: StopPrice): void {
  order.triggerPrice = triggerPrice
  order.requestedTriggerPrice = requestedTriggerPrice
  order.limitPrice = triggerPrice
}

/** Creates an order and returns the active aggregate. */
export function createOrder(decision: Decision, order: OrderPlaced): Order {
  decision.emit(order)
  return knownOrder(decision.world, order.orderId)
}
