/** The key of the demo venue, kept beside its log: a program goes on with it when the venue has started again. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openToOthers } from '../files/openToOthers.ts'
import { UsageError } from './failure.ts'

const FILE = 'demo-key'

/** As they are drawn: `mtk_` and 32 bytes in base64url. */
const FORM = /^mtk_[\w-]{43}$/

/**
 * That of an earlier start; null where there was none.
 *
 * @throws UsageError for a file that cannot be read or holds something else: each start would leave another key behind.
 */
export async function keptKey(directory: string): Promise<string | null> {
  const file = path.join(directory, FILE)
  // Of a directory that is none, or that cannot be made, the store has more to say.
  if (!existsSync(file)) return null
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${file}: the key of the demo cannot be read (${error.message})`)
  })
  if (FORM.test(text.trim())) return text.trim()
  throw new UsageError(`${file} holds no key of a demo: remove it and start again for another`)
}

/** What to know where others than its owner may read the key of an earlier start, or put another there; null where none may. */
export async function keyOpenToOthers(directory: string): Promise<string | null> {
  const file = path.join(directory, FILE)
  const mode = await openToOthers(file)
  if (mode === null) return null
  return `${file} is open to others than its owner (mode ${mode}): chmod 600 it, and remove it where somebody may have read the key`
}

/** What to know where the key of an earlier start is good no more. */
export const endedKey = (directory: string) =>
  `the key in ${path.join(directory, FILE)} was revoked or refreshed: remove that file and start again for another`

/** For the owner of the process to read, and nobody else. @returns what to know where it cannot be written, else null */
export async function keepKey(directory: string, key: string): Promise<string | null> {
  try {
    await writeFile(path.join(directory, FILE), `${key}\n`, { mode: 0o600, flag: 'wx' })
    return null
  } catch (error) {
    return `the key is not kept, and the next start draws another (${(error as Error).message})`
  }
}
