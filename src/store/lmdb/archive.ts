/**
 * Moves whole files out of a log (K14): each is compressed, flushed and read back before anything else; then a note says
 * what is missing and how the chain goes on; only then the files are removed. Interrupted at any of these steps the log
 * is whole, and the next time goes on from there.
 */
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Commit } from '../../events/commit.ts'
import { noteArchived } from '../log/archivedNote.ts'
import { hex, sameBytes } from '../log/bytes.ts'
import type { CommitLog } from '../log/commitLog.ts'
import type { Disk } from '../log/disk.ts'
import { segmentName } from '../log/segmentHeader.ts'
import { writeWhole } from '../log/wholeFile.ts'
import { StoreDamaged } from '../store.ts'
import { archivedName, bytesOf, unpack } from './archivedFiles.ts'
import { DirectoryLock } from './directoryLock.ts'
import { lockWhereLogLies } from './logLock.ts'
import { makeDirectory } from './makeDirectory.ts'
import { NodeDisk } from './nodeDisk.ts'
import { openLogToRead } from './readOnlyLog.ts'

/** What {@link archiveLog} has done. */
export interface Archived {
  /** The commits 1 to this one are in the archive now; 0 where nothing could be moved. */
  readonly head: number
  /** The chain after that commit, as `verify` prints it; empty where nothing could be moved. */
  readonly chain: string
  /** Files that were moved. */
  readonly files: number
  /** What they took in the log, bytes. */
  readonly bytes: number
  /** What they take in the archive, bytes. */
  readonly compressed: number
}

/** Which files {@link archiveLog} moves, and who is told. */
export interface ArchiveOptions {
  /** Reads the log from its first commit, and gives the one up to which files may go. */
  readonly upTo: (log: AsyncIterable<readonly Commit[]>) => Promise<number>
  /** Is told before every step, and after the last. */
  readonly onProgress?: (done: number, steps: number) => void
}

/**
 * Moves the files of a log that hold nothing behind `upTo` (K14). The last file stays always.
 *
 * ```ts
 * await (await openEngine({ store: await openLmdbStore(directory), at })).close()
 * const archived = await archiveLog(directory, copy, { upTo: async () => 1 })
 * archived.files // → 0
 * ```
 *
 * @throws DirectoryInUse while a venue is at work there, and WriterLost once one is that took the lock away; StoreDamaged when log or archive cannot be read, and
 * CommitsArchived without the archive of what was moved before; RangeError when the archive is of another log, or not the one
 * that earlier commits were moved to;
 * NoRegularFile for a pipe, a socket or a device in the place of a log or archive.
 */
export async function archiveLog(
  directory: string,
  archive: string,
  options: ArchiveOptions,
): Promise<Archived> {
  const lock = await DirectoryLock.acquire(directory)
  let elsewhere: DirectoryLock | null = null
  try {
    const { log } = await openLogToRead(directory, archive)
    elsewhere = await lockWhereLogLies(directory)
    const [from, to] = [NodeDisk.reading(path.join(directory, 'log')), NodeDisk.reading(archive)]
    const mayChange = () => {
      lock.after()
      elsewhere?.after()
    }
    const begin = async () => {
      await makeDirectory(archive)
      await NodeDisk.reading(path.dirname(path.resolve(archive))).flush()
    }
    return await moveFiles(log, from, to, { ...options, begin, mayChange })
  } finally {
    await elsewhere?.release()
    await lock.release()
  }
}

interface Moving extends ArchiveOptions {
  /** Makes ready for what is moved. */
  readonly begin?: () => Promise<void>
  /** Is asked before each change of the log. @throws where the directory is somebody else's by now. */
  readonly mayChange?: () => void
}

/** The same of a log that was opened with its archive. */
export async function moveFiles(
  log: CommitLog,
  disk: Disk,
  archive: Disk,
  { upTo, onProgress = () => {}, begin = async () => {}, mayChange = () => {} }: Moving,
): Promise<Archived> {
  const ends = new Map<number, Uint8Array>()
  const firsts = new Set(log.segments)
  const commits = log.read(1, (seq, chain) => {
    if (firsts.has(seq + 1)) ends.set(seq, chain)
  })
  const moves = await movesOf(disk, log, await upTo(commits))
  const last = moves.at(-1)
  if (last === undefined) return { head: 0, chain: '', files: 0, bytes: 0, compressed: 0 }
  mayChange()
  await begin()
  const before = { head: last.head, chain: chainAt(ends, last.head) }
  return move(disk, archive, moves, before, { onProgress, mayChange })
}

/** A file that may go, and the last commit in it. */
interface Move {
  readonly name: string
  readonly head: number
}

/** Those that are in the directory still. */
async function movesOf(disk: Disk, log: CommitLog, upTo: number): Promise<Move[]> {
  const here = new Set(await disk.list())
  return log.segments
    .slice(0, -1)
    .map((firstSeq, index) => ({
      name: segmentName(firstSeq),
      head: (log.segments[index + 1] as number) - 1,
    }))
    .filter(({ name, head }) => head <= upTo && here.has(name))
}

function chainAt(ends: ReadonlyMap<number, Uint8Array>, head: number): Uint8Array {
  const chain = ends.get(head)
  if (chain === undefined) throw new StoreDamaged(head, 'no append ended there')
  return chain
}

async function move(
  disk: Disk,
  archive: Disk,
  moves: readonly Move[],
  before: { readonly head: number; readonly chain: Uint8Array },
  { onProgress, mayChange }: Required<Pick<Moving, 'onProgress' | 'mayChange'>>,
): Promise<Archived> {
  const steps = 2 * moves.length + 1
  let done = 0
  let bytes = 0
  let compressed = 0
  for (const { name } of moves) {
    onProgress(done++, steps)
    const copied = await copy(disk, archive, name)
    bytes += copied.bytes
    compressed += copied.compressed
  }
  onProgress(done++, steps)
  await archive.flush()
  mayChange()
  await noteArchived(disk, before)
  for (const { name } of moves) {
    onProgress(done++, steps)
    mayChange()
    await disk.remove(name)
  }
  await disk.flush()
  onProgress(done, steps)
  return { head: before.head, chain: hex(before.chain), files: moves.length, bytes, compressed }
}

const packed = promisify(gzip)

/** Compresses a file into the archive, unless it is there, and reads it back. @returns both lengths */
async function copy(
  disk: Disk,
  archive: Disk,
  name: string,
): Promise<{ readonly bytes: number; readonly compressed: number }> {
  const bytes = await bytesOf(disk, name)
  const target = archivedName(name)
  if (!(await archive.list()).includes(target))
    await writeWhole(archive, target, `${target}.part`, await packed(bytes))
  if (!sameBytes(await unpack(archive, name), bytes))
    throw new RangeError(`${target} is of another log, or of an earlier state of this one`)
  const { length: compressed } = await bytesOf(archive, target)
  return { bytes: bytes.length, compressed }
}
