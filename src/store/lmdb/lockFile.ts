/**
 * The lock file that LMDB keeps beside its data. LMDB maps it into memory at its full length before there is anything in
 * it, so that on a full disk the first store into it ends the process with SIGBUS. Made beforehand it has its room.
 */
import { access, constants, link, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** What 126 readers and the header take, bytes: LMDB makes one of this length. */
const BYTES = 8_272

/**
 * Makes the file where there is none. It comes under its name whole: another process may be about to use it.
 *
 * @throws Error for what is no file: LMDB does not survive it.
 */
export async function makeLockFile(directory: string): Promise<void> {
  const name = path.join(directory, 'lock.mdb')
  const found = await stat(name).catch(() => null)
  if (found?.isFile() === false) throw noFile(name)
  if (found !== null && found.size >= BYTES && found.blocks > 0) return
  const mine = `${name}.${process.pid}`
  try {
    await writeFile(mine, new Uint8Array(BYTES), { mode: 0o600 })
    // Where that is refused there is one already, or there are no links and LMDB makes its own.
    await link(mine, name).catch(() => {})
  } finally {
    await rm(mine, { force: true })
  }
}

/** What somebody put in the place of a file of LMDB has to be taken away by somebody. */
export function noFile(name: string): Error {
  return new Error(`in the place of ${name} is a folder, a pipe or a device: remove it and start again`)
}

/** The same before data are only read: where it may not write, LMDB does without. */
export async function makeLockFileToRead(directory: string): Promise<void> {
  const forbidden = await access(directory, constants.W_OK).then(
    () => false,
    () => true,
  )
  if (!forbidden) await makeLockFile(directory)
}
