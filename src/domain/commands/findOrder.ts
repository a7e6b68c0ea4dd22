/** Finding an order by id for its owner (I3, I8, I14, H3). */

import type { Caller } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import type { Account } from '../state/account.ts'
import type { Order } from '../state/order.ts'
import type { World } from '../state/world.ts'
import { accessFault } from './access.ts'

export type FoundOrder =
  | { readonly order: Order; readonly account: Account; readonly refused: null }
  | { readonly refused: Refusal }

/** An active order of the caller: existence, ownership, API switch, loaded, then whether it still is active. */
export function findActiveOrder(world: World, orderId: string, caller: Caller | null): FoundOrder {
  const order = world.orders.get(orderId)
  if (order === undefined) return { refused: endedOrderFault(world, orderId, caller) }
  const account = world.accounts.get(order.accountId) as Account
  const refused = accessFault(account, caller, true)
  return refused === null ? { order, account, refused } : { refused }
}

function endedOrderFault(world: World, orderId: string, caller: Caller | null): Refusal {
  const ended = world.archive.endedOrder(orderId)
  const account = ended && world.accounts.get(ended.accountId)
  if (ended === undefined || account === undefined) return refusal('order_not_found')
  const denied = accessFault(account, caller, false)
  if (denied?.code === 'account_access_denied') return denied
  if (ended.phaseOrdinal !== account.phaseOrdinal) return refusal('order_not_found')
  return accessFault(account, caller, true) ?? refusal('order_not_active')
}
