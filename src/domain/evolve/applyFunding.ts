/**
 * What the events of a funding instant do, one for each of a market's positions: as if `apply` had been given one after the other, but
 * nothing that is at hand is looked up again. A log that is folded is folded event by event.
 */
import type { PayFunding } from '../../events/positionEvents.ts'
import type { Account } from '../state/account.ts'
import type { World } from '../state/world.ts'
import { type Posting, post, postingOf } from './ledger.ts'
import { positionRecipe } from './positionReducers.ts'
import { tellBefore } from './tellBefore.ts'

/** The events belong to the positions of the rows at the same places, and so do the accounts that it gives. `at`: the time of their commit. */
export function applyFunding(
  world: World,
  settled: readonly number[],
  events: readonly PayFunding[],
  at: number,
): Account[] {
  if (world.beforeChange !== null) for (const event of events) tellBefore(world, event, world.beforeChange)
  const { rows } = world.positions
  const accounts: Account[] = []
  for (let n = 0; n < events.length; n++) {
    const [row, event] = [settled[n] as number, events[n] as PayFunding]
    const account = world.accounts.known(event.accountId)
    if (!rows.payFunding(row, event.amount, at)) positionRecipe(rows.at(row), event, at)
    account.realizedToday += event.amount
    post(account, world, postingOf(event) as Posting)
    world.days.watch(account)
    world.triggers.setPosition(row, account, event.marketId)
    accounts.push(account)
  }
  return accounts
}
