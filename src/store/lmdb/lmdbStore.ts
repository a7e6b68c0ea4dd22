/**
 * The durable store: a directory with the log, records and snapshots. The log is a file of checksummed groups
 * rather than a table in LMDB, because LMDB has no checksums: a flipped bit in a page of its tree is served as data or
 * ends the process, where a log has to name the commit that is lost (docs/durability.md has the measurement). What is
 * derived from the log, and can be built again, is in LMDB.
 */
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CommitLog } from '../log/commitLog.ts'
import { LogStore } from '../log/logStore.ts'
import { SnapshotFiles } from '../log/snapshotFiles.ts'
import { LOOP_CLOCKS } from '../node/loopClocks.ts'
import { type Store, StoreDamaged } from '../store.ts'
import { type About, newestIn } from './about.ts'
import { aboutRecordsIn } from './aboutRecords.ts'
import { withArchive } from './archivedFiles.ts'
import { DirectoryLock, holdHere } from './directoryLock.ts'
import { type Claim, DirectoryMark } from './directoryMark.ts'
import { lockWhereLogLies } from './logLock.ts'
import { makeDirectory } from './makeDirectory.ts'
import { Marking } from './marking.ts'
import { NodeDisk } from './nodeDisk.ts'
import { openLogToRead } from './readOnlyLog.ts'
import { removeRecords } from './recordCheck.ts'
import { RecordView } from './recordView.ts'
import { openRecords } from './servedRecords.ts'
import { forgetShelvesAfter, shelfIn, shelfToRead } from './shelves.ts'
import { whyUnwritable } from './unwritable.ts'
import { whyForeign } from './whose.ts'

/** How {@link openLmdbStore} opens a directory. */
export interface LmdbStoreOptions {
  /** Reads only: takes no lock, repairs nothing, and sees the log as it is now. Default false. */
  readonly readOnly?: boolean
  /** Size at which a new log file begins, bytes; default 64 MiB. */
  readonly segmentBytes?: number
  /** Records of up to this size are checked before they are served, more of them meanwhile; default 64 MiB. */
  readonly checkFirstBytes?: number
  /** Where commits of this log were moved to: they are read as if they had stayed. Default: they are not there. */
  readonly archive?: string
}

/**
 * Opens or creates the store in a directory. Unless `readOnly`, the directory is this process's alone until the store is
 * closed. Where nothing can be written, on a full disk or in a directory that is for reading alone, the store reads,
 * takes no lock, says why in `unwritable` of its session, and refuses every append.
 *
 * ```ts
 * const venue = await openEngine({ store: await openLmdbStore(directory), at })
 * await venue.send({ type: 'advanceTime' }, { at: at + 60_000 }) // is on disk now
 * await venue.close()
 * ```
 *
 * @throws DirectoryInUse naming the process that holds it; StoreDamaged naming the first commit that was durable and
 * cannot be read; RangeError when the archive does not hold what was moved;
 * NoRegularFile for a pipe, a socket or a device in the place of a log or archive.
 */
export async function openLmdbStore(directory: string, options: LmdbStoreOptions = {}): Promise<Store> {
  const { archive } = options
  if (options.readOnly === true) return openToRead(directory, archive)
  const opened: (() => Promise<void>)[] = []
  try {
    await makeDirectory(directory)
    const lock = await DirectoryLock.acquire(directory)
    opened.push(() => lock.release())
    const claim = await DirectoryMark.read(directory)
    const snapshots = new SnapshotFiles(await NodeDisk.inBulk(path.join(directory, 'snapshots')))
    const files = await NodeDisk.at(path.join(directory, 'log'))
    const elsewhere = await lockWhereLogLies(directory)
    if (elsewhere !== null) opened.push(() => elsewhere.release())
    await tryRoom(directory)
    const disk = archive === undefined ? files : await withArchive(files, NodeDisk.reading(archive))
    const recordsDirectory = path.join(directory, RECORDS)
    await makeDirectory(recordsDirectory)
    // A file of LMDB that was copied while it was written is none.
    if (claim.copied) await removeRecords(recordsDirectory)
    const about = aboutRecordsIn(recordsDirectory)
    // All of these are written only of what was durable: what they know must be in the log (K7).
    const durable = claim.copied ? 0 : Math.max(claim.head, ownNewest(about, claim), await snapshots.newest())
    const segmentBytes = options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }
    const log = await CommitLog.open(disk, { ...segmentBytes, durable, ahead: AHEAD, guard: lock })
    if (claim.copied) await snapshots.forgetAfter(log.head)
    await forgetShelvesAfter(directory, log.head)
    const mark = await DirectoryMark.open(directory, claim)
    opened.push(() => mark.close())
    await mark.write(log.head)
    const marking = new Marking(log, mark)
    const whose = { said: claim.venue, venue: mark.venue }
    let records: { close(): unknown } | null = null
    let unwritable: Unwritable | null = null
    return new LogStore(log, snapshots, {
      epoch: mark.openings * SESSIONS,
      unwritable: () => unwritable,
      appended: () => marking.appended(),
      clocks: LOOP_CLOCKS,
      gather,
      shelf: (name) => shelfIn(directory, name, whose),
      async records(form) {
        try {
          const checkFirstBytes = options.checkFirstBytes ?? CHECK_FIRST_BYTES
          const opened = await openRecords(recordsDirectory, form, checkFirstBytes, whose)
          records = opened
          return opened
        } catch (error) {
          const reason = whyUnwritable(directory, error)
          if (reason === null) throw error
          unwritable = { reason, error }
          const view = await RecordView.open(recordsDirectory, form)
          records = view
          return view
        }
      },
      async release() {
        await marking
          .close()
          .finally(() => records?.close())
          .finally(() => elsewhere?.release())
          .finally(() => lock.release())
      },
    })
  } catch (error) {
    for (const close of opened.reverse()) await close().catch(() => {})
    const reason = whyUnwritable(directory, error)
    if (reason === null) throw error
    return openUnwritable(directory, archive, { reason, error })
  }
}

