/**
 * Where commits are kept. The contract every store implements, in memory or durable; a store knows no trading.
 */
import type { Commit } from '../events/commit.ts'

/** What a writer gets when it opens a store. */
export interface StoreSession {
  /** Sequence of the last commit in the store; 0 when it is empty. */
  readonly head: number
  /** Fencing token: an append under an older epoch than the newest opened is refused. */
  readonly epoch: number
}

export interface Store {
  /** Becomes the one writer: every earlier session is fenced off. */
  open(): Promise<StoreSession>
  /**
   * Appends a batch atomically: all of it or nothing. Resolves once it is durable.
   *
   * @throws StoreConflict when the head is not `expectedHead` or a newer session has been opened.
   */
  append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void>
  /** Commits from sequence `from` on, oldest first, up to the head at the time of the call. */
  read(from: number): AsyncIterable<Commit>
  /** Keeps a snapshot taken at `seq`. Snapshots are a disposable cache: losing one loses nothing. */
  saveSnapshot(snapshot: Snapshot): Promise<void>
  /** Snapshots, newest first. */
  snapshots(): AsyncIterable<Snapshot>
  close(): Promise<void>
}

/** A saved state: only as good as its schema, and only for a log that has reached `seq`. */
export interface Snapshot {
  readonly seq: number
  readonly schema: string
  readonly bytes: Uint8Array
}

/** Somebody else wrote, or is the writer now. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict'
}
