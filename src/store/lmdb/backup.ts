/** A copy of a log that is a log: whole commits up to one, taken beside whoever writes it (K14). */
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ARCHIVED_NOTE } from '../log/archivedNote.ts'
import { hex, sameBytes } from '../log/bytes.ts'
import { CommitLog } from '../log/commitLog.ts'
import { SEGMENT_HEADER, segmentName } from '../log/segmentHeader.ts'
import { StoreDamaged } from '../store.ts'
import { MARK } from './directoryMark.ts'
import { makeDirectory } from './makeDirectory.ts'
import { NodeDisk } from './nodeDisk.ts'
import { openLogToRead } from './readOnlyLog.ts'

export interface Backup {
  /** The first commit in it: those before it were archived. */
  readonly first: number
  /** The last commit in it. */
  readonly head: number
  /** The chain after that commit, as `verify` prints it. */
  readonly chain: string
  /** Files that were there already, and files that were copied. */
  readonly kept: number
  readonly copied: number
}

/**
 * Copies the log of a directory into another (K14), which may hold an earlier backup of it, and tells how many `files` there are and how
 * many are `done`. Interrupted, it is begun again: a
 * file has its name once it is whole, and the backup is read from end to end before this resolves.
 *
 * ```ts
 * await (await openEngine({ store: await openLmdbStore(directory), at })).close()
 * const backup = await backupLog(directory, copy)
 * backup.head // → 1
 * ```
 *
 * @throws StoreDamaged when the log or the backup cannot be read, and CommitsArchived where the log begins later than the backup
 * needs it; RangeError when the other directory holds another log, or is the data directory of a venue;
 * NoRegularFile for a pipe, a socket or a device in the place of a log or archive.
 */
export async function backupLog(
  directory: string,
  to: string,
  onProgress: (done: number, files: number) => void = () => {},
): Promise<Backup> {
  const { log } = await openLogToRead(directory)
  await mustBeNoVenue(to)
  const { first, head, end } = log
  const files = log.segments.map(segmentName)
  const [from, into] = [path.join(directory, 'log'), path.join(to, 'log')]
  await makeDirectory(into)
  let kept = 0
  for (const [index, name] of files.entries()) {
    onProgress(index, files.length)
    const [source, target] = [path.join(from, name), path.join(into, name)]
    const length = index === files.length - 1 ? end : (await stat(source)).size
    if (await isThere(source, target, length)) kept += 1
    else await copy(source, target, length, to)
  }
  if (first > 1 && (await stat(path.join(into, segmentName(1))).catch(() => null)) === null)
    await copyNote(from, into, to)
  await (await NodeDisk.at(into)).flush()
  const chain = await checked(into, head)
  const expected = hex(await chainAt(log, head))
  if (chain !== expected) throw new StoreDamaged(head, `the backup has chain ${chain}, not ${expected}`)
  return { first, head, chain, kept, copied: files.length - kept }
}

/** @throws RangeError when the target begins otherwise than the source. */
async function isThere(source: string, target: string, length: number): Promise<boolean> {
  const found = await stat(target).catch(() => null)
  if (found === null) return false
  const [ours, theirs] = await Promise.all([beginning(source), beginning(target)])
  if (!sameBytes(ours, theirs)) throw new RangeError(`${target} is of another log`)
  return found.size === length
}

async function beginning(name: string): Promise<Uint8Array> {
  const file = await open(name, 'r')
  try {
    const bytes = new Uint8Array(SEGMENT_HEADER)
    const { bytesRead } = await file.read(bytes, 0, SEGMENT_HEADER, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** What a venue has written may be acknowledged, and is in no other log. @throws RangeError where one has been at work. */
async function mustBeNoVenue(directory: string): Promise<void> {
  if ((await stat(path.join(directory, MARK)).catch(() => null)) === null) return
  throw new RangeError(`${directory} is the data directory of a venue, and no backup any more: name another`)
}

/** A venue may have been begun in the backup meanwhile. */
async function copy(source: string, target: string, length: number, backup: string): Promise<void> {
  const part = `${target}.part`
  await pipeline(createReadStream(source, { end: length - 1 }), createWriteStream(part, { mode: 0o600 }))
  const file = await open(part, 'r+')
  await file.sync().finally(() => file.close())
  await mustBeNoVenue(backup)
  await rename(part, target)
}

/** An earlier backup may have what was archived since, and needs no note then. */
async function copyNote(from: string, into: string, backup: string): Promise<void> {
  const { size } = await stat(path.join(from, ARCHIVED_NOTE))
  await copy(path.join(from, ARCHIVED_NOTE), path.join(into, ARCHIVED_NOTE), size, backup)
}

async function checked(directory: string, head: number): Promise<string> {
  const log = await CommitLog.openForReading(NodeDisk.reading(directory), head)
  return hex(await chainAt(log, head))
}

async function chainAt(log: CommitLog, head: number): Promise<Uint8Array> {
  let found: Uint8Array | null = null
  for await (const _ of log.read(log.first, (seq, chain) => {
    if (seq === head) found = chain
  }));
  return found ?? new Uint8Array()
}
