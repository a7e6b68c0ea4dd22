/** Files of an archive, fetched once: what is there and whole is kept, what was cut off is gone on with. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { FeedError } from '../feed/feedError.ts'
import type { ArchiveFile } from './archives.ts'

type Fetched = 'kept' | 'fetched' | 'gone on with'

/** What a file is called until it is whole and its hash is that of the archive. */
const PART = '.part'

/**
 * Brings a file into the folder. Nothing but a whole file with the archive's SHA-256 ever has its name.
 *
 * @throws FeedError where the archive does not have it, is out of reach, or sends other bytes than it says.
 */
export async function fetchFile({ name, url, checksumUrl }: ArchiveFile, folder: string): Promise<Fetched> {
  await mkdir(folder, { recursive: true })
  const [whole, part] = [path.join(folder, name), path.join(folder, `${name}${PART}`)]
  const sha256 = await checksumAt(checksumUrl)
  if ((await sha256Of(whole)) === sha256) return 'kept'
  const begun = await sizeOf(part)
  const response = await asked(url, begun === 0 ? {} : { range: `bytes=${begun}-` })
  const goesOn = response.status === 206
  if (response.status !== 416) {
    mustBeThere(response, url)
    await written(response, part, goesOn).catch((error: Error) => {
      if (isOfDisk(error)) throw new FeedError(part, null, `it cannot be written (${error.message})`)
      throw new FeedError(url, null, `it was cut off (${reasonOf(error)}); fetch it again to go on`)
    })
  }
  const got = await sha256Of(part)
  if (got !== sha256) {
    await rm(part)
    throw new FeedError(url, null, `its SHA-256 is ${got}, the archive says ${sha256}; fetch it again`)
  }
  await rename(part, whole)
  return goesOn ? 'gone on with' : 'fetched'
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

/** Null where there is no such file. */
async function sha256Of(file: string): Promise<string | null> {
  if ((await sizeOf(file)) === 0) return null
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
