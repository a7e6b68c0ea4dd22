// The records of history lists in a map: what a store has to do, without anything that makes it last.

import { hexOf } from '../src/store/lmdb/bufferOver.ts'
import { LOOP_TURNS } from '../src/store/lmdb/loopTurns.ts'
import type { CommitRecords, KeyedRecord, RecordStore } from '../src/store/recordStore.ts'

export class RecordsInMemory implements RecordStore {
  readonly removed = null
  readonly checked = Promise.resolve()
  readonly turns = LOOP_TURNS
  readonly #records = new Map<string, Buffer>()
  cursor = 0

  get(key: Uint8Array): Buffer | undefined {
    return this.#records.get(hexOf(key))
  }

  latest(key: Uint8Array): Buffer | undefined {
    return this.get(key)
  }

  lastOf(after: Uint8Array, upTo: Uint8Array, limit: number): { key: Buffer; bytes: Buffer }[] {
    return Array.from(this.#records, ([key, bytes]) => ({ key: Buffer.from(key, 'hex'), bytes }))
      .filter(({ key }) => key.compare(after) > 0 && key.compare(upTo) <= 0)
      .sort((a, b) => b.key.compare(a.key))
      .slice(0, limit)
  }

  async write(changes: readonly CommitRecords[], cursor: number): Promise<void> {
    for (const told of changes) for (const record of [...told.records(), ...told.latest]) this.#put(record)
    this.cursor = cursor
  }

  #put({ key, bytes }: KeyedRecord): void {
    this.#records.set(hexOf(key), Buffer.from(bytes))
  }
}
