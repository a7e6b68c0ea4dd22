/** Snapshots of what is derived from the log by others: a folder for each name. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { SnapshotFiles } from '../log/snapshotFiles.ts'
import type { SnapshotShelf } from '../store.ts'
import { NodeDisk } from './nodeDisk.ts'

const FOLDER = 'projections'

/** The shelf of a name. */
export async function shelfIn(directory: string, name: string): Promise<SnapshotShelf> {
  return new SnapshotFiles(await NodeDisk.inBulk(path.join(directory, FOLDER, name)))
}

/** The same for reading alone. */
export function shelfToRead(directory: string, name: string): SnapshotShelf {
  return new SnapshotFiles(NodeDisk.reading(path.join(directory, FOLDER, name)))
}

/** Removes what was taken after a commit: other commits will have these sequences. */
export async function forgetShelvesAfter(directory: string, head: number): Promise<void> {
  const folder = path.join(directory, FOLDER)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  for (const name of names)
    await new SnapshotFiles(NodeDisk.reading(path.join(folder, name))).forgetAfter(head)
}
