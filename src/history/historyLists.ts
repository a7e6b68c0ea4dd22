/** The projections of the engine's own that are in step with decisions: the history lists, and the history as rows for others. */
import type { DecidedFold, DecidedProjection } from '../projections/decidedProjection.ts'
import type { History } from '../projections/history.ts'
import type { RecordStore } from '../store/recordStore.ts'
import { isReadable, type RowStore } from '../store/rowStore.ts'
import { HISTORY_FORM } from './historyRecords.ts'
import { RecordedHistory } from './historyTarget.ts'
import { MemoryHistory } from './memoryHistory.ts'
import { PagedHistory } from './pagedHistory.ts'
import { RecordFold } from './recordFold.ts'
import { StoredHistory } from './storedHistory.ts'
import { TabledHistory } from './tabledHistory.ts'

/** What a store keeps beside its log, of either kind at most one; null: nothing, or nothing that can be used now. */
export interface BesideTheLog {
  readonly records: RecordStore | null
  readonly rows: RowStore | null
}

/** What has ended: kept as records where a store has them, read from rows where it can be asked for those, in memory else. */
export const historyLists = {
  name: 'history',
  version: HISTORY_FORM,
  stage: 'decided',
  begin({ records, rows }: BesideTheLog): DecidedFold<History> {
    if (records !== null) return new RecordFold(new StoredHistory(new RecordedHistory(records)))
    if (rows !== null && isReadable(rows)) return new RecordFold(new PagedHistory(rows))
    return new RecordFold(new MemoryHistory())
  },
} as const satisfies DecidedProjection<History, BesideTheLog>

/** The same as rows for others, of a store that keeps them and does not read them: where it does, the lists write them. */
export const historyRows = {
  name: 'history-rows',
  version: 1,
  stage: 'decided',
  begin({ rows }: BesideTheLog): DecidedFold<unknown> | null {
    return rows === null || isReadable(rows) ? null : new RecordFold(new TabledHistory(rows))
  },
} as const satisfies DecidedProjection<unknown, BesideTheLog>
