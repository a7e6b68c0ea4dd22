/** Records under keys in byte order, as a file of LMDB has them: what is kept beside the log is read from it. */
import type { RootDatabase, Transaction } from 'lmdb'

export interface StoredRecord {
  readonly key: Uint8Array
  readonly value: Buffer
}

export interface KeyedRecords {
  get(key: Buffer): Buffer | undefined
  /** The last records with keys in `(after, upTo]`, last first. */
  lastOf(after: Buffer, upTo: Buffer, limit: number): Iterable<StoredRecord>
}

/** Read by LMDB, from a file that was checked before. */
export class LmdbRecords implements KeyedRecords {
  readonly #root: RootDatabase<Buffer, Uint8Array>
  readonly #view: { transaction?: Transaction }

  /** With a transaction everything is read as it was when that began. */
  constructor(root: RootDatabase<Buffer, Uint8Array>, transaction?: Transaction) {
    this.#root = root
    this.#view = transaction === undefined ? {} : { transaction }
  }

  get(key: Buffer): Buffer | undefined {
    return this.#root.get(key, this.#view)
  }

  lastOf(after: Buffer, upTo: Buffer, limit: number): Iterable<StoredRecord> {
    // LMDB walks backwards from a start that is in the range to an end that is not.
    return this.#root.getRange({ start: upTo, end: after, limit, reverse: true, ...this.#view })
  }
}
