/** The terms of an order about to be created, whether placed, spawned, replaced or raised by the engine. */
import type { OrderPlaced } from '../../events/orderEvents.ts'
import type { Step } from '../step.ts'
import type { Order } from './order.ts'

/** Everything an `orderPlaced` event says but its id. */
export type OrderTerms = Omit<OrderPlaced, 'type' | 'orderId'>

/** Terms with every field that does not apply at its neutral value (A6). */
export const NEUTRAL_TERMS = {
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
  sizeMode: 'quote',
  baseSize: null,
  expectedAmount: 0n,
  watermark: null,
  reserve: 0n,
  reserveInherited: false,
} as const satisfies Partial<OrderTerms>

/** Creates an order and returns the active aggregate. */
export function createOrder(step: Step, terms: OrderTerms): Order {
  const orderId = step.newId()
  step.emit({ type: 'orderPlaced', orderId, ...terms })
  return step.world.orders.get(orderId) as Order
}
