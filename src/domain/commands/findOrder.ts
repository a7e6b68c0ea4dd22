/** Finding an order by id for its owner (I3, I8, I14, H3). */

import type { Caller } from '../../events/command.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import type { Account } from '../state/account.ts'
import type { Order } from '../state/order.ts'
import type { World } from '../state/world.ts'
import { accessRejection } from './access.ts'

export type FoundOrder =
  | { readonly order: Order; readonly account: Account; readonly rejected: null }
  | { readonly rejected: Rejection }

/** An active order of the caller: existence, ownership, API switch, loaded (J32), then whether it still is active. */
export function findActiveOrder(world: World, orderId: string, caller: Caller | null): FoundOrder {
  const order = world.orders.get(orderId)
  if (order === undefined) return { rejected: endedOrderRejection(world, orderId, caller) }
  const account = world.accounts.known(order.accountId)
  const rejected = accessRejection(account, caller, true)
  return rejected === null ? { order, account, rejected } : { rejected }
}

function endedOrderRejection(world: World, orderId: string, caller: Caller | null): Rejection {
  const ended = world.archive.endedOrder(orderId)
  const account = ended && world.accounts.get(ended.accountId)
  if (ended === undefined || account === undefined) return rejection('order_not_found')
  const denied = accessRejection(account, caller, false)
  if (denied?.code === 'account_access_denied') return denied
  if (ended.phaseOrdinal !== account.phaseOrdinal) return rejection('order_not_found')
  return accessRejection(account, caller, true) ?? rejection('order_not_active')
}
