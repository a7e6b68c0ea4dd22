/** The double-entry ledger of a log: what every event moved, between which accounts (C11). */
import { type Posting, postingOf } from '../domain/evolve/ledger.ts'
import type { Commit } from '../events/commit.ts'
import type { Event, EventType } from '../events/event.ts'

/** One posting, and the event it comes from. */
export interface LedgerEntry extends Posting {
  /** Sequence of the commit. */
  readonly seq: number
  /** Engine time of the commit, epoch ms. */
  readonly at: number
  readonly event: EventType
}

/** The same of events that are in no commit. */
type EventPosting = Omit<LedgerEntry, 'seq' | 'at'>

/**
 * The entries of a commit, in the order of its events. Each sums to zero.
 *
 * ```ts
 * for await (const commit of engine.commits({ from: 1 }))
 *   for (const entry of ledgerEntries(commit)) console.log(commit.seq, toJson(entry))
 * ```
 */
export function ledgerEntries(commit: Commit): LedgerEntry[] {
  const { seq, at, events } = commit
  return postingsOf(events).map((posting) => ({ seq, at, ...posting }))
}

/** What events move, in their order; those that move nothing are left out. */
export function postingsOf(events: readonly Event[]): EventPosting[] {
  return events.flatMap((event) => {
    const posting = postingOf(event)
    return posting === null ? [] : [{ event: event.type, ...posting }]
  })
}
