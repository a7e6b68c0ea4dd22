/**
 * What the events of a funding instant do, one for each of a market's positions: as if `apply` had been given one after the other, but
 * nothing that is at hand is looked up again. A log that is folded is folded event by event.
 */
import type { PayFunding } from '../../events/positionEvents.ts'
import type { Account } from '../state/account.ts'
import type { World } from '../state/world.ts'
import { postFunding } from './ledger.ts'
import { positionRecipe } from './positionReducers.ts'
import { tellBefore } from './tellBefore.ts'

/**
 * The events belong to the positions of the rows at the same places, and `touched` is told of each one's account. `at`: the time of their
 * commit.
 */
export function applyFunding(
  world: World,
  settled: readonly number[],
  events: readonly PayFunding[],
  at: number,
  touched: (account: Account) => void,
): void {
  if (world.beforeChange !== null) for (const event of events) tellBefore(world, event, world.beforeChange)
  const { positions, days, triggers, changed } = world
  let paid = 0n
  for (let n = 0; n < events.length; n++) {
    const [row, event] = [settled[n] as number, events[n] as PayFunding]
    const { amount, marketId } = event
    const account = positions.accountAt(row)
    if (!positions.rows.payFunding(row, amount, at)) positionRecipe(positions.rows.at(row), event, at)
    changed.add(positions.rows.sequenceOf(row))
    account.realizedToday += amount
    postFunding(account, amount)
    paid += amount
    days.watch(account)
    triggers.setPosition(row, account, marketId)
    touched(account)
  }
  world.house -= paid
}
