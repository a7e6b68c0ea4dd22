/** A store on a commit log and snapshot files, with or without history lists of its own. */
import type { Commit } from '../../events/commit.ts'
import type { KeptHistory } from '../../projections/keptHistory.ts'
import { checkAppend } from '../memoryStore.ts'
import {
  type Snapshot,
  type SnapshotInPieces,
  type Store,
  StoreConflict,
  type StoreSession,
} from '../store.ts'
import type { CommitLog } from './commitLog.ts'
import type { SnapshotFiles } from './snapshotFiles.ts'

/** What a store that may write has besides. */
export interface Writing {
  /** The epoch before the first session. */
  readonly epoch: number
  readonly history: KeptHistory | null
  /** Why the history can no longer be written; null while it can. */
  failure(): { readonly error: unknown } | null
  /** Why nothing can be appended, in a sentence; default: it can. */
  readonly unwritable?: string
  /** Is told of every append that is durable. */
  appended?(): void
  /** As in {@link Store}. */
  readonly gather?: NonNullable<Store['gather']>
  /** As in {@link Store}. */
  readonly shelf?: NonNullable<Store['shelf']>
  /** Lets go of everything beside the log. */
  release(): Promise<void>
}

export class LogStore implements Store {
  readonly history: KeptHistory | null
  readonly gather?: NonNullable<Store['gather']>
  readonly shelf?: NonNullable<Store['shelf']>
  readonly #log: CommitLog
  readonly #snapshots: SnapshotFiles
  readonly #writing: Writing | null
  #epoch: number
  #appending = false
  #closed = false

  /** `writing` null: for reading alone. */
  constructor(log: CommitLog, snapshots: SnapshotFiles, writing: Writing | null) {
    this.#log = log
    this.#snapshots = snapshots
    this.#writing = writing
    this.#epoch = writing?.epoch ?? 0
    this.history = writing?.history ?? null
    if (writing?.gather !== undefined) this.gather = writing.gather
    if (writing?.shelf !== undefined) this.shelf = writing.shelf
  }

  async open(): Promise<StoreSession> {
    if (this.#writing === null) throw new StoreConflict('the store was opened for reading only')
    this.#epoch += 1
    const { head, repaired } = this.#log
    return { head, epoch: this.#epoch, repaired, unwritable: this.#writing.unwritable ?? null }
  }

  async append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void> {
    if (this.#closed) throw new StoreConflict('the store is closed')
    if (this.#appending) throw new StoreConflict('an append is under way')
    checkAppend(commits, expectedHead, epoch, { head: this.#log.head, epoch: this.#epoch })
    this.#appending = true
    try {
      await this.history?.room()
      const failure = this.#writing?.failure() ?? null
      if (failure !== null) throw failure.error
      await this.#log.append(commits)
      this.#writing?.appended?.()
    } finally {
      this.#appending = false
    }
  }

  read(from: number): AsyncIterable<readonly Commit[]> {
    return this.#log.read(from)
  }

  saveSnapshot(snapshot: SnapshotInPieces): Promise<void> {
    return this.#snapshots.saveSnapshot(snapshot)
  }

  async *snapshots(): AsyncGenerator<Snapshot> {
    // They go with the lists of this directory: where those cannot be read, they are of no use.
    if (this.#writing?.unwritable === undefined || this.history !== null) yield* this.#snapshots.snapshots()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    try {
      if (this.#writing?.failure() === null) await this.history?.flushed()
    } finally {
      await this.#log.close().finally(() => this.#writing?.release())
    }
  }
}
