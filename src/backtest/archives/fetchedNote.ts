/**
 * What was fetched into a folder, as `sha256sum -c SHA256SUMS` reads it: of each file its SHA-256, and above it when it came and from where. A file
 * of an archive without checksums is the same again only as far as this says so.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FeedError } from '../feed/feedError.ts'
import { NOTE } from '../feed/folder.ts'

/** The SHA-256 that is noted of a file, the last one where there are several; null where none is. */
export async function notedHash(folder: string, name: string): Promise<string | null> {
  const text = await readFile(path.join(folder, NOTE), 'utf8').catch(() => '')
  let noted: string | null = null
  for (const line of text.split(/\r?\n/)) {
    const [, sha256, file] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? []
    if (file === name && sha256 !== undefined) noted = sha256
  }
  return noted
}

export async function noteHash(
  folder: string,
  {
    name,
    sha256,
    from,
    at,
  }: { readonly name: string; readonly sha256: string; readonly from: string; readonly at: Date },
): Promise<void> {
  if ((await notedHash(folder, name)) === sha256) return
  await appendFile(path.join(folder, NOTE), `# ${at.toISOString()} ${from}\n${sha256}  ${name}\n`)
}

/** Null where there is no such file, or nothing in it. */
export async function sha256Of(file: string): Promise<string | null> {
  const size = await stat(file).then(
    (known) => known.size,
    () => 0,
  )
  if (size === 0) return null
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Whether a file is there as it was noted. @throws FeedError where there is another. */
export async function isKept(folder: string, name: string): Promise<boolean> {
  const file = path.join(folder, name)
  const there = await sha256Of(file)
  if (there === null) return false
  if (there === (await notedHash(folder, name))) return true
  throw new FeedError(file, null, `it is not what was fetched (${NOTE}); remove it to fetch it`)
}

/**
 * What was written beside it under `.part` is whole: it has its name from here on, and its SHA-256 is noted.
 *
 * @param fetched `of` is what it holds, as it is told: a month or a day.
 * @throws FeedError, the part removed, where another SHA-256 was noted when it was first fetched.
 */
export async function finished(
  folder: string,
  {
    name,
    of,
    from,
    at,
  }: { readonly name: string; readonly of: string; readonly from: string; readonly at: Date },
): Promise<void> {
  const [whole, part] = [path.join(folder, name), path.join(folder, `${name}.part`)]
  const sha256 = (await sha256Of(part)) as string
  const noted = await notedHash(folder, name)
  if (noted !== null && noted !== sha256) {
    await rm(part)
    const reason = `${of} has the SHA-256 ${sha256}, when it was first fetched it was ${noted}; its line in ${NOTE} has to go before it is taken`
    throw new FeedError(from, null, reason)
  }
  await rename(part, whole)
  await noteHash(folder, { name, sha256, from, at })
}
