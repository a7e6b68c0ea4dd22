/**
 * Where commits are kept. The contract every store implements, in memory or durable; a store knows no trading. It asks
 * for no more than a table, a fence row and a compare-and-set on the head can give, so that a database server fits it
 * as well as a directory does. `storeFeatures` of `margin-core/testing` is this contract as tests.
 */
import type { Commit } from '../events/commit.ts'
import type { RecordStore } from './recordStore.ts'
import type { RowStore } from './rowStore.ts'
import type { LoopClocks } from './turns.ts'

/** What a writer gets when it opens a store. */
export interface StoreSession {
  /** Sequence of the last commit in the store; 0 when it is empty. */
  readonly head: number
  /** Fencing token, a count of openings: an append under an older epoch than the newest opened is refused. */
  readonly epoch: number
  /** What opening had to repair; null mostly. */
  readonly repaired: string | null
  /**
   * Why nothing can be appended and what to do about it, a sentence; null mostly. Everything can be read then, and every
   * append fails. It may come to light only when {@link Store.records} are asked for.
   */
  readonly unwritable: string | null
}

/** Where commits are kept. `storeFeatures` of `margin-core/testing` is this contract as tests. */
export interface Store extends SnapshotShelf {
  /**
   * Becomes the one writer: every earlier session is fenced off, and what an interrupted append left does not count.
   *
   * @throws StoreDamaged when commits are missing or damaged that had been durable.
   */
  open(): Promise<StoreSession>
  /**
   * Appends a batch atomically, for the session with this `epoch` (a count), behind the sequence `expectedHead`: all of it or
   * nothing. Resolves once it is durable. After an append has failed for any
   * other reason than a conflict, what the store holds is unknown until it is opened again.
   *
   * @throws StoreConflict when the head is not `expectedHead` or a newer session has been opened; RangeError for a commit with a
   * field that has no stored form, as {@link encodeCommit} says.
   */
  append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void>
  /**
   * How many appends may be under way at once, each with the head that the one before it leaves as its `expectedHead`; default 1.
   * They are carried out in the order in which they were begun, and none behind one that was not. One at a time is under way
   * where the engine mostly waits for them, which {@link clocks} say.
   */
  readonly appendsAtOnce?: number
  /**
   * Of the event loop: where the engine mostly waits for its appends, whoever was answered may come again before the next is
   * begun. Default: they are not waited for.
   */
  readonly clocks?: LoopClocks
  /**
   * Commits from sequence `from` on in runs of at least one, oldest first, up to the head at the time of the call.
   *
   * @throws StoreDamaged at the first commit that cannot be read, after every one before it; CommitsArchived when they
   * begin later, because what is before was moved away.
   */
  read(from: number): AsyncIterable<readonly Commit[]>
  /**
   * Where snapshots of something else that is derived from the log are kept, under a name of lower-case letters, digits
   * and hyphens. What was saved ahead of a log that was then cut off is gone. Default: nothing else is kept.
   */
  readonly shelf?: (name: string) => Promise<SnapshotShelf>
  /**
   * The records that are derived from the log and kept beside it; those of another `form`, which is any number of four bytes, are removed. Null where
   * there are some that cannot be used now. Asked for once, after {@link open}. Default: none are kept here.
   */
  records?(form: number): Promise<RecordStore | null>
  /**
   * The tables in which history is kept for others to query, for the session of an epoch: every earlier one is fenced off
   * from them. Asked for once, after {@link open}. Default: none are kept here.
   *
   * @throws StoreConflict when a newer session has been opened.
   */
  rows?(epoch: number): Promise<RowStore>
  /**
   * Where appending costs more than the commits: calls back once commits that nobody waits for have gathered for a while;
   * gives the way to call that off. A store without it is given every commit at once.
   */
  readonly gather?: (write: () => void) => () => void
  close(): Promise<void>
}

/** Where snapshots are kept: a disposable cache, losing one loses nothing. */
export interface SnapshotShelf {
  /** Keeps a snapshot taken at `seq`. Its pieces are asked for one by one, and whoever waits gets a turn between them. */
  saveSnapshot(snapshot: SnapshotInPieces): Promise<void>
  /** Snapshots, newest first; damaged ones are left out or given with bytes that do not pass their check. */
  snapshots(): AsyncIterable<Snapshot>
}

/** A saved state: only as good as its schema, and only for a log that has reached `seq`. */
export interface Snapshot {
  /** Sequence of the commit it was taken after. */
  readonly seq: number
  readonly schema: string
  readonly bytes: Uint8Array
}

/** A snapshot to be saved: each piece is made as it is asked for. */
export interface SnapshotInPieces extends Omit<Snapshot, 'bytes'> {
  readonly pieces: Iterable<Uint8Array>
}

/** Pieces one after another. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** Somebody else wrote, or is the writer now (K13). */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict'
}

/** The log is another node's to write just now: nothing is wrong with it. */
export class OwnedElsewhere extends StoreConflict {}

/** Commits that had been durable cannot be read (K7). Nothing is repaired: a backup is needed. */
export class StoreDamaged extends Error {
  override readonly name = 'StoreDamaged'
  /** Sequence of the first commit that cannot be read. */
  readonly seq: number

  constructor(seq: number, reason: string) {
    super(`commit ${seq} cannot be read: ${reason}`)
    this.seq = seq
  }
}

/** Commits were moved to an archive that was not named (K14). Nothing is lost. */
export class CommitsArchived extends Error {
  override readonly name = 'CommitsArchived'
  /** Sequence of the first commit that can be read without the archive. */
  readonly first: number

  /** `need`: what they are needed for, where that is not what was asked. */
  constructor(first: number, need = '') {
    super(
      `commits 1 to ${first - 1} were archived, the first one here is ${first}${need}: --archive DIR names the archive`,
    )
    this.first = first
  }
}
