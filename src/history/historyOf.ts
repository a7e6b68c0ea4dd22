/** The history lists of a store that keeps records beside its log. */
import type { Store } from '../store/store.ts'
import { HISTORY_FORM } from './historyRecords.ts'
import { RecordedHistory } from './historyTarget.ts'
import { StoredHistory } from './storedHistory.ts'

/** Null where the store keeps no records, or some that cannot be used now: the lists are then kept in memory. */
export async function historyOf(store: Store): Promise<StoredHistory | null> {
  const records = (await store.records?.(HISTORY_FORM)) ?? null
  return records && new StoredHistory(new RecordedHistory(records))
}
