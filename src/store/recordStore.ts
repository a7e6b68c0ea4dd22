/**
 * Where what is derived from a log is kept beside it: records under keys in byte order, written commit by commit, with how far
 * the log is in them. Whoever keeps such records knows nothing of what is in them, and everything about keeping them:
 * checksums, the size of a transaction, what to do about damage.
 */
import type { Turns } from './turns.ts'

/** A record, and the key it is found under: keys compare byte by byte. */
export interface KeyedRecord {
  readonly key: Uint8Array
  readonly bytes: Uint8Array
}

/** Records as they are read. All of it throws what the store throws when what is stored is not what was written. */
export interface RecordReading {
  /** A record that is written once. */
  get(key: Uint8Array): Uint8Array | undefined
  /** A record that is written again and again, as it was written last. */
  latest(key: Uint8Array): Uint8Array | undefined
  /** The last records, so many as `limit` at most, of those written once, with keys in `(after, upTo]`, last first. */
  lastOf(after: Uint8Array, upTo: Uint8Array, limit: number): Iterable<KeyedRecord>
}

/** What one commit writes. */
export interface CommitRecords {
  /** Sequence of the commit. */
  readonly seq: number
  /** Never written before. Made as they are asked for, of this very object, in the same order each time. */
  records(): Iterable<KeyedRecord>
  /** In the place of others under their keys. */
  readonly latest: readonly KeyedRecord[]
}

/** Records that follow from a log, and how far they do: `recordFeatures` of `margin-core/testing` is this contract as tests. */
export interface RecordStore extends RecordReading {
  /** Sequence of the last commit whose records are all written: nobody tells of it again. A part of the next may be written. */
  readonly cursor: number
  /** Why what was there could not be used and was removed; null mostly. */
  readonly removed: string | null
  /**
   * Resolves once everything that was there has been found sound, which may be long after it is served. Rejects when it was
   * not: nothing of it is served or written any more.
   */
  readonly checked: Promise<void>
  /** How those who write here give way to others. */
  readonly turns: Turns
  /**
   * Writes commits after the cursor, and says how far the log is in them with it: beyond the last of them where later
   * commits have no records. Resolves once all of it is on the medium; after a failure at any moment what is kept is that
   * of one commit, and perhaps a part of the next. `recovering`: nobody waits for the process.
   */
  write(changes: readonly CommitRecords[], cursor: number, recovering: boolean): Promise<void>
}

/** Records that are there, beside those that a fold of the log tells: what is written is compared and goes nowhere. */
export interface ComparedRecords extends RecordStore {
  /** The log is not folded from its first commit: more is there than is told. */
  passOverEarlier(): void
  /** Sequence of the commit up to which the records are all there: what later ones write must not be told. */
  readonly upTo: number
  /** Sequence of the last commit of which anything is there. */
  readonly newest: number
  /** How many records were compared, and the first that is missing, too many, or not what was told; null: none. */
  result(): { readonly records: number; readonly difference: string | null }
  close(): Promise<void>
}
