/**
 * Makes a directory, and those above it, where there is none. Node's own recursive `mkdir` says ENOENT where a disk is
 * full or read-only.
 */
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'

/** What a venue knows is nobody else's. */
const OWNER_ONLY = 0o700

export async function makeDirectory(directory: string): Promise<void> {
  const error = await made(directory)
  if (error === null) return
  const parent = path.dirname(directory)
  if (error.code !== 'ENOENT' || parent === directory) throw error
  await makeDirectory(parent)
  const again = await made(directory)
  if (again !== null) throw again
}

/** Null when it is there now. */
function made(directory: string): Promise<NodeJS.ErrnoException | null> {
  return mkdir(directory, OWNER_ONLY).then(
    () => null,
    async (error: NodeJS.ErrnoException) => ((await isDirectory(directory)) ? null : error),
  )
}

function isDirectory(directory: string): Promise<boolean> {
  return stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
