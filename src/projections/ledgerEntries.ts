/** The double-entry ledger of a log: what every event moved, between which accounts (C11). */
import { type Posting, postingOf } from '../domain/evolve/ledger.ts'
import type { Commit } from '../events/commit.ts'
import type { EventType } from '../events/event.ts'

/** One posting, and the event it comes from. */
export interface LedgerEntry extends Posting {
  /** Sequence of the commit. */
  readonly seq: number
  /** Engine time of the commit, epoch ms. */
  readonly at: number
  readonly event: EventType
}

/**
 * The entries of a commit, in the order of its events. Each sums to zero.
 *
 * ```ts
 * for await (const commit of engine.commits({ from: 1 }))
 *   for (const entry of ledgerEntries(commit)) console.log(commit.seq, toJson(entry))
 * ```
 */
export function ledgerEntries(commit: Commit): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (const event of commit.events) {
    const posting = postingOf(event)
    if (posting !== null) entries.push({ seq: commit.seq, at: commit.at, event: event.type, ...posting })
  }
  return entries
}
