/** What the order events do around the order: where it rests, and whose reserve it takes over. The ledger moves money. */
import type { OrderEvent, OrderPlaced } from '../../events/orderEvents.ts'
import type { Order } from '../state/order.ts'
import type { World } from '../state/world.ts'
import { endOrder, placedOrder } from './orderReducers.ts'
import { activeOrder, admit, removeFromBooks } from './resting.ts'

export function applyOrderEvent(world: World, event: OrderEvent, at: number): void {
  if (event.type === 'orderPlaced') return place(world, event, at)
  const order = activeOrder(world, event.orderId)
  if (order === undefined) throw new ReferenceError(`no active order ${event.orderId}`)
  removeFromBooks(world, order)
  order.reserve = 0n
  endOrder(order, event)
  world.ended.add(order)
}

function place(world: World, event: OrderPlaced, at: number): void {
  const account = world.accounts.get(event.accountId)
  if (account === undefined) throw new ReferenceError(`no account ${event.accountId}`)
  if (event.reserveInherited) (world.orders.get(event.parentOrderId as string) as Order).reserve = 0n
  world.created += 1
  const identity = { sequence: world.created, phaseOrdinal: account.phaseOrdinal }
  admit(world, placedOrder(event, at, identity), event.watermark)
}
