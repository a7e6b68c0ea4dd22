/** The key of the demo venue, kept beside its log: a program goes on with it when the venue has started again. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const FILE = 'demo-key'

/** As they are drawn: `mtk_` and 32 bytes in base64url. */
const FORM = /^mtk_[\w-]{43}$/

/** That of an earlier start, or null. */
export async function keptKey(directory: string): Promise<string | null> {
  const text = await readFile(path.join(directory, FILE), 'utf8').catch(() => '')
  return FORM.test(text.trim()) ? text.trim() : null
}

/** What to know where the key of an earlier start is good no more. */
export const endedKey = (directory: string) =>
  `the key in ${path.join(directory, FILE)} was revoked or refreshed: remove that file and start again for another`

/** For the owner of the process to read, and nobody else; where it cannot be written the next start draws another. */
export async function keepKey(directory: string, key: string): Promise<void> {
  await writeFile(path.join(directory, FILE), `${key}\n`, { mode: 0o600, flag: 'wx' }).catch(() => {})
}
