/** The records of the history lists as they are read: each is checked against its seal first (K8). */
import { type EntryKey, entryKey, eventKey, holesKey, idKey, KIND, sequenceKey } from './historyChanges.ts'
import {
  type EndedOrder,
  type EndedPosition,
  endedOrders,
  endedPositions,
  type KeptEvent,
  keptEvents,
} from './historyRecords.ts'
import type { KeyedRecords } from './keyedRecords.ts'
import { unsealed } from './sealedRecord.ts'

/** Versions count from 1 and fit four bytes. */
const LAST_VERSION = 0xffffffff

/** @throws HistoryDamaged, all of it, when what is stored is not what was written. */
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

export class StoredRecords implements HistoryReading {
  readonly #stored: KeyedRecords

  constructor(stored: KeyedRecords) {
    this.#stored = stored
  }

  sequenceOf(id: string): number | undefined {
    return this.#record(idKey(id))?.readUIntBE(0, 6)
  }

  order(sequence: number): EndedOrder | undefined {
    const bytes = this.#record(sequenceKey(KIND.order, sequence))
    return bytes && endedOrders.decode(bytes)
  }

  position(sequence: number): EndedPosition | undefined {
    const bytes = this.#record(sequenceKey(KIND.position, sequence))
    return bytes && endedPositions.decode(bytes)
  }

  entry(key: EntryKey): number | undefined {
    return this.#record(entryKey(key))?.readUIntBE(0, 6)
  }

  holes(list: number, chunk: number): Uint8Array | undefined {
    return this.#record(holesKey(list, chunk))
  }

  eventsBefore(sequence: number, before: number, limit: number): KeptEvent[] {
    const events: KeptEvent[] = []
    const last = eventKey(sequence, Math.min(before - 1, LAST_VERSION))
    for (const { key, value } of this.#stored.lastOf(eventKey(sequence, 0), last, limit))
      events.push(keptEvents.decode(unsealed(key, value)))
    return events
  }

  /** As it is stored, with its seal. */
  protected stored(key: Buffer): Buffer | undefined {
    return this.#stored.get(key)
  }

  #record(key: Buffer): Buffer | undefined {
    const stored = this.stored(key)
    return stored && unsealed(key, stored)
  }
}
