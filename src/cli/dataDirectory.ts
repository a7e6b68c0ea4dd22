/** The log in a data directory, opened beside whoever writes it. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Commit } from '../events/commit.ts'
import type { Store } from '../store/store.ts'
import { UsageError } from './failure.ts'

async function openToRead(directory: string): Promise<Store> {
  if (!existsSync(path.join(directory, 'log'))) throw new UsageError(`no log in ${directory}`)
  const { openLmdbStore } = await import('../store/lmdb/index.ts')
  return openLmdbStore(directory, { readOnly: true })
}

/** Runs something over the log of a directory. */
export async function withLog<T>(
  directory: string,
  use: (log: () => AsyncIterable<readonly Commit[]>) => Promise<T>,
): Promise<T> {
  const store = await openToRead(directory)
  try {
    return await use(() => store.read(1))
  } finally {
    await store.close()
  }
}
