/**
 * What the history lists are told, and the records it becomes. Records are keyed by the creation sequence of their order
 * or position, so that a batch touches few pages; ids, which are spread evenly over all keys, lead to sequences only.
 */
import {
  type EndedOrder,
  type EndedPosition,
  endedOrders,
  endedPositions,
  type KeptEvent,
  keptEvents,
} from './historyRecords.ts'
import {
  type EntryKey,
  entryKey,
  eventKey,
  holesKey,
  idKey,
  KIND,
  sequenceBytes,
  sequenceKey,
} from './recordKeys.ts'
import type { CommitRecords, KeyedRecord } from './recordStore.ts'

/** What history lists are told. */
export interface HistoryChanges {
  readonly orders: readonly EndedOrderAt[]
  readonly positions: readonly EndedPositionAt[]
  readonly events: readonly KeptEventAt[]
  readonly entries: readonly { readonly key: EntryKey; readonly sequence: number }[]
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

interface EndedPositionAt {
  readonly sequence: number
  readonly position: EndedPosition
}

interface KeptEventAt {
  /** Of the position. */
  readonly sequence: number
  readonly event: KeptEvent
}

/** What a commit changed, as the records that say so. */
export function inRecords(told: CommitChanges): CommitRecords {
  const latest = told.holes.map(({ list, chunk, bits }) => ({ key: holesKey(list, chunk), bytes: bits }))
  return { seq: told.seq, records: () => recordsOf(told), latest }
}

/** All but the holes, which become more: each of them is told once and never changes. */
function* recordsOf({ orders, positions, events, entries }: HistoryChanges): Generator<KeyedRecord> {
  for (const { sequence, order } of orders) {
    yield { key: sequenceKey(KIND.order, sequence), bytes: endedOrders.encode(order) }
    yield { key: idKey(order.record.id) as Uint8Array, bytes: sequenceBytes(sequence) }
  }
  for (const { sequence, position } of positions) {
    yield { key: sequenceKey(KIND.position, sequence), bytes: endedPositions.encode(position) }
    yield { key: idKey(position.record.id) as Uint8Array, bytes: sequenceBytes(sequence) }
  }
  for (const { sequence, event } of events)
    yield { key: eventKey(sequence, event.record.version), bytes: keptEvents.encode(event) }
  for (const { key, sequence } of entries) yield { key: entryKey(key), bytes: sequenceBytes(sequence) }
}
