/** What a data directory keeps beside its log, compared with what the log leads to. */
import { checkDerived, type DerivedCheck } from '../engine/derived.ts'
import type { Commit } from '../events/commit.ts'
import { HISTORY_FORM } from '../history/historyRecords.ts'
import type { ComparedRecords } from '../store/recordStore.ts'
import type { Snapshot } from '../store/store.ts'

export interface DerivedFiles {
  /** Null where there are none; a sentence where they cannot be trusted. */
  readonly records: ComparedRecords | string | null
  /** Newest first. */
  readonly snapshots: readonly Snapshot[]
}

export async function derivedIn(directory: string): Promise<DerivedFiles> {
  const { recordsToCompare, RecordsDamaged, snapshotsIn } = await import('../store/lmdb/index.ts')
  const records = await recordsToCompare(directory, HISTORY_FORM).catch((error: unknown) => {
    if (error instanceof RecordsDamaged) return `the history lists cannot be compared: ${error.message}`
    throw error
  })
  const snapshots: Snapshot[] = []
  for await (const snapshot of snapshotsIn(directory).snapshots()) snapshots.push(snapshot)
  return { records, snapshots }
}

/** Compares with a log that is read from its first commit, or from a snapshot that is believed. */
export async function checkFiles(
  { records, snapshots }: DerivedFiles,
  log: AsyncIterable<readonly Commit[]>,
  from: Snapshot | null,
  onProgress: (commits: number) => void,
): Promise<DerivedCheck> {
  if (typeof records === 'string') return { records: 0, snapshots: [], unread: [], differences: [records] }
  return checkDerived(log, { records, snapshots: inTurn(snapshots) }, { from, onProgress })
}

async function* inTurn(snapshots: readonly Snapshot[]): AsyncGenerator<Snapshot> {
  yield* snapshots
}
