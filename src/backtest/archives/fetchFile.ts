/** Files of an archive, fetched once: what is there and whole is kept, what was cut off is gone on with. */
import { mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { openByteSource } from '../feed/byteSource.ts'
import { FeedError } from '../feed/feedError.ts'
import { NOTE } from '../feed/folder.ts'
import { archiveAnswer, reasonOf, type Wait } from './archiveRequest.ts'
import type { ArchiveFile } from './archives.ts'
import { BegunFile } from './begunFile.ts'
import { notedHash, noteHash, sha256Of } from './fetchedNote.ts'

type Fetched = 'kept' | 'fetched' | 'gone on with'

/** What fetching needs of the machine. */
export interface FetchingFrom {
  readonly now: Date
  readonly wait?: Wait
}

/**
 * Brings a file into the folder, and notes its SHA-256. Nothing but a whole file has its name: with the archive's SHA-256, or, of an archive that
 * publishes none, with the one that was noted when it was first fetched; and the first time one that can be unpacked to its end.
 *
 * @throws FeedError where the archive does not have it, is out of reach, or sends other bytes than it says or than it did.
 */
export async function fetchFile(
  file: ArchiveFile,
  folder: string,
  { now, wait }: FetchingFrom,
): Promise<Fetched> {
  const { name, url, checksumUrl } = file
  await mkdir(folder, { recursive: true })
  const whole = path.join(folder, name)
  const expected = checksumUrl === null ? await notedHash(folder, name) : await checksumAt(checksumUrl, wait)
  const there = await sha256Of(whole)
  if (there !== null && there === expected) {
    await noteHash(folder, { name, sha256: there, from: url, at: now })
    return 'kept'
  }
  if (there !== null && checksumUrl === null) mustBeNoted(whole, there, expected)
  const begun = new BegunFile(url, whole)
  const goesOn = await begun.bring(expected !== null, wait)
  const got = await sha256Of(begun.part)
  if (got === null) throw new FeedError(url, null, 'the archive sends an empty file')
  try {
    if (expected === null) await mustUnpack(begun.part, url)
    else if (got !== expected) throw new FeedError(url, null, otherBytes(got, expected, checksumUrl))
  } catch (error) {
    await begun.remove()
    throw error
  }
  await rename(begun.part, whole)
  await begun.remove()
  await noteHash(folder, { name, sha256: got, from: url, at: now })
  return goesOn ? 'gone on with' : 'fetched'
}

function otherBytes(got: string, expected: string, checksumUrl: string | null): string {
  if (checksumUrl !== null) return `its SHA-256 is ${got}, the archive says ${expected}; fetch it again`
  return `its SHA-256 is ${got}, when it was first fetched it was ${expected}; the archive has changed it, and its line in ${NOTE} has to go before it is taken`
}

/** @throws FeedError for a file whose bytes nobody noted, or others than those noted. */
function mustBeNoted(whole: string, there: string, noted: string | null): never {
  const reason =
    noted === null
      ? `it was not fetched here (${NOTE} does not name it)`
      : `its SHA-256 is ${there}, ${NOTE} says ${noted}`
  throw new FeedError(whole, null, `${reason}; remove it to fetch it`)
}

/** Nothing says what the bytes should be: a page that says "not here" with a 200, and half a file, must not become what is noted. */
async function mustUnpack(part: string, url: string): Promise<void> {
  let first = ''
  try {
    const source = await openByteSource(part)
    for await (const chunk of source.bytes())
      if (first === '') first = Buffer.from(chunk.subarray(0, 200)).toString('latin1').trimStart()
  } catch (error) {
    const reason = error instanceof FeedError ? error.reason : (error as Error).message
    throw new FeedError(url, null, `what the archive sends is no whole file (${reason}); fetch it again`)
  }
  if (/^[<{]/.test(first)) {
    const [line = ''] = first.split(/[\r\n]/)
    throw new FeedError(url, null, `the archive sends a page instead of the file (${line.slice(0, 60)})`)
  }
}

async function checksumAt(url: string, wait: Wait | undefined): Promise<string> {
  const response = await archiveAnswer(url, {}, wait)
  const text = await response.text().catch((error: Error) => {
    throw new FeedError(url, null, `it was cut off (${reasonOf(error)})`)
  })
  const [, sha256] = /^([0-9a-f]{64})\b/i.exec(text) ?? []
  if (sha256 === undefined) throw new FeedError(url, null, 'it holds no SHA-256')
  return sha256.toLowerCase()
}
