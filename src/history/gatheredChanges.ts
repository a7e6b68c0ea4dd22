/**
 * What one commit changed of the history lists, as it is gathered, and the records it becomes. All of them are keyed by what counts up,
 * so that a batch touches few pages. None is keyed by an id: those are spread evenly over all keys, so that each would write a page of
 * its own.
 */

import type { CommitRecords, KeyedRecord } from '../store/recordStore.ts'
import { bytesOf, type Held } from './heldRecords.ts'
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

/** An order that ended, by its sequence. */
export interface HeldOrder {
  readonly sequence: number
  readonly id: string
  readonly order: Held
}

/** A position after an event, by the sequence of the position. */
export interface HeldEvent {
  readonly sequence: number
  readonly version: number
  /** Of the position that it ended; null where it is open still. */
  readonly endedId: string | null
  readonly event: Held
}

export interface ListEntry {
  readonly key: EntryKey
  readonly sequence: number
}

export interface ListHoles {
  readonly list: number
  readonly chunk: number
  readonly bits: Uint8Array
}

/** Most commits change one or two things: what they leave alone has no room. */
export class GatheredChanges implements CommitRecords {
  seq = 0
  orders: HeldOrder[] = NONE
  events: HeldEvent[] = NONE
  entries: ListEntry[] = NONE
  /** How much had been created before and after the commit, where that is remembered. */
  created: CreatedIn[] = NONE
  holes: ListHoles[] = NONE

  get size(): number {
    const { orders, events, entries, created, holes } = this
    return orders.length + events.length + entries.length + created.length + holes.length
  }

  /** All but the holes, whose bits are rewritten as more are left out. */
  *records(): Generator<KeyedRecord> {
    for (const { sequence, order } of this.orders)
      yield { key: sequenceKey(KIND.order, sequence), bytes: bytesOf(order) }
    for (const { sequence, version, event } of this.events)
      yield { key: eventKey(sequence, version), bytes: bytesOf(event) }
    for (const each of this.created) yield { key: createdKey(each.seq), bytes: createdBytes(each) }
    for (const { key, sequence } of this.entries) yield { key: entryKey(key), bytes: sequenceBytes(sequence) }
  }

  get latest(): readonly KeyedRecord[] {
    return this.holes.length === 0 ? NO_RECORDS : this.holes.map(holesRecord)
  }
}

const NONE: never[] = []
/** Most commits leave out no order. */
const NO_RECORDS: readonly KeyedRecord[] = []

function holesRecord({ list, chunk, bits }: ListHoles): KeyedRecord {
  return { key: holesKey(list, chunk), bytes: bits }
}

/** An array with room for one more thing and no others, as long as it is the first. */
export function withOne<T>(items: T[], item: T): T[] {
  if (items === NONE) return [item]
  items.push(item)
  return items
}
