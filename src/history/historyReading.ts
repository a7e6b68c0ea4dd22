/** The records of the history lists as they are read. */
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
  sequenceIn,
  sequenceKey,
} from './recordKeys.ts'
import type { RecordReading } from './recordStore.ts'

/** Versions count from 1 and fit four bytes. */
const LAST_VERSION = 0xffffffff

/** @throws as {@link RecordReading}, all of it. */
export interface HistoryReading {
  /** The creation sequence of an order that has ended, or of a position. */
  sequenceOf(id: string): number | undefined
  order(sequence: number): EndedOrder | undefined
  position(sequence: number): EndedPosition | undefined
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

  sequenceOf(id: string): number | undefined {
    const key = idKey(id)
    const bytes = key === null ? undefined : this.#records.get(key)
    return bytes && sequenceIn(bytes)
  }

  order(sequence: number): EndedOrder | undefined {
    const bytes = this.#records.get(sequenceKey(KIND.order, sequence))
    return bytes && endedOrders.decode(bytes)
  }

  position(sequence: number): EndedPosition | undefined {
    const bytes = this.#records.get(sequenceKey(KIND.position, sequence))
    return bytes && endedPositions.decode(bytes)
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
