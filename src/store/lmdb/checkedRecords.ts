/** Records as they are read from what is stored: each is checked against its seal first (K8). */
import type { RecordReading } from '../../history/recordStore.ts'
import type { KeyedRecords } from './keyedRecords.ts'
import { unsealed } from './sealedRecord.ts'

/** @throws HistoryDamaged, all of it, when what is stored is not what was written. */
export class CheckedRecords implements RecordReading {
  readonly #stored: KeyedRecords

  constructor(stored: KeyedRecords) {
    this.#stored = stored
  }

  get(key: Buffer): Buffer | undefined {
    const stored = this.stored(key)
    return stored && unsealed(key, stored)
  }

  latest(key: Buffer): Uint8Array | undefined {
    return this.get(key)
  }

  *lastOf(after: Buffer, upTo: Buffer, limit: number): Generator<{ key: Buffer; bytes: Buffer }> {
    for (const { key, value } of this.#stored.lastOf(after, upTo, limit))
      yield { key, bytes: unsealed(key, value) }
  }

  /** As it is stored, with its seal. */
  protected stored(key: Buffer): Buffer | undefined {
    return this.#stored.get(key)
  }
}
