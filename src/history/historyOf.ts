/** The history lists of a store that keeps them beside its log, as records or as rows. */
import type { KeptHistory } from '../projections/keptHistory.ts'
import { isReadable } from '../store/rowStore.ts'
import type { Store } from '../store/store.ts'
import { HISTORY_FORM } from './historyRecords.ts'
import { RecordedHistory } from './historyTarget.ts'
import { PagedHistory } from './pagedHistory.ts'
import { StoredHistory } from './storedHistory.ts'
import { TabledHistory } from './tabledHistory.ts'

/** Null where the store keeps none, or some that cannot be used now: the lists are then in memory alone. */
export async function historyOf(store: Store, epoch: number): Promise<KeptHistory | null> {
  if (store.rows !== undefined) {
    const rows = await store.rows(epoch)
    return isReadable(rows) ? new PagedHistory(rows) : new TabledHistory(rows)
  }
  const records = (await store.records?.(HISTORY_FORM)) ?? null
  return records && new StoredHistory(new RecordedHistory(records))
}
