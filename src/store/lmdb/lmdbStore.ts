/**
 * The durable store: a directory with the log, the history lists and snapshots. The log is a file of checksummed groups
 * rather than a table in LMDB, because LMDB has no checksums: a flipped bit in a page of its tree is served as data or
 * ends the process, where a log has to name the commit that is lost (docs/durability.md has the measurement). What is
 * derived from the log, and can be built again, is in LMDB.
 */
import path from 'node:path'
import type { Commit } from '../../events/commit.ts'
import { CommitLog } from '../log/commitLog.ts'
import type { Disk } from '../log/disk.ts'
import { SnapshotFiles } from '../log/snapshotFiles.ts'
import { checkAppend } from '../memoryStore.ts'
import { type Snapshot, type Store, StoreConflict, type StoreSession } from '../store.ts'
import { DirectoryLock } from './directoryLock.ts'
import { HistoryIndex } from './historyIndex.ts'
import { LmdbHistory } from './lmdbHistory.ts'
import { NodeDisk } from './nodeDisk.ts'

export interface LmdbStoreOptions {
  /** Reads only: takes no lock, repairs nothing, and sees the log as it is now. Default false. */
  readonly readOnly?: boolean
  /** Size at which a new log file begins, bytes; default 64 MiB. */
  readonly segmentBytes?: number
  /** What the log is written through; default the file system. For tests that make it fail. */
  readonly disk?: (directory: string) => Promise<Disk>
}

/**
 * Opens or creates the store in a directory. Unless `readOnly`, the directory is this process's alone until the store is
 * closed.
 *
 * @throws DirectoryInUse naming the process that holds it; StoreDamaged naming the first commit that was durable and
 * cannot be read.
 */
export async function openLmdbStore(directory: string, options: LmdbStoreOptions = {}): Promise<Store> {
  const { readOnly = false, disk = NodeDisk.at } = options
  const snapshots = new SnapshotFiles(await disk(path.join(directory, 'snapshots')))
  const logDisk = await disk(path.join(directory, 'log'))
  if (readOnly) return new LmdbStore({ log: await CommitLog.openForReading(logDisk), snapshots })
  const lock = await DirectoryLock.acquire(directory)
  let index: HistoryIndex | undefined
  try {
    index = await HistoryIndex.open(path.join(directory, 'history'))
    const segmentBytes = options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }
    // The history is written only of what was durable: what it knows must be in the log.
    const log = await CommitLog.open(logDisk, { ...segmentBytes, durable: index.cursor })
    return new LmdbStore({ log, snapshots, writing: { lock, index } })
  } catch (error) {
    await index?.close()
    await lock.release()
    throw error
  }
}

class LmdbStore implements Store {
  readonly history: LmdbHistory | null
  readonly #log: CommitLog
  readonly #snapshots: SnapshotFiles
  readonly #lock: DirectoryLock | null
  readonly #index: HistoryIndex | null
  #epoch: number
  #appending = false
  #closed = false
  #historyFailure: { readonly error: unknown } | null = null

  constructor(parts: {
    readonly log: CommitLog
    readonly snapshots: SnapshotFiles
    readonly writing?: { readonly lock: DirectoryLock; readonly index: HistoryIndex }
  }) {
    this.#log = parts.log
    this.#snapshots = parts.snapshots
    this.#lock = parts.writing?.lock ?? null
    this.#index = parts.writing?.index ?? null
    this.#epoch = parts.writing?.index.epoch ?? 0
    this.history =
      this.#index &&
      new LmdbHistory(this.#index, (error) => {
        this.#historyFailure ??= { error }
      })
  }

  async open(): Promise<StoreSession> {
    if (this.#lock === null) throw new StoreConflict('the store was opened for reading only')
    this.#epoch += 1
    return { head: this.#log.head, epoch: this.#epoch, repaired: this.#log.repaired }
  }

  async append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void> {
    if (this.#closed) throw new StoreConflict('the store is closed')
    if (this.#appending) throw new StoreConflict('an append is under way')
    checkAppend(commits, expectedHead, epoch, { head: this.#log.head, epoch: this.#epoch })
    this.#appending = true
    try {
      await this.history?.room()
      if (this.#historyFailure !== null) throw this.#historyFailure.error
      await this.#log.append(commits)
    } finally {
      this.#appending = false
    }
  }

  read(from: number): AsyncIterable<readonly Commit[]> {
    return this.#log.read(from)
  }

  saveSnapshot(snapshot: Snapshot): Promise<void> {
    return this.#snapshots.save(snapshot)
  }

  snapshots(): AsyncIterable<Snapshot> {
    return this.#snapshots.all()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    try {
      if (this.#historyFailure === null) await this.history?.flushed()
    } finally {
      await this.#log.close()
      await this.#index?.close()
      await this.#lock?.release()
    }
  }
}
