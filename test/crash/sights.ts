// What clients saw of the orders that rest on an account, against the log: each list is that of some moment that was
// durable, and none of a moment before what its reader had already been told.

import { expect } from 'vitest'
import type { OrderEvent } from '../../src/events/orderEvents.ts'
import type { Commit } from '../../src/index.ts'
import { ALICE, BOB } from '../host/venue.ts'
import { type HostLoad, markOf } from './hostLoad.ts'

export interface Sight {
  readonly accountId: string
  /** The resting orders as listed, newest first. */
  readonly orders: string
  /** How many answers of success there had been when it was asked for. */
  readonly told: number
}

const keyOf = (accountId: string, orders: string) => `${accountId}: ${orders}`

export function checkSights(commits: readonly Commit[], { sights, acknowledged }: HostLoad): void {
  const seqs = new Map(commits.map((commit) => [markOf(commit), commit.seq]))
  // After so many answers, the commit that the last of them rests on.
  const least = [0]
  for (const mark of acknowledged)
    least.push(Math.max(least[least.length - 1] as number, seqs.get(mark) ?? 0))
  const last = lastMoments(commits, new Set(sights.map(({ accountId, orders }) => keyOf(accountId, orders))))
  for (const { accountId, orders, told } of sights) {
    const moment = last.get(keyOf(accountId, orders))
    expect(moment, `a list of ${accountId} that the log has at no moment: ${orders}`).toBeDefined()
    expect(moment, `a list of ${accountId} from before what its reader knew`).toBeGreaterThanOrEqual(
      least[told] as number,
    )
  }
}

/** Of the lists that were seen, the last sequence at which each stood. */
function lastMoments(commits: readonly Commit[], seen: ReadonlySet<string>): Map<string, number> {
  const resting = new Map<string, string[]>([ALICE, BOB].map(({ accountId }) => [accountId, []]))
  const last = new Map<string, number>()
  const stood = (accountId: string, seq: number) => {
    const key = keyOf(accountId, (resting.get(accountId) ?? []).join())
    if (seen.has(key)) last.set(key, seq)
  }
  for (const { seq, events } of commits) {
    const changes = events.filter((event): event is OrderEvent => event.type.startsWith('order'))
    for (const accountId of new Set(changes.map((change) => change.accountId))) stood(accountId, seq - 1)
    for (const { type, accountId, orderId } of changes) {
      const others = (resting.get(accountId) ?? []).filter((id) => id !== orderId)
      resting.set(accountId, type === 'orderPlaced' ? [orderId, ...others] : others)
    }
  }
  for (const accountId of resting.keys()) stood(accountId, Number.POSITIVE_INFINITY)
  return last
}
