/** Orders come into being by one event, whether placed, spawned, replaced or raised by the engine. */
import type { OrderPlaced } from '../../events/orderEvents.ts'
import type { Base, Price } from '../../quantity/units.ts'
import type { Position } from '../position/position.ts'
import type { Step } from '../step.ts'
import type { Order } from './order.ts'
import type { OrderType } from './orderTypes.ts'
import { activeOrder } from './resting.ts'

/** Creates an order and returns the active aggregate. */
export function createOrder(step: Step, placed: OrderPlaced): Order {
  step.emit(placed)
  return activeOrder(step.world, placed.orderId) as Order
}

/** An order that closes a position at a price or at once; what does not apply is neutral (A6). */
export function closeOrderPlaced(
  orderId: string,
  position: Pick<Position, 'trader' | 'market' | 'direction' | 'idx'>,
  orderType: OrderType,
  amount: Base,
  triggerPrice: Price,
  requestedTriggerPrice: Price | null,
  parentOrderId: string | null,
): OrderPlaced {
  return {
    type: 'orderPlaced',
    orderId,
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
