/** The key of a venue that a live run trades with: as it is typed, from a file, or from the environment. */
import { namedText } from '../files/namedText.ts'
import { openToOthers } from '../files/openToOthers.ts'
import { UsageError } from './failure.ts'

interface KeyOptions {
  readonly key?: string
  readonly keyFile?: string
}

/** What can be sent in a header: one word that is seen, and no longer than a host takes one. */
const FORM = /^[\x21-\x7e]{1,255}$/

/**
 * The key; `warn` is told where others may read its file.
 *
 * @throws UsageError where there is none, and for a file that holds no key; what stands in the file is not told.
 */
export async function venueKey({ key, keyFile }: KeyOptions, warn: (text: string) => void): Promise<string> {
  if (keyFile !== undefined) return keyIn(keyFile, warn)
  const typed = key ?? process.env.MARGIN_CORE_KEY
  if (typed !== undefined) return typed
  throw new UsageError('--live needs a key: --key-file, --key, or MARGIN_CORE_KEY in the environment')
}

async function keyIn(file: string, warn: (text: string) => void): Promise<string> {
  const text = await namedText(
    file,
    (reason) => new UsageError(`--key-file ${file}: it cannot be read (${reason})`),
  )
  const key = text.trim()
  if (!FORM.test(key)) throw new UsageError(`--key-file ${file}: it has to hold the key alone, in a line`)
  const mode = await openToOthers(file)
  if (mode !== null)
    warn(
      `${file} is open to others than its owner (mode ${mode}): chmod 600 it, and have another key drawn where somebody may have read it`,
    )
  return key
}
