/**
 * What the events of a funding instant do, one for each of a market's positions: as if `apply` had been given one after the other,
 * but step by step for all of them, and without looking up again what is at hand. A log that is folded is folded event by event.
 */
import type { PayFunding } from '../../events/positionEvents.ts'
import type { Account } from '../state/account.ts'
import type { Position } from '../state/position.ts'
import type { World } from '../state/world.ts'
import { type Posting, post, postingOf } from './ledger.ts'
import { positionRecipe } from './positionReducers.ts'
import { tellBefore } from './tellBefore.ts'

/** The events belong to the positions at the same places, and so do the accounts that it gives. `at`: the time of their commit. */
export function applyFunding(
  world: World,
  positions: readonly Position[],
  events: readonly PayFunding[],
  at: number,
): Account[] {
  if (world.beforeChange !== null) for (const event of events) tellBefore(world, event, world.beforeChange)
  const accounts = positions.map(({ accountId }) => world.accounts.known(accountId))
  for (let n = 0; n < events.length; n++)
    positionRecipe(positions[n] as Position, events[n] as PayFunding, at)
  for (let n = 0; n < events.length; n++) {
    const [account, event] = [accounts[n] as Account, events[n] as PayFunding]
    account.realizedToday += event.amount
    post(account, world, postingOf(event) as Posting)
    world.days.watch(account)
  }
  world.triggers.setPositions(positions, accounts)
  return accounts
}
