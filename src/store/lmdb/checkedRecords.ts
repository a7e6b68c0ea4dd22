/** Records as they are read from what is stored: each is checked against its seal first (K8). */
import type { KeyedRecord, RecordReading } from '../recordStore.ts'
import { bufferOver } from './bufferOver.ts'
import type { KeyedRecords } from './keyedRecords.ts'
import { unsealed } from './sealedRecord.ts'

/** @throws RecordsDamaged, all of it, when what is stored is not what was written. */
export class CheckedRecords implements RecordReading {
  readonly #stored: KeyedRecords

  constructor(stored: KeyedRecords) {
    this.#stored = stored
  }

  get(key: Uint8Array): Buffer | undefined {
    const stored = this.stored(bufferOver(key))
    return stored && unsealed(key, stored)
  }

  latest(key: Uint8Array): Uint8Array | undefined {
    return this.get(key)
  }

  *lastOf(after: Uint8Array, upTo: Uint8Array, limit: number): Generator<KeyedRecord> {
    for (const { key, value } of this.#stored.lastOf(bufferOver(after), bufferOver(upTo), limit))
      yield { key, bytes: unsealed(key, value) }
  }

  /** As it is stored, with its seal. */
  protected stored(key: Buffer): Buffer | undefined {
    return this.#stored.get(key)
  }
}
