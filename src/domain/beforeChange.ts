/** Who wants to know of a record before an event changes it: a snapshot that is written while commands go on. */
import type { Event } from '../events/event.ts'
import type { Account } from './account/account.ts'
import type { ApiKey } from './apiKey/apiKey.ts'
import type { Order } from './order/order.ts'
import { activeOrder } from './order/resting.ts'
import type { Position } from './position/position.ts'
import type { World } from './world.ts'

/** The record is about to change, or to leave. May be told of one that is not changed after all. */
export interface BeforeChange {
  accountChanging(account: Account): void
  orderChanging(order: Order): void
  positionChanging(position: Position): void
  apiKeyChanging(key: ApiKey): void
}

/** Tells of every account, order, position and API key the event may change. New ones are nobody's business yet. */
export function tellBefore(world: World, event: Event, listener: BeforeChange): void {
  if ('accountId' in event) {
    const account = world.accounts.get(event.accountId)
    if (account !== undefined) listener.accountChanging(account)
  }
  if ('orderId' in event) {
    const order = activeOrder(world, event.orderId)
    if (order !== undefined) listener.orderChanging(order)
  }
  if ('parentOrderId' in event && event.parentOrderId !== null) {
    const parent = world.orders.get(event.parentOrderId)
    if (parent !== undefined) listener.orderChanging(parent)
  }
  if ('positionId' in event && event.positionId !== null) {
    const position = world.positions.get(event.positionId)
    if (position !== undefined) listener.positionChanging(position)
  }
  if ('keyId' in event) {
    const key = world.apiKeys.get(event.keyId)
    if (key !== undefined) listener.apiKeyChanging(key)
  }
}
