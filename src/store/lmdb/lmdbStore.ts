/**
 * The durable store: a directory with the log, the history lists and snapshots. The log is a file of checksummed groups
 * rather than a table in LMDB, because LMDB has no checksums: a flipped bit in a page of its tree is served as data or
 * ends the process, where a log has to name the commit that is lost (docs/durability.md has the measurement). What is
 * derived from the log, and can be built again, is in LMDB.
 */
import path from 'node:path'
import { CommitLog } from '../log/commitLog.ts'
import { LogStore, type Writing } from '../log/logStore.ts'
import { SnapshotFiles } from '../log/snapshotFiles.ts'
import type { Store } from '../store.ts'
import { DirectoryLock } from './directoryLock.ts'
import { HistoryIndex } from './historyIndex.ts'
import { LmdbHistory } from './lmdbHistory.ts'
import { NodeDisk } from './nodeDisk.ts'

export interface LmdbStoreOptions {
  /** Reads only: takes no lock, repairs nothing, and sees the log as it is now. Default false. */
  readonly readOnly?: boolean
  /** Size at which a new log file begins, bytes; default 64 MiB. */
  readonly segmentBytes?: number
}

/**
 * Opens or creates the store in a directory. Unless `readOnly`, the directory is this process's alone until the store is
 * closed.
 *
 * @throws DirectoryInUse naming the process that holds it; StoreDamaged naming the first commit that was durable and
 * cannot be read.
 */
export async function openLmdbStore(directory: string, options: LmdbStoreOptions = {}): Promise<Store> {
  const { readOnly = false } = options
  const snapshots = new SnapshotFiles(await NodeDisk.at(path.join(directory, 'snapshots')))
  const disk = await NodeDisk.at(path.join(directory, 'log'))
  if (readOnly) return new LogStore(await CommitLog.openForReading(disk), snapshots, null)
  const lock = await DirectoryLock.acquire(directory)
  let index: HistoryIndex | undefined
  try {
    index = await HistoryIndex.open(path.join(directory, 'history'))
    // The history is written only of what was durable: what it knows must be in the log.
    const segmentBytes = options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }
    const log = await CommitLog.open(disk, { ...segmentBytes, durable: index.cursor, ahead: AHEAD })
    return new LogStore(log, snapshots, historyOf(index, lock))
  } catch (error) {
    await index?.close()
    await lock.release()
    throw error
  }
}

/** A few dozen groups: writing the zeros should cost little beside what they save. */
const AHEAD = 1 << 18

/** Sessions of one opening that have an epoch of their own. */
const SESSIONS = 1 << 20

function historyOf(index: HistoryIndex, lock: DirectoryLock): Writing {
  let failure: { readonly error: unknown } | null = null
  const history = new LmdbHistory(index, (error) => {
    failure ??= { error }
  })
  return {
    epoch: index.opening * SESSIONS,
    history,
    failure: () => failure,
    async release() {
      await index.close()
      await lock.release()
    },
  }
}
