import { readFile } from 'node:fs/promises'
import { mustBeRegular } from './regularFile.ts'
import { whyNotOpened } from './whyNotOpened.ts'

/**
 * The text of a file that somebody names.
 *
 * @param refused makes the error of one that cannot be opened, of the reason.
 * @throws NoRegularFile for a pipe, a socket or a device.
 */
export async function namedText(
  file: string,
  refused: (reason: string, options: ErrorOptions) => Error,
): Promise<string> {
  try {
    await mustBeRegular(file)
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw refused(whyNotOpened(file, error as Error), { cause: error })
  }
}
