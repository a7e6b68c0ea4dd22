/** The log and the snapshots of a data directory, read beside whoever writes them: makes nothing, and needs no more. */

import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CommitLog } from '../log/commitLog.ts'
import { SnapshotFiles } from '../log/snapshotFiles.ts'
import { withArchive } from './archivedFiles.ts'
import { DirectoryMark } from './directoryMark.ts'
import { NodeDisk } from './nodeDisk.ts'

export interface ReadOnlyLog {
  readonly log: CommitLog
  readonly snapshots: SnapshotFiles
}

/** Long enough for a venue at work to finish an append, ms. */
const APPEND_MS = 200

/**
 * `archive`: where commits of this log were moved to, if any were; without it they are not there.
 *
 * ```ts
 * await (await openEngine({ store: await openLmdbStore(directory), at })).close()
 * const { log: onDisk } = await openLogToRead(directory)
 * for await (const commits of onDisk.read(1)) console.log(commits.length)
 * ```
 *
 * @throws StoreDamaged when a commit that had been durable is damaged or missing; RangeError when the archive does not
 * hold what was moved;
 * NoRegularFile for a pipe, a socket or a device in the place of a log or archive.
 */
export async function openLogToRead(directory: string, archive?: string): Promise<ReadOnlyLog> {
  const found = await openOnce(directory, archive)
  if (found.log.repaired === null) return found
  // An append that is under way looks like one that was interrupted.
  await wait(APPEND_MS)
  return openOnce(directory, archive)
}

/**
 * The snapshots in a directory.
 *
 * ```ts
 * await (await openEngine({ store: await openLmdbStore(directory), at })).close()
 * for await (const { seq } of snapshotsIn(directory).snapshots()) console.log(seq)
 * ```
 */
export function snapshotsIn(directory: string): SnapshotFiles {
  return new SnapshotFiles(NodeDisk.reading(path.join(directory, 'snapshots')))
}

async function openOnce(directory: string, archive?: string): Promise<ReadOnlyLog> {
  const snapshots = snapshotsIn(directory)
  // Asked for before the log: a venue may be at work here.
  const claim = await DirectoryMark.read(directory)
  const durable = claim.copied ? 0 : Math.max(claim.head, await snapshots.newest())
  const disk = NodeDisk.reading(path.join(directory, 'log'))
  const whole = archive === undefined ? disk : await withArchive(disk, NodeDisk.reading(archive))
  const log = await CommitLog.openForReading(whole, durable)
  return { log, snapshots }
}
