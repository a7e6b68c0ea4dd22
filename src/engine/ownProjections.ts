/** The projections that every engine runs of its own: first the history lists, which the rules ask what has ended. */
import { type BesideTheLog, historyLists, historyRows } from '../history/historyLists.ts'
import type { EventLog } from '../history/loggedRecords.ts'
import { MemoryHistory } from '../history/memoryHistory.ts'
import { RecordFold } from '../history/recordFold.ts'
import type { DecidedFold } from '../projections/decidedProjection.ts'
import type { History } from '../projections/history.ts'
import type { Store } from '../store/store.ts'

export type OwnProjections = readonly [history: DecidedFold<History>, ...others: DecidedFold<unknown>[]]

/** Over what a store keeps beside its log; it was opened for the session of an epoch. */
export async function kept(store: Store, epoch: number): Promise<OwnProjections> {
  const records = (await store.records?.(historyLists.version)) ?? null
  const rows = (await store.rows?.(epoch)) ?? null
  const beside: BesideTheLog = { records, rows }
  const own = historyRows.begin(beside)
  return own === null ? [historyLists.begin(beside)] : [historyLists.begin(beside), own]
}

/**
 * Nothing is kept beside the log. Said without {@link historyLists}, so that programs of such engines alone load no others. `log`:
 * in memory, where every commit that is told is pushed next; null: no log from which the lists could be read.
 */
export function inMemory(log: EventLog | null = null): OwnProjections {
  return [new RecordFold(new MemoryHistory(log))]
}
