/** Files of an archive, fetched once: what is there and whole is kept, what was cut off is gone on with. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { FeedError } from '../feed/feedError.ts'
import { NOTE } from '../feed/folder.ts'
import type { ArchiveFile } from './archives.ts'
import { notedHash, noteHash, sha256Of } from './fetchedNote.ts'

type Fetched = 'kept' | 'fetched' | 'gone on with'

/** What a file is called until it is whole and its hash is that of the archive. */
const PART = '.part'

/**
 * Brings a file into the folder, and notes its SHA-256. Nothing but a whole file has its name: with the archive's SHA-256, or, of an archive that
 * publishes none, with the one that was noted when it was first fetched.
 *
 * @throws FeedError where the archive does not have it, is out of reach, or sends other bytes than it says or than it did.
 */
export async function fetchFile(file: ArchiveFile, folder: string, at = new Date()): Promise<Fetched> {
  const { name, url } = file
  await mkdir(folder, { recursive: true })
  const [whole, part] = [path.join(folder, name), path.join(folder, `${name}${PART}`)]
  const expected = await expectedOf(file, folder)
  const there = await sha256Of(whole)
  if (there !== null && there === expected) {
    await noteHash(folder, { name, sha256: there, from: url, at })
    return 'kept'
  }
  if (there !== null && file.checksumUrl === null) mustBeNoted(whole, there, expected)
  const goesOn = await brought(url, part)
  const got = await sha256Of(part)
  if (got === null) throw new FeedError(url, null, 'the archive sends an empty file')
  if (expected !== null && got !== expected) {
    await rm(part)
    const says =
      file.checksumUrl === null
        ? `when it was first fetched it was ${expected}`
        : `the archive says ${expected}`
    const how =
      file.checksumUrl === null
        ? `; the archive has changed it, and its line in ${NOTE} has to go before it is taken`
        : '; fetch it again'
    throw new FeedError(url, null, `its SHA-256 is ${got}, ${says}${how}`)
  }
  await rename(part, whole)
  await noteHash(folder, { name, sha256: got, from: url, at })
  return goesOn ? 'gone on with' : 'fetched'
}

async function expectedOf({ name, checksumUrl }: ArchiveFile, folder: string): Promise<string | null> {
  return checksumUrl === null ? notedHash(folder, name) : checksumAt(checksumUrl)
}

/** @throws FeedError for a file whose bytes nobody noted, or others than those noted. */
function mustBeNoted(whole: string, there: string, noted: string | null): never {
  const reason =
    noted === null
      ? `it was not fetched here (${NOTE} does not name it)`
      : `its SHA-256 is ${there}, ${NOTE} says ${noted}`
  throw new FeedError(whole, null, `${reason}; remove it to fetch it`)
}

/** @returns whether what had been brought before was gone on with. */
async function brought(url: string, part: string): Promise<boolean> {
  const begun = await sizeOf(part)
  const response = await asked(url, begun === 0 ? {} : { range: `bytes=${begun}-` })
  const goesOn = response.status === 206
  if (response.status === 416) return false
  mustBeThere(response, url)
  await written(response, part, goesOn).catch((error: Error) => {
    if (isOfDisk(error)) throw new FeedError(part, null, `it cannot be written (${error.message})`)
    throw new FeedError(url, null, `it was cut off (${reasonOf(error)}); fetch it again to go on`)
  })
  return goesOn
}

async function written({ body }: Response, file: string, goesOn: boolean): Promise<void> {
  const sent = Readable.fromWeb(body as ReadableStream)
  const part = createWriteStream(file, { flags: goesOn ? 'a' : 'w' })
  try {
    await pipeline(sent, part)
  } finally {
    // A write that was under way when the archive hung up is in the file before anybody looks how long it is.
    if (!part.closed) await once(part, 'close')
  }
}

async function checksumAt(url: string): Promise<string> {
  const response = await asked(url)
  mustBeThere(response, url)
  const text = await response.text().catch((error: Error) => {
    throw new FeedError(url, null, `it was cut off (${reasonOf(error)})`)
  })
  const [, sha256] = /^([0-9a-f]{64})\b/i.exec(text) ?? []
  if (sha256 === undefined) throw new FeedError(url, null, 'it holds no SHA-256')
  return sha256.toLowerCase()
}

async function asked(url: string, headers: Record<string, string> = {}): Promise<Response> {
  try {
    return await fetch(url, { headers })
  } catch (error) {
    throw new FeedError(url, null, `the archive cannot be reached (${reasonOf(error as Error)})`)
  }
}

/** What fetch says of itself is the same for every reason: "fetch failed", "terminated". */
function reasonOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message
}

/** A call of the system that failed itself was the file's: one of the connection is the cause of fetch's own error. */
function isOfDisk(error: Error): boolean {
  return 'syscall' in error
}

function mustBeThere({ ok, status }: Response, url: string): void {
  if (ok) return
  throw new FeedError(
    url,
    null,
    status === 404 ? 'the archive has no such file' : `the archive answers ${status}`,
  )
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}
