// Where tests write: a folder of the run's own, in memory where there is room, so that nothing waits for a disk. Whatever they
// and the processes they kill leave there goes with the run. Whoever has set TMPDIR has chosen another place.

import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { keepIn } from './madeOnce.ts'

const MEMORY = '/dev/shm'
/** Databases, logs and profiles of browsers of a whole run, bytes. */
const ROOM = 4 * 2 ** 30

/** Memory that can be written to like a disk, or the usual place where there is none or little. */
function quickPlace(): string {
  if (process.env.TMPDIR !== undefined) return process.env.TMPDIR
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** For vitest: before the first test of a run, and after the last. */
export default function setup(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined) return
  const folder = mkdtempSync(path.join(quickPlace(), 'margin-core-tests-'))
  // Some of what tests start runs as nobody.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  keepIn(path.join(folder, 'made'))
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
