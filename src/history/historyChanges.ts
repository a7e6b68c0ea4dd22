/**
 * What the history lists are told, and the records it becomes. All of them are keyed by what counts up, so that a batch touches
 * few pages. None is keyed by an id: those are spread evenly over all keys, so that each would write a page of its own.
 */

import type { CommitRecords, KeyedRecord } from '../store/recordStore.ts'
import { type EndedOrder, endedOrders, type KeptEvent, keptEvents } from './historyRecords.ts'
import {
  type CreatedIn,
  createdBytes,
  createdKey,
  type EntryKey,
  entryKey,
  eventKey,
  holesKey,
  KIND,
  sequenceBytes,
  sequenceKey,
} from './recordKeys.ts'

/** What history lists are told. */
export interface HistoryChanges {
  readonly orders: readonly EndedOrderAt[]
  readonly events: readonly KeptEventAt[]
  readonly entries: readonly { readonly key: EntryKey; readonly sequence: number }[]
  /** How much had been created before and after the commit, where {@link isRemembered}. */
  readonly created: readonly CreatedIn[]
  readonly holes: readonly { readonly list: number; readonly chunk: number; readonly bits: Uint8Array }[]
}

/** What one commit changed. */
export interface CommitChanges extends HistoryChanges {
  readonly seq: number
}

interface EndedOrderAt {
  readonly sequence: number
  readonly order: EndedOrder
}

interface KeptEventAt {
  /** Of the position. */
  readonly sequence: number
  readonly event: KeptEvent
}

/** What a commit changed, as the records that say so. */
export function inRecords(told: CommitChanges): CommitRecords {
  const latest = told.holes.length === 0 ? NO_RECORDS : told.holes.map(holesRecord)
  return { seq: told.seq, records: () => recordsOf(told), latest }
}

/** Most commits leave out no order. */
const NO_RECORDS: readonly KeyedRecord[] = []

function holesRecord({ list, chunk, bits }: CommitChanges['holes'][number]): KeyedRecord {
  return { key: holesKey(list, chunk), bytes: bits }
}

/** The records that are written once and never change: all but the holes, whose bits are rewritten as more are left out. */
function* recordsOf({ orders, events, entries, created }: HistoryChanges): Generator<KeyedRecord> {
  for (const { sequence, order } of orders) {
    yield { key: sequenceKey(KIND.order, sequence), bytes: endedOrders.encode(order) }
  }
  for (const { sequence, event } of events)
    yield { key: eventKey(sequence, event.record.version), bytes: keptEvents.encode(event) }
  for (const each of created) yield { key: createdKey(each.seq), bytes: createdBytes(each) }
  for (const { key, sequence } of entries) yield { key: entryKey(key), bytes: sequenceBytes(sequence) }
}
