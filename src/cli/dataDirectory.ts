/** The log in a data directory, opened beside whoever writes it. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Commit } from '../events/commit.ts'
import { UsageError } from './failure.ts'

/** @throws UsageError where there is no file of a log. */
export function requireLog(directory: string): void {
  let names: readonly string[] = []
  try {
    names = readdirSync(path.join(directory, 'log'))
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  if (!names.some((name) => name.endsWith('.log'))) throw new UsageError(`no log in ${directory}`)
}

/** `--archive`, as every command that reads a log takes it. */
export const ARCHIVE_OPTION = ['--archive <directory>', 'where older files of the log were moved to'] as const

/** Runs something over the log of a directory, and of its archive where that is named. */
export async function withDirectory<T>(
  directory: string,
  archive: string | undefined,
  use: (log: () => AsyncIterable<readonly Commit[]>) => Promise<T>,
): Promise<T> {
  requireLog(directory)
  const { openLmdbStore } = await import('../store/lmdb/index.ts')
  const store = await openLmdbStore(directory, { readOnly: true, ...(archive !== undefined && { archive }) })
  try {
    return await use(() => store.read(1))
  } finally {
    await store.close()
  }
}
