/**
 * A log that is read before it is owned, so that whoever opens it has only its end to read. It may have been read from a primary that
 * was none any more: whoever opens the log holds the chain up to there against its own, and reads it anew where they differ.
 */
import type { Commit } from '../../events/commit.ts'
import type { Snapshot } from '../store.ts'
import type { Database } from './database.ts'
import { GENESIS_CHAIN, readGroups } from './groupReading.ts'
import { SnapshotTable } from './snapshotTable.ts'

export interface LogAhead {
  /** The newest there was; null = none. */
  readonly snapshot: Snapshot | null
  /** From the snapshot's own commit or the first on, without a gap. */
  readonly runs: readonly (readonly Commit[])[]
  readonly head: number
  /** Up to the head. */
  readonly chain: Uint8Array
}

/** @throws StoreDamaged where it cannot be read. */
export async function readAhead({ pool, schema }: Database, shard: number): Promise<LogAhead> {
  let snapshot: Snapshot | null = null
  for await (const newest of new SnapshotTable(pool, schema, shard, '').snapshots()) {
    snapshot = newest
    break
  }
  const runs: (readonly Commit[])[] = []
  let [head, chain] = [0, GENESIS_CHAIN]
  // The commit of the snapshot too: the chain is that of a group.
  const groups = readGroups({ pool, schema, shard }, snapshot?.seq ?? 1, (last, after) => {
    head = last
    chain = after
  })
  for await (const run of groups) runs.push(run)
  return { snapshot, runs, head, chain }
}

/** Its commits from a sequence on, in runs of at least one. */
export function* runsFrom({ runs }: LogAhead, from: number): Generator<readonly Commit[]> {
  for (const run of runs) {
    const skipped = from - (run[0] as Commit).seq
    if (skipped < run.length) yield skipped > 0 ? run.slice(skipped) : run
  }
}
