/**
 * Whether the file of the records can be trusted, found out before LMDB sees it: its pages (`pageWalk.ts`), the seal
 * of every record, and that none is missing or older than the others. That takes reading all of it once.
 */
import { open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from '../../hashes/crc32.ts'
import { ABOUT_KEY, type About, aboutOf } from './about.ts'
import { PageFile, Unsound, unsoundIfUnread } from './pageFile.ts'
import { PageWalk } from './pageWalk.ts'
import { EMPTY_TALLY, SEAL, type Tally, tallied } from './sealedRecord.ts'

/** The file of the records in a directory. */
export function recordFile(directory: string): string {
  return path.join(directory, 'data.mdb')
}

/**
 * What is wrong with the records in a directory, one of which is that they are not of this `form`; null: nothing is, or there
 * are none.
 *
 * @throws the reason of the signal once it is aborted.
 */
export async function faultOf(directory: string, form: number, signal?: AbortSignal): Promise<string | null> {
  const name = recordFile(directory)
  let file: PageFile | null = null
  try {
    const found = await given(stat(name))
    if (!found.isFile()) return 'in the place of their file is a folder, a pipe or a device'
    if (found.size === 0) return null
    await given(readInOrder(name, signal))
    file = new PageFile(name)
    return await faultIn(new PageWalk(file, signal), form, file.meta.main.root === null)
  } catch (error) {
    if (error instanceof Unsound) return error.message
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  } finally {
    file?.close()
  }
}

async function given<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw unsoundIfUnread(error)
  })
}

/** Removes the records in a directory: they are built again from the log. */
export async function removeRecords(directory: string): Promise<void> {
  for (const name of ['data.mdb', 'lock.mdb']) await rm(path.join(directory, name), { force: true })
}

async function faultIn(walk: PageWalk, form: number, empty: boolean): Promise<string | null> {
  let about: About | null = null
  let tally: Tally = EMPTY_TALLY
  await walk.records((bytes, key, data, end) => {
    if (about === null) {
      about = isAbout(bytes, key, data) ? aboutOf(bytes.subarray(data, end)) : null
      if (about === null) throw new Unsound('they do not say what they are')
      if (about.form !== form) throw new Unsound('they are of another form')
      return
    }
    const seal = end - data < SEAL ? -1 : bytes.readUInt32LE(end - SEAL)
    if (seal !== crc32(bytes, key, end - SEAL))
      throw new Unsound(`record ${bytes.toString('hex', key, data)} fails its check`)
    tally = tallied(tally, seal)
  })
  if (about === null) return empty ? null : 'they do not say what they are'
  const { records, sum } = (about as About).tally
  if (records !== tally.records) return `they have ${tally.records} records, not ${records}`
  return sum === tally.sum ? null : 'a record is not the newest of its kind'
}

function isAbout(bytes: Buffer, key: number, data: number): boolean {
  return data - key === ABOUT_KEY.length && bytes[key] === ABOUT_KEY[0]
}

const PIECE = 1 << 20

/** The walk goes from page to page; a disk is many times faster from front to back, and then has the pages at hand. */
async function readInOrder(name: string, signal: AbortSignal | undefined): Promise<void> {
  const file = await open(name, 'r')
  try {
    const piece = Buffer.allocUnsafe(PIECE)
    for (let at = 0; (await file.read(piece, 0, PIECE, at)).bytesRead > 0; at += PIECE)
      signal?.throwIfAborted()
  } finally {
    await file.close()
  }
}
