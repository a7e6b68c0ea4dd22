/** What a data directory keeps beside its log, compared with what the log leads to. */
import { checkDerived, type DerivedCheck } from '../engine/derived.ts'
import type { Commit } from '../events/commit.ts'
import type { ComparedHistory } from '../projections/keptHistory.ts'
import type { Snapshot } from '../store/store.ts'

export interface DerivedFiles {
  /** Null where there are none; a sentence where they cannot be trusted. */
  readonly history: ComparedHistory | string | null
  /** Newest first. */
  readonly snapshots: readonly Snapshot[]
}

export async function derivedIn(directory: string): Promise<DerivedFiles> {
  const { compareHistory, HistoryDamaged, snapshotsIn } = await import('../store/lmdb/index.ts')
  const history = await compareHistory(directory).catch((error: unknown) => {
    if (error instanceof HistoryDamaged) return error.message
    throw error
  })
  const snapshots: Snapshot[] = []
  for await (const snapshot of snapshotsIn(directory).snapshots()) snapshots.push(snapshot)
  return { history, snapshots }
}

/** Compares with a log that is read from its first commit, or from a snapshot that is believed. */
export async function checkFiles(
  { history, snapshots }: DerivedFiles,
  log: AsyncIterable<readonly Commit[]>,
  from: Snapshot | null,
  onProgress: (commits: number) => void,
): Promise<DerivedCheck> {
  if (typeof history === 'string') return { records: 0, snapshots: [], unread: [], differences: [history] }
  return checkDerived(log, { history, snapshots: inTurn(snapshots) }, { from, onProgress })
}

async function* inTurn(snapshots: readonly Snapshot[]): AsyncGenerator<Snapshot> {
  yield* snapshots
}
