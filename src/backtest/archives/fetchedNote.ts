/**
 * What was fetched into a folder, as `sha256sum -c SHA256SUMS` reads it: of each file its SHA-256, and above it when it came and from where. A file
 * of an archive without checksums is the same again only as far as this says so.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
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
