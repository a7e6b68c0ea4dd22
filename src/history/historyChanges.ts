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
import type { CommitRecords, KeyedRecord } from './recordStore.ts'

export const KIND = { order: 1, position: 2, event: 3, entry: 4, holes: 5, id: 6 } as const

/** What a list entry is keyed by. */
export interface EntryKey {
  readonly list: number
  readonly rank: number
}

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
    yield { key: idKey(order.record.id), bytes: sequenceBytes(sequence) }
  }
  for (const { sequence, position } of positions) {
    yield { key: sequenceKey(KIND.position, sequence), bytes: endedPositions.encode(position) }
    yield { key: idKey(position.record.id), bytes: sequenceBytes(sequence) }
  }
  for (const { sequence, event } of events)
    yield { key: eventKey(sequence, event.record.version), bytes: keptEvents.encode(event) }
  for (const { key, sequence } of entries) yield { key: entryKey(key), bytes: sequenceBytes(sequence) }
}

export function sequenceKey(kind: number, sequence: number): Buffer {
  const key = Buffer.allocUnsafe(7)
  key[0] = kind
  key.writeUIntBE(sequence, 1, 6)
  return key
}

export function eventKey(sequence: number, version: number): Buffer {
  const key = Buffer.allocUnsafe(11)
  key[0] = KIND.event
  key.writeUIntBE(sequence, 1, 6)
  key.writeUInt32BE(version, 7)
  return key
}

function sequenceBytes(sequence: number): Buffer {
  const bytes = Buffer.allocUnsafe(6)
  bytes.writeUIntBE(sequence, 0, 6)
  return bytes
}

/** The ids of orders and positions are the engine's own, and always uuids (A4). */
export function idKey(id: string): Buffer {
  return Buffer.from(`${ID_PREFIX}${id.replaceAll('-', '')}`, 'hex')
}

const ID_PREFIX = KIND.id.toString(16).padStart(2, '0')

export function entryKey({ list, rank }: EntryKey): Buffer {
  const key = Buffer.allocUnsafe(11)
  key[0] = KIND.entry
  key.writeUInt32BE(list, 1)
  key.writeUIntBE(rank, 5, 6)
  return key
}

export function holesKey(list: number, chunk: number): Buffer {
  const key = Buffer.allocUnsafe(9)
  key[0] = KIND.holes
  key.writeUInt32BE(list, 1)
  key.writeUInt32BE(chunk, 5)
  return key
}
