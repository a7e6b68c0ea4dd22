/**
 * What the history lists need of a store: records under keys in byte order, written commit by commit, with how far the log is
 * in them. Whoever keeps such records knows nothing of what is in them, and everything about keeping them: checksums, the
 * size of a transaction, what to do about damage.
 */

/** Keys compare byte by byte. */
export interface KeyedRecord {
  readonly key: Uint8Array
  readonly bytes: Uint8Array
}

/** @throws what the store throws, all of it, when what is stored is not what was written. */
export interface RecordReading {
  /** A record that is written once. */
  get(key: Uint8Array): Uint8Array | undefined
  /** A record that is written again and again, as it was written last. */
  latest(key: Uint8Array): Uint8Array | undefined
  /** The last records, of those written once, with keys in `(after, upTo]`, last first. */
  lastOf(after: Uint8Array, upTo: Uint8Array, limit: number): Iterable<KeyedRecord>
}

/** What one commit writes. */
export interface CommitRecords {
  readonly seq: number
  /** Never written before. Made as they are asked for, in the same order each time. */
  records(): Iterable<KeyedRecord>
  /** In the place of others under their keys. */
  readonly latest: readonly KeyedRecord[]
}

export interface RecordStore extends RecordReading {
  /** The last commit whose records are all written: nobody tells of it again. A part of the next may be written. */
  readonly cursor: number
  /** Why what was there could not be trusted and was removed; null mostly. */
  readonly removed: string | null
  /**
   * Writes commits after the cursor, and says how far the log is in them with it: beyond the last of them where later
   * commits have no records. Resolves once all of it is on the medium; after a failure at any moment what is kept is that
   * of one commit, and perhaps a part of the next. `recovering`: nobody waits for the process.
   */
  write(changes: readonly CommitRecords[], cursor: number, recovering: boolean): Promise<void>
}
