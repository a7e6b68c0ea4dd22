/** What the order events do around the order: where it rests, and whose reserve it takes over. The ledger moves money. */
import type { OrderEvent, OrderPlaced } from '../../events/orderEvents.ts'
import type { World } from '../state/world.ts'
import { endOrder, placedOrder } from './orderReducers.ts'
import { admit, knownOrder, removeFromBooks } from './resting.ts'

export function applyOrderEvent(world: World, event: OrderEvent, at: number): void {
  if (event.type === 'orderPlaced') return place(world, event, at)
  const order = knownOrder(world, event.orderId)
  removeFromBooks(world, order)
  order.reserve = 0n
  endOrder(order, event)
  world.ended.add(order)
}

function place(world: World, event: OrderPlaced, at: number): void {
  const account = world.accounts.known(event.accountId)
  if (event.reserveInherited && event.parentOrderId !== null) world.orders.reserveTaken(event.parentOrderId)
  world.created += 1
  const identity = { sequence: world.created, phaseOrdinal: account.phaseOrdinal }
  admit(world, placedOrder(event, at, identity), event.watermark)
}
