/** A store on a commit log and snapshot files. */
import type { Commit } from '../../events/commit.ts'
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
  /** Why nothing can be appended, in a sentence, and the error that said so; null while it can. Default: it can. */
  unwritable?(): { readonly reason: string; readonly error: unknown } | null
  /** Is told of every append that is durable. */
  appended?(): void
  /** As in {@link Store}. */
  readonly clocks?: NonNullable<Store['clocks']>
  /** As in {@link Store}. */
  readonly gather?: NonNullable<Store['gather']>
  /** As in {@link Store}. */
  readonly shelf?: NonNullable<Store['shelf']>
  /** As in {@link Store}. */
  readonly records?: NonNullable<Store['records']>
  /** Lets go of everything beside the log. */
  release(): Promise<void>
}

export class LogStore implements Store {
  readonly clocks?: NonNullable<Store['clocks']>
  readonly gather?: NonNullable<Store['gather']>
  readonly shelf?: NonNullable<Store['shelf']>
  readonly records?: NonNullable<Store['records']>
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
    if (writing === null) return
    if (writing.clocks !== undefined) this.clocks = writing.clocks
    if (writing.gather !== undefined) this.gather = writing.gather
    if (writing.shelf !== undefined) this.shelf = writing.shelf
    if (writing.records !== undefined) this.records = writing.records
  }

  async open(): Promise<StoreSession> {
    if (this.#writing === null) throw new StoreConflict('the store was opened for reading only')
    this.#epoch += 1
    const { head, repaired } = this.#log
    const unwritable = () => this.#writing?.unwritable?.()?.reason ?? null
    return {
      head,
      epoch: this.#epoch,
      repaired,
      get unwritable() {
        return unwritable()
      },
    }
  }

  async append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void> {
    if (this.#closed) throw new StoreConflict('the store is closed')
    if (this.#appending) throw new StoreConflict('an append is under way')
    checkAppend(commits, expectedHead, epoch, { head: this.#log.head, epoch: this.#epoch })
    const unwritable = this.#writing?.unwritable?.() ?? null
    if (unwritable !== null) throw unwritable.error
    this.#appending = true
    try {
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

  snapshots(): AsyncIterable<Snapshot> {
    return this.#snapshots.snapshots()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#log.close().finally(() => this.#writing?.release())
  }
}
