/** The records of the history lists as they are read. */

import type { RecordReading } from '../store/recordStore.ts'
import { type EndedOrder, endedOrders, isLast, type KeptEvent, keptEvents } from './historyRecords.ts'
import {
  type CreatedIn,
  createdIn,
  createdKey,
  type EntryKey,
  entryKey,
  eventKey,
  holesKey,
  KIND,
  sequenceIn,
  sequenceKey,
} from './recordKeys.ts'

/** Versions count from 1 and fit four bytes. */
const LAST_VERSION = 0xffffffff

/** @throws as {@link RecordReading}, all of it. */
export interface HistoryReading {
  /** The last commit up to one of which it is remembered how much had been created. */
  createdUpTo(seq: number): CreatedIn | undefined
  order(sequence: number): EndedOrder | undefined
  /** The last event of a position that has ended. */
  endOf(sequence: number): KeptEvent | undefined
  /** The sequence of the order or position that a list entry stands for. */
  entry(key: EntryKey): number | undefined
  holes(list: number, chunk: number): Uint8Array | undefined
  /** The newest events of a position with a version below, newest first. */
  eventsBefore(sequence: number, before: number, limit: number): KeptEvent[]
}

export class RecordedReading implements HistoryReading {
  readonly #records: RecordReading

  constructor(records: RecordReading) {
    this.#records = records
  }

  createdUpTo(seq: number): CreatedIn | undefined {
    for (const { key, bytes } of this.#records.lastOf(createdKey(0), createdKey(seq), 1))
      return createdIn(key, bytes)
    return undefined
  }

  order(sequence: number): EndedOrder | undefined {
    const bytes = this.#records.get(sequenceKey(KIND.order, sequence))
    return bytes && endedOrders.decode(bytes)
  }

  endOf(sequence: number): KeptEvent | undefined {
    const [newest] = this.eventsBefore(sequence, Number.POSITIVE_INFINITY, 1)
    return newest !== undefined && isLast(newest) ? newest : undefined
  }

  entry(key: EntryKey): number | undefined {
    const bytes = this.#records.get(entryKey(key))
    return bytes && sequenceIn(bytes)
  }

  holes(list: number, chunk: number): Uint8Array | undefined {
    return this.#records.latest(holesKey(list, chunk))
  }

  eventsBefore(sequence: number, before: number, limit: number): KeptEvent[] {
    const last = eventKey(sequence, Math.min(before - 1, LAST_VERSION))
    return Array.from(this.#records.lastOf(eventKey(sequence, 0), last, limit), ({ bytes }) =>
      keptEvents.decode(bytes),
    )
  }
}
