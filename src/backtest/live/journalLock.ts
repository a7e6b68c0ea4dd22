/**
 * One live run at a time on a journal: two would write into each other's lines, and each would take the other's fills for its own. The lock is
 * a folder beside the file that the operating system vouches for, so that a run which is killed leaves none behind.
 */
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { mustBeRegularNow } from '../../files/regularFile.ts'
import { DirectoryInUse, DirectoryLock } from '../../store/lmdb/directoryLock.ts'
import { JournalError } from './journalText.ts'

/**
 * @returns how to let go of it.
 * @throws JournalError naming the process that holds it, or a folder that is not there; NoRegularFile for a pipe, a socket or a device.
 */
export async function lockJournal(file: string): Promise<() => Promise<void>> {
  mustBeRegularNow(file)
  try {
    const lock = await DirectoryLock.acquire(`${realPath(file)}.lock`)
    return () => lock.release()
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    throw new JournalError(
      `${file}: another live run writes this journal, ${error.holder}; end it first, or give --journal a file of its own`,
      { cause: error },
    )
  }
}

/** Of a file that need not be there yet, and may be a link. */
function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    const folder = path.dirname(file)
    if (!existsSync(folder))
      throw new JournalError(`${file}: there is no folder ${folder} to write the journal in`)
    return path.join(realpathSync(folder), path.basename(file))
  }
}
