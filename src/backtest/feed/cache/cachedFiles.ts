/** The files of a cache, to be told and removed. */
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { CACHED } from './cachedFeed.ts'

export interface CachedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** None where there is no such folder. */
export async function cachedFiles(folder: string): Promise<CachedFile[]> {
  const names = await readdir(folder).catch(() => [])
  const own = names.filter((name) => name.endsWith(CACHED) || name.includes(`${CACHED}.`))
  return Promise.all(
    own.map(async (name) => {
      const file = path.join(folder, name)
      return { path: file, size: (await stat(file)).size }
    }),
  )
}

/** Removes what the cache has written and nothing else of the folder, parts of writings that were killed included. */
export async function clearCache(folder: string): Promise<void> {
  for (const file of await cachedFiles(folder)) await rm(file.path, { force: true })
}
