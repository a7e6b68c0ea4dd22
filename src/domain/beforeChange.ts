/** Who wants to know of a record before an event changes it: a snapshot that is written while commands go on. */
import type { Event } from '../events/event.ts'
import type { Account } from './account/account.ts'
import type { Order } from './order/order.ts'
import { activeOrder } from './order/resting.ts'
import type { Position } from './position/position.ts'
import type { World } from './world.ts'

export interface BeforeChange {
  /** The record is about to change, or to leave. May be told of one that is not changed after all. */
  changing(record: Account | Order | Position): void
}

/** Tells of every account, order and position the event may change. New ones are nobody's business yet. */
export function tellBefore(world: World, event: Event, listener: BeforeChange): void {
  if ('accountId' in event) tell(listener, world.accounts.get(event.accountId))
  if ('orderId' in event) tell(listener, activeOrder(world, event.orderId))
  if ('parentOrderId' in event && event.parentOrderId !== null)
    tell(listener, world.orders.get(event.parentOrderId))
  if ('positionId' in event && event.positionId !== null)
    tell(listener, world.positions.get(event.positionId))
}

function tell(listener: BeforeChange, record: Account | Order | Position | undefined): void {
  if (record !== undefined) listener.changing(record)
}
