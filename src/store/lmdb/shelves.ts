/** Snapshots of what is derived from the log by others: a folder for each name. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { SnapshotFiles } from '../log/snapshotFiles.ts'
import type { Snapshot, SnapshotInPieces, SnapshotShelf } from '../store.ts'
import { NodeDisk } from './nodeDisk.ts'
import type { Whose } from './whose.ts'

const FOLDER = 'projections'

/** The shelf of a name. */
export async function shelfIn(directory: string, name: string, whose: Whose): Promise<SnapshotShelf> {
  return new OwnShelf(new SnapshotFiles(await NodeDisk.inBulk(path.join(directory, FOLDER, name))), whose)
}

/** The same for reading alone. */
export function shelfToRead(directory: string, name: string, whose: Whose): SnapshotShelf {
  return new OwnShelf(new SnapshotFiles(NodeDisk.reading(path.join(directory, FOLDER, name))), whose)
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

/**
 * What is on it says whose it is, before its schema: what was saved of another venue's log is sound, and says nothing of this one
 * (K8).
 */
class OwnShelf implements SnapshotShelf {
  readonly #files: SnapshotFiles
  readonly #whose: Whose

  constructor(files: SnapshotFiles, whose: Whose) {
    this.#files = files
    this.#whose = whose
  }

  saveSnapshot(snapshot: SnapshotInPieces): Promise<void> {
    return this.#files.saveSnapshot({ ...snapshot, schema: `venue ${this.#whose.venue}: ${snapshot.schema}` })
  }

  /** Another venue's, and what does not say whose it is, has the schema `foreign`. */
  async *snapshots(): AsyncGenerator<Snapshot> {
    for await (const snapshot of this.#files.snapshots())
      yield { ...snapshot, schema: this.#ownSchema(snapshot.schema) }
  }

  #ownSchema(said: string): string {
    const [, venue = 0, schema = said] = /^venue ([0-9]{1,8}): (.*)$/s.exec(said) ?? []
    const own = this.#whose.said
    return said === 'damaged' || own === 0 || Number(venue) === own ? schema : 'foreign'
  }
}
