/** A log that a link leads to belongs to the directory that it lies in: another link may lead there as well (K13). */
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { DirectoryLock } from './directoryLock.ts'

/** Null where the log lies in the directory itself, which its own lock is for. @throws DirectoryInUse naming who holds it. */
export async function lockWhereLogLies(directory: string): Promise<DirectoryLock | null> {
  const lies = path.dirname(await realpath(path.join(directory, 'log')))
  return lies === (await realpath(directory)) ? null : DirectoryLock.acquire(lies)
}
