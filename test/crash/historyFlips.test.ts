// A bit of the history file is flipped while nobody is looking: the lists are right or built again with a notice, they
// never say anything else, and the process lives (K8).

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HISTORY_FORM } from '../../src/history/historyRecords.ts'
import { openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { faultOf } from '../../src/store/lmdb/recordCheck.ts'
import { bundle } from '../bundle.ts'
import { Chance, drive, GENESIS } from '../store/traffic.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'
const BEFORE = NIGHTLY ? 2_500 : 750
const AFTER = 20
const PAGE = 4_096

/** The directory is put back hundreds of times: a disk would only make that wait. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const chance = new Chance(NIGHTLY ? Date.now() : 1)

let home: string
/** The directory that is opened, and a copy of what was in it. A copy itself is opened without its lists. */
let venue: string
let backup: string
let sound: Buffer
let answering: Answering

/** The process that opens what was flipped. */
class Answering {
  readonly #process: ChildProcess
  readonly #lines: AsyncIterator<string>
  #complaint = ''

  constructor(program: string) {
    const running = spawn(process.execPath, [program, String(BEFORE), String(AFTER)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    running.stderr.on('data', (chunk) => {
      this.#complaint += String(chunk)
    })
    this.#process = running
    this.#lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]()
  }

  async ask(directory: string): Promise<string> {
    this.#process.stdin?.write(`${directory}\n`)
    const { value, done } = await this.#lines.next()
    return done === true ? `the process died ${this.#complaint}` : value
  }

  end(): void {
    this.#process.stdin?.end()
  }
}

beforeAll(async () => {
  home = await mkdtemp(path.join(MEMORY, 'margin-core-flips-'))
  venue = path.join(home, 'venue')
  backup = path.join(home, 'backup')
  const engine = await openEngine({ ...GENESIS, store: await openLmdbStore(venue) })
  const source = new Chance(7)
  // In several transactions, so that there are free pages, and pages of many ages.
  for (let part = 0; part < 5; part++) {
    drive(engine, source, BEFORE / 5)
    await engine.whenDurable()
    await engine.saveSnapshot()
  }
  await engine.close()
  await cp(venue, backup, { recursive: true })
  sound = await readFile(path.join(backup, 'history', 'data.mdb'))
  answering = new Answering(bundle('test/crash/flippedHistory.ts', home))
}, 120_000)

afterAll(async () => {
  answering.end()
  await rm(home, { recursive: true })
})

interface Flip {
  readonly byte: number
  readonly bit: number
}

/** Everything as it was, file by file in place: the log knows its own files by their inodes. */
async function putBack(): Promise<void> {
  const filesOf = async (directory: string) =>
    (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
  const kept = await filesOf(backup)
  for (const file of await filesOf(venue)) if (!kept.includes(file)) await rm(path.join(venue, file))
  for (const file of kept) await writeFile(path.join(venue, file), await readFile(path.join(backup, file)))
}

/** Whether the venue was opened since it was put back: to look for a fault changes nothing. */
let isOpened = false

/** Opens the venue, and tells what its lists are. */
async function opened(): Promise<string> {
  isOpened = true
  return answering.ask(venue)
}

/** Puts the venue back, but for a bit of its lists. */
async function flipped({ byte, bit }: Flip): Promise<void> {
  if (isOpened) await putBack()
  isOpened = false
  const changed = Buffer.from(sound)
  changed[byte] = (changed[byte] as number) ^ (1 << bit)
  await writeFile(path.join(venue, 'history', 'data.mdb'), changed)
}

/** Where the newer meta page is no longer the newer, the lists are as they were a transaction ago: right, and told on. */
const RIGHT = /^the same$|the history is kept up to \d+ only/
const REBUILT = 'the history lists were built again from the log'

/** What is noticed at once is opened now and then; what is not is always opened, and must then be the same. */
async function outcomes(flips: readonly Flip[]): Promise<{ noticed: number; harmless: number }> {
  const reached = { noticed: 0, harmless: 0 }
  for (const flip of flips) {
    const name = `byte ${flip.byte % PAGE} of page ${Math.floor(flip.byte / PAGE)}, bit ${flip.bit}`
    await flipped(flip)
    const fault = await faultOf(path.join(venue, 'history'), HISTORY_FORM)
    reached[fault === null ? 'harmless' : 'noticed'] += 1
    if (fault === null) expect(await opened(), name).toMatch(RIGHT)
    else if (reached.noticed % 25 === 1) expect(await opened(), `${name}: ${fault}`).toContain(REBUILT)
  }
  return reached
}

test('untouched, it is the same, and sound', async () => {
  expect(await faultOf(path.join(venue, 'history'), HISTORY_FORM)).toBeNull()
  await putBack()
  expect(await opened()).toBe('the same')
})

describe('a flipped bit', () => {
  const some = (count: number, flips: () => Flip): Flip[] => Array.from({ length: count }, flips)
  const anywhereIn = (from: number, length: number): Flip => ({
    byte: from + chance.below(length),
    bit: chance.below(8),
  })

  test('of the two meta pages', { timeout: 60 * 60_000 }, async () => {
    const META = 168
    const all = Array.from({ length: 2 * META * 8 }, (_, index) => ({
      byte: ((index >> 3) % META) + (index >= META * 8 ? PAGE : 0),
      bit: index & 7,
    }))
    const { noticed } = await outcomes(NIGHTLY ? all : some(20, () => chance.of(all)))
    expect(noticed).toBeGreaterThan(NIGHTLY ? 800 : 6)
  })

  test('of page headers and the offsets behind them', { timeout: 60 * 60_000 }, async () => {
    const pages = sound.length / PAGE - 2
    const { noticed } = await outcomes(
      some(NIGHTLY ? 4_000 : 20, () => anywhereIn((2 + chance.below(pages)) * PAGE, 64)),
    )
    expect(noticed).toBeGreaterThan(NIGHTLY ? 1_000 : 6)
  })

  test('anywhere', { timeout: 60 * 60_000 }, async () => {
    const { noticed, harmless } = await outcomes(
      some(NIGHTLY ? 4_000 : 20, () => anywhereIn(2 * PAGE, sound.length - 2 * PAGE)),
    )
    expect(noticed).toBeGreaterThan(6)
    expect(harmless, 'free pages and free room').toBeGreaterThan(0)
  })
})
