/**
 * The data that LMDB wants beside a lock: of an environment in which nothing ever is. LMDB follows whatever stands in them, so
 * that one flipped bit ended the process or said that somebody else was here. They are the same for ever; so they are known
 * byte by byte (the form is that of `pageFile.ts`), and whatever else is found in their place is replaced before LMDB sees it.
 */
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { noFile } from './lockFile.ts'

/** What LMDB may map of it, bytes. */
export const MAP_BYTES = 1 << 20

const PAGE = 4_096
const OWNER_ONLY = 0o600

/**
 * Puts the data there, unless they are there. Whoever holds the lock meanwhile has a file of his own open still, and the lock
 * is not in it.
 */
export async function makeLockData(directory: string): Promise<void> {
  const name = path.join(directory, 'data.mdb')
  const empty = emptyEnvironment()
  const found = await stat(name).catch(() => null)
  if (found?.isFile() === false) throw noFile(name)
  if (found !== null && (found.mode & 0o777) === OWNER_ONLY && (await holds(name, found.size, empty))) return
  const mine = `${name}.${process.pid}`
  try {
    await writeFile(mine, empty, { mode: OWNER_ONLY })
    await rename(mine, name)
  } finally {
    await rm(mine, { force: true })
  }
}

async function holds(name: string, bytes: number, expected: Buffer): Promise<boolean> {
  return bytes === expected.length && expected.equals(await readFile(name))
}

/** Two meta pages, of which each says that there is nothing else. */
function emptyEnvironment(): Buffer {
  return Buffer.concat([metaPage(0), metaPage(1)])
}

function metaPage(number: number): Buffer {
  const page = Buffer.alloc(PAGE)
  page.writeUInt32LE(number, 0)
  page.writeUInt16LE(8, 18)
  page.writeUInt32LE(0xbeefc0de, 24)
  page.writeUInt32LE(2, 28)
  page.writeUInt32LE(MAP_BYTES, 40)
  // The tree of free pages, which says how long a page is, and the main one: neither has a root.
  page.writeUInt32LE(PAGE, 48)
  page.writeUInt16LE(8, 52)
  page.fill(0xff, 88, 96)
  page.fill(0xff, 136, 144)
  // The last page there is.
  page.writeUInt32LE(1, 144)
  return page
}
