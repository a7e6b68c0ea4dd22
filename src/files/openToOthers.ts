/** Whether a file that holds a secret is its owner's alone. */
import { stat } from 'node:fs/promises'

/** The mode of a file that others than its owner may read, write or run, in octal digits; null where none may. */
export async function openToOthers(file: string): Promise<string | null> {
  // What a mode says of others it says on systems that have one.
  if (process.platform === 'win32') return null
  const { mode } = await stat(file)
  return (mode & 0o077) === 0 ? null : (mode & 0o777).toString(8)
}