/** Why nothing can be written, in a sentence, and the error that said so. */
interface Unwritable {
  readonly reason: string
  readonly error: unknown
}

/** What is there can be read, and every append fails. */
async function openUnwritable(
  directory: string,
  archive: string | undefined,
  unwritable: Unwritable,
): Promise<Store> {
  const recordsDirectory = path.join(directory, RECORDS)
  const claim = await DirectoryMark.read(directory)
  const letGo = existsSync(directory) ? holdHere(directory) : () => {}
  // Asked before the log is opened, which is ahead of them always. In a copy they may have been copied later than the log.
  const about = claim.copied ? null : aboutRecordsIn(recordsDirectory)
  const isOwn = !claim.copied && whyForeign(about, { said: claim.venue }) === null
  let view: RecordView | null = null
  const close = async () => {
    view?.close()
    letGo()
  }
  try {
    const { log, snapshots } = await openLogToRead(directory, archive)
    const known = ownNewest(about, claim)
    if (known > log.head) throw new StoreDamaged(log.head + 1, `the history lists know of commit ${known}`)
    return new LogStore(log, snapshots, {
      epoch: 0,
      unwritable: () => unwritable,
      shelf: async (name) => shelfToRead(directory, name, { said: claim.venue, venue: claim.venue }),
      async records(form) {
        if (isOwn) view = await RecordView.open(recordsDirectory, form)
        return view
      },
      release: close,
    })
  } catch (fault) {
    await close()
    throw fault
  }
}

/** The last commit that the history lists of this venue know of; what those of another know is nothing to its log. */
function ownNewest(about: About | null, { venue }: Claim): number {
  return about === null || whyForeign(about, { said: venue }) !== null ? 0 : newestIn(about)
}

/**
 * Whether a first append would find room. What starts without it would stop with its first commit, and read no more.
 *
 * @throws what writing throws.
 */
async function tryRoom(directory: string): Promise<void> {
  const name = path.join(directory, 'lock', 'room')
  try {
    await writeFile(name, new Uint8Array(FIRST_APPEND), { mode: 0o600 })
  } finally {
    await rm(name, { force: true })
  }
}

async function openToRead(directory: string, archive: string | undefined): Promise<Store> {
  const { log, snapshots } = await openLogToRead(directory, archive)
  return new LogStore(log, snapshots, null)
}

/** A few dozen groups: writing the zeros should cost little beside what they save. */
const AHEAD = 1 << 18
/** With what belongs to it: pages of the records and of a snapshot. */
const FIRST_APPEND = AHEAD + (1 << 16)

/** Checking takes some seconds a GiB: less than half a second before the store is open. */
const CHECK_FIRST_BYTES = 64 * 2 ** 20

/** How long ticks gather that nobody waits for, ms (K14): so much of them may be lost with the power. */
const GATHERING_MS = 50

/** Sessions of one opening that have an epoch of their own. */
const SESSIONS = 1 << 20

/** The folder of the records, by what has always been in them. */
const RECORDS = 'history'

function gather(write: () => void): () => void {
  const timer = setTimeout(write, GATHERING_MS)
  return () => clearTimeout(timer)
}
