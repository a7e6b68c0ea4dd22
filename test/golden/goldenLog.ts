// Logs written by a release and kept for good: their bytes never change, and every later release reads them.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import type { Commit } from '../../src/index.ts'
import { CommitLog } from '../../src/store/log/commitLog.ts'
import { FaultyDisk } from '../crash/faultyDisk.ts'

export const DIRECTORY = import.meta.dirname
const SEGMENT = '0000000000000001.log'

/** The versions that left golden logs, oldest first. */
export function goldenVersions(): string[] {
  return readdirSync(DIRECTORY)
    .filter((name) => existsSync(path.join(DIRECTORY, name, 'expected.json')))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

export function fileOf(version: string, name: string): Uint8Array {
  return new Uint8Array(readFileSync(path.join(DIRECTORY, version, name)))
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The commits in the bytes of a log file. */
export async function readLog(bytes: Uint8Array): Promise<Commit[]> {
  const log = await CommitLog.open(FaultyDisk.holding({ [SEGMENT]: bytes }))
  const commits: Commit[] = []
  for await (const run of log.read(1)) commits.push(...run)
  return commits
}

/** The bytes of a log file with these commits, in groups of growing size. */
export async function writeLog(commits: readonly Commit[]): Promise<Uint8Array> {
  const disk = new FaultyDisk()
  const log = await CommitLog.open(disk)
  for (let at = 0, size = 1; at < commits.length; at += size, size = (size % 50) + 1)
    await log.append(commits.slice(at, at + size))
  return disk.contents()[SEGMENT] as Uint8Array
}

export function fold(commits: readonly Commit[]): Folded {
  const folded = new Folded((world) => new LevelTriggers(world))
  for (const commit of commits) folded.fold(commit)
  return folded
}

/** One value per line, fields in alphabetical order, integers told from texts. */
export function asLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value, plain)}\n`).join('')
}

function plain(_: string, held: unknown): unknown {
  if (typeof held === 'bigint') return `${held}n`
  if (typeof held !== 'object' || held === null || Array.isArray(held)) return held
  return Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
}
