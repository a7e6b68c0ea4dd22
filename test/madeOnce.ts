// What several files of a run need and none of them changes, made by the first of them: a bundle, the declarations.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/** Where a run keeps it (`scratch.ts`); nothing is kept outside of one. */
const PLACE = 'MARGIN_CORE_MADE_ONCE'
/** Between two looks at whether another has made it. */
const WAITS_MS = 50

/** The folder of a run for it, in the folder of the run. */
export function keepIn(folder: string): void {
  process.env[PLACE] = folder
  mkdirSync(folder)
}

/**
 * The file or folder that `make` writes, or that it has written to for the same sources. Who asks while another makes it waits.
 *
 * @returns null outside of a run.
 */
export function madeOnce(name: string, make: (file: string) => void): string | null {
  const folder = process.env[PLACE]
  if (folder === undefined || !existsSync(folder)) return null
  const file = path.join(folder, `${stateOfSources()} ${name.replaceAll('/', ' ')}`)
  const claim = `${file} claimed`
  while (!existsSync(file)) {
    if (!isMine(claim)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAITS_MS)
      continue
    }
    try {
      if (existsSync(file)) break
      const draft = `${file} ${process.pid}`
      make(draft)
      renameSync(draft, file)
    } finally {
      rmSync(claim)
    }
  }
  return file
}

/** Whether this process has it from now on; whoever has ended has nothing. */
function isMine(claim: string): boolean {
  try {
    writeFileSync(claim, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (hasEnded(claim)) rmSync(claim, { force: true })
    return false
  }
}

function hasEnded(claim: string): boolean {
  try {
    // What is not written yet reads as the process's own group, which is there.
    process.kill(Number(readFileSync(claim, 'utf8')), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
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
