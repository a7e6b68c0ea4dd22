// A bit of what is derived from the log, or of what is known about it, is flipped while nobody is looking: of a snapshot, of a
// projection that was saved, of the mark beside the log. It is noticed, or changes nothing; what is read is always right, and
// the process lives (K7, K8).

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { bundle } from '../bundle.ts'
import { Chance, drive, GENESIS } from '../store/traffic.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'
const FLIPS = NIGHTLY ? 2_000 : 25

/** The directory is put back hundreds of times: a disk would only make that wait. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const chance = new Chance(NIGHTLY ? Date.now() : 1)

interface Answer {
  readonly read?: string
  readonly rows?: string
  readonly snapshotSeq?: number
  readonly notices?: readonly string[]
  readonly refused?: string
}

let home: string
let venue: string
let backup: string
let running: ChildProcess
let lines: AsyncIterator<string>
let truth: Answer

async function ask(directory: string): Promise<Answer> {
  running.stdin?.write(`${directory}\n`)
  const { value, done } = await lines.next()
  return done === true ? { refused: `the process died of ${running.signalCode}` } : JSON.parse(value)
}

beforeAll(async () => {
  home = await mkdtemp(path.join(MEMORY, 'margin-core-derived-'))
  venue = path.join(home, 'venue')
  backup = path.join(home, 'backup')
  const program = bundle('test/crash/flippedDerived.ts', home)
  running = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  if (running.stdout === null) throw new Error('it tells nothing')
  lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]()
  const source = new Chance(7)
  // Two of each are kept: one to fall back on.
  for (let part = 0; part < 3; part++) {
    const engine = await openEngine({ ...GENESIS, store: await openLmdbStore(venue) })
    drive(engine, source, 250)
    await engine.close()
    truth = await ask(venue)
  }
  await cp(venue, backup, { recursive: true })
}, 120_000)

afterAll(async () => {
  running.stdin?.end()
  await rm(home, { recursive: true })
})

const filesOf = async (directory: string) =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))

/** Everything as it was, file by file in place: the log and its mark know their files by their inodes. */
async function putBack(): Promise<void> {
  const kept = await filesOf(backup)
  for (const file of await filesOf(venue)) if (!kept.includes(file)) await rm(path.join(venue, file))
  for (const file of kept) await writeFile(path.join(venue, file), await readFile(path.join(backup, file)))
}

async function flipped(file: string, byte: number, bit: number): Promise<Answer> {
  await putBack()
  const bytes = await readFile(path.join(venue, file))
  bytes[byte] = (bytes[byte] as number) ^ (1 << bit)
  await writeFile(path.join(venue, file), bytes)
  return ask(venue)
}

const newestIn = async (folder: string) =>
  path.join(folder, (await readdir(path.join(backup, folder))).sort().at(-1) as string)

test('untouched, the newest of each is used, and nothing is told', async () => {
  await putBack()
  const answer = await ask(venue)
  expect(answer).toEqual(truth)
  expect(answer.notices).toEqual([])
  expect(answer.snapshotSeq).toBe(JSON.parse(answer.read ?? '[]')[0])
  expect(JSON.parse(answer.rows ?? '[]').length).toBeGreaterThan(0)
  expect((await readdir(path.join(backup, 'snapshots'))).length).toBe(2)
  expect((await readdir(path.join(backup, 'projections', 'deposits'))).length).toBe(2)
})

test.each([
  ['a snapshot', 'snapshots', /^ignored the snapshot of commit \d+: its schema is damaged, not /],
  [
    'a projection',
    'projections/deposits',
    /^projection deposits: what was saved at commit \d+ fails its check$/,
  ],
])(
  'of %s, any: it is told, and the one before is used',
  { timeout: 60 * 60_000 },
  async (_, folder, notice) => {
    const file = await newestIn(folder)
    const { length } = await readFile(path.join(backup, file))
    for (let flip = 0; flip < FLIPS; flip++) {
      // The head of the file more often than its share.
      const byte = chance.below(flip % 3 === 0 ? 32 : length)
      const { read, rows, notices, refused } = await flipped(file, byte, chance.below(8))
      expect({ read, rows, refused }, `byte ${byte}`).toEqual({ read: truth.read, rows: truth.rows })
      expect(notices?.[0], `byte ${byte}`).toMatch(notice)
    }
  },
)

test('of both snapshots and both projections: all of it is read from the log', async () => {
  for (let flip = 0; flip < FLIPS / 5; flip++) {
    await putBack()
    for (const folder of ['snapshots', 'projections/deposits'])
      for (const name of await readdir(path.join(venue, folder))) {
        const bytes = await readFile(path.join(venue, folder, name))
        const byte = chance.below(bytes.length)
        bytes[byte] = (bytes[byte] as number) ^ (1 << chance.below(8))
        await writeFile(path.join(venue, folder, name), bytes)
      }
    const { read, rows, snapshotSeq, notices } = await ask(venue)
    expect({ read, rows }).toEqual({ read: truth.read, rows: truth.rows })
    const noticed = notices?.filter((notice) => /is damaged|fails its check/.test(notice))
    expect([snapshotSeq, noticed?.length]).toEqual([0, 4])
  }
})

/** The last digits of the commit, in `durable up to commit 673 in file …`. */
const HEAD = { from: 21, length: 3 }

test('of the mark beside the log, any: nothing is other than it was', { timeout: 60 * 60_000 }, async () => {
  const { length } = await readFile(path.join(backup, 'durable'))
  for (let flip = 0; flip < FLIPS; flip++) {
    // It has two places, which begin with the head: half of the flips are in its number, and most in what is said.
    const among = [HEAD, { from: 0, length: 80 }, HEAD, { from: 0, length: length / 2 }][
      flip % 4
    ] as typeof HEAD
    const byte = chance.below(2) * (length / 2) + among.from + chance.below(among.length)
    expect(await flipped('durable', byte, chance.below(8)), `byte ${byte}`).toEqual(truth)
  }
})
