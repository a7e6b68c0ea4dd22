/**
 * The durable store: a directory with the log, the history lists and snapshots. The log is a file of checksummed groups
 * rather than a table in LMDB, because LMDB has no checksums: a flipped bit in a page of its tree is served as data or
 * ends the process, where a log has to name the commit that is lost (docs/durability.md has the measurement). What is
 * derived from the log, and can be built again, is in LMDB.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { CommitLog } from '../log/commitLog.ts'
import { LogStore, type Writing } from '../log/logStore.ts'
import { SnapshotFiles } from '../log/snapshotFiles.ts'
import type { Store } from '../store.ts'
import { DirectoryLock } from './directoryLock.ts'
import { HistoryIndex } from './historyIndex.ts'
import { LmdbHistory } from './lmdbHistory.ts'
import { Marking } from './marking.ts'
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
  if (options.readOnly === true) return openToRead(directory)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const lock = await DirectoryLock.acquire(directory)
  let index: HistoryIndex | undefined
  try {
    const snapshots = new SnapshotFiles(await NodeDisk.at(path.join(directory, 'snapshots')))
    const disk = await NodeDisk.at(path.join(directory, 'log'))
    const historyDirectory = path.join(directory, 'history')
    await mkdir(historyDirectory, { recursive: true, mode: 0o700 })
    index = await HistoryIndex.open(historyDirectory)
    // Both are written only of what was durable: what they know must be in the log (K7).
    const durable = Math.max(index.cursor, await snapshots.newest())
    const segmentBytes = options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }
    const guard = () => lock.check()
    const log = await CommitLog.open(disk, { ...segmentBytes, durable, ahead: AHEAD, guard })
    return new LogStore(log, snapshots, writingOf(index, lock, new Marking(log)))
  } catch (error) {
    await index?.close()
    await lock.release()
    throw error
  }
}

async function openToRead(directory: string): Promise<Store> {
  const snapshots = new SnapshotFiles(NodeDisk.reading(path.join(directory, 'snapshots')))
  // Asked for first: a venue may be at work here.
  const durable = await snapshots.newest()
  const log = await CommitLog.openForReading(NodeDisk.reading(path.join(directory, 'log')), durable)
  return new LogStore(log, snapshots, null)
}

/** A few dozen groups: writing the zeros should cost little beside what they save. */
const AHEAD = 1 << 18

/** Sessions of one opening that have an epoch of their own. */
const SESSIONS = 1 << 20

function writingOf(index: HistoryIndex, lock: DirectoryLock, marking: Marking): Writing {
  let failure: { readonly error: unknown } | null = null
  const history = new LmdbHistory(index, (error) => {
    failure ??= { error }
  })
  return {
    epoch: index.opening * SESSIONS,
    history,
    failure: () => failure,
    appended: () => marking.appended(),
    async release() {
      marking.stop()
      await index.close()
      await lock.release()
    },
  }
}
