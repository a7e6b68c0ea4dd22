/** What an event is about to change. */

import type { Event } from '../../events/event.ts'
import type { BeforeChange } from '../state/beforeChange.ts'
import type { World } from '../state/world.ts'
import { activeOrder } from './resting.ts'

/** Tells of every account, order, position and API key the event may change. New ones are nobody's business yet. */
export function tellBefore(world: World, event: Event, listener: BeforeChange): void {
  if ('accountId' in event) {
    const account = world.accounts.get(event.accountId)
    if (account !== undefined) listener.accountChanging(account, event)
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
    if (position !== undefined) listener.positionChanging(position, event)
  }
  if ('keyId' in event) {
    const key = world.apiKeys.get(event.keyId)
    if (key !== undefined) listener.apiKeyChanging(key)
  }
}
