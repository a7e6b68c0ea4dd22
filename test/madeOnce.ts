// What several files of a run need and none of them changes, made by the first of them: a bundle, the declarations.

import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/** Where a run keeps it (`scratch.ts`); nothing is kept outside of one. */
const PLACE = 'MARGIN_CORE_MADE_ONCE'

/** The folder of a run for it, in the folder of the run. */
export function keepIn(folder: string): void {
  process.env[PLACE] = folder
  mkdirSync(folder)
}

/**
 * The file that `make` writes, or that it has written to for the same sources. Two files that ask at once may both make it: the
 * last one stays, and both are whole.
 *
 * @returns null outside of a run.
 */
export function madeOnce(name: string, make: (file: string) => void): string | null {
  const folder = process.env[PLACE]
  if (folder === undefined || !existsSync(folder)) return null
  const file = path.join(folder, `${stateOfSources()} ${name.replaceAll('/', ' ')}`)
  if (existsSync(file)) return file
  const draft = `${file} ${process.pid}`
  make(draft)
  renameSync(draft, file)
  return file
}

/** Changes with every file that is written, added or taken away: mistakes are put in and taken out during a run. */
function stateOfSources(): string {
  let [files, size, changed, newest] = [0, 0, 0, 0]
  for (const folder of ['src', 'test'])
    for (const entry of readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const { size: bytes, mtimeMs } = statSync(path.join(entry.parentPath, entry.name))
      files += 1
      size += bytes
      changed += mtimeMs
      newest = Math.max(newest, mtimeMs)
    }
  return [files, size, changed, newest].join('-')
}
