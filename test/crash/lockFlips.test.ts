// The lock of a directory is damaged while nobody holds it: the venue starts, or says in a sentence why not; its process
// lives, and there is one writer as ever (K13).

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { bundle } from '../bundle.ts'
import { Chance } from '../store/traffic.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'
const PAGE = 4_096
/** What LMDB reads of a meta page. */
const META = 168

/** The directory is put back thousands of times: a disk would only make that wait. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const chance = new Chance(NIGHTLY ? Date.now() : 1)

let home: string
let venue: string
let backup: string
let first: Opening
let second: Opening

class Opening {
  readonly #process: ChildProcess
  readonly #lines: AsyncIterator<string>
  #complaint = ''

  constructor(program: string) {
    const running = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] })
    running.stderr.on('data', (chunk) => {
      this.#complaint += String(chunk)
    })
    this.#process = running
    this.#lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]()
  }

  get pid(): number {
    return this.#process.pid as number
  }

  async ask(line: string): Promise<string> {
    this.#process.stdin?.write(`${line}\n`)
    const { value, done } = await this.#lines.next()
    return done === true ? `the process died of ${this.#process.signalCode} ${this.#complaint}` : value
  }

  end(): void {
    this.#process.stdin?.end()
  }
}

beforeAll(async () => {
  home = await mkdtemp(path.join(MEMORY, 'margin-core-lock-'))
  venue = path.join(home, 'venue')
  backup = path.join(home, 'backup')
  await (await openLmdbStore(venue)).close()
  await cp(venue, backup, { recursive: true })
  const program = bundle('test/crash/flippedLock.ts', home)
  first = new Opening(program)
  second = new Opening(program)
}, 60_000)

afterAll(async () => {
  first.end()
  second.end()
  await rm(home, { recursive: true })
})

beforeEach(async () => {
  await rm(path.join(venue, 'lock'), { recursive: true, force: true })
  await cp(path.join(backup, 'lock'), path.join(venue, 'lock'), { recursive: true })
})

const lockFile = (name: string) => path.join(venue, 'lock', name)

/** Whoever comes first holds the directory, and nobody besides. */
async function startsAlone(what: string): Promise<void> {
  expect(await first.ask(venue), what).toBe('open')
  expect(await second.ask(venue), what).toMatch(
    new RegExp(`^DirectoryInUse: .* is in use by process ${first.pid} `),
  )
  expect(await first.ask('close'), what).toBe('closed')
}

test('untouched, it is one writer’s, then the other’s', async () => {
  await startsAlone('untouched')
  expect(await second.ask(venue)).toBe('open')
  expect(await second.ask('close')).toBe('closed')
})

describe('a flipped bit of', () => {
  const all = Array.from({ length: 2 * META * 8 }, (_, index) => ({
    byte: ((index >> 3) % META) + (index >= META * 8 ? PAGE : 0),
    bit: index & 7,
  }))
  const anywhere = (bytes: number) => ({ byte: chance.below(bytes), bit: chance.below(8) })
  const some = <T>(count: number, one: () => T): T[] => Array.from({ length: count }, one)

  test.each<[string, string, () => { byte: number; bit: number }[]]>([
    ['the meta pages of its data', 'data.mdb', () => (NIGHTLY ? all : some(60, () => chance.of(all)))],
    ['its data, anywhere', 'data.mdb', () => some(NIGHTLY ? 1_000 : 20, () => anywhere(2 * PAGE))],
    ['its table of readers', 'lock.mdb', () => some(NIGHTLY ? 2_000 : 40, () => anywhere(512))],
    ['the note of its holder', 'holder', () => some(NIGHTLY ? 300 : 10, () => anywhere(30))],
  ])('%s', { timeout: 60 * 60_000 }, async (_, name, flips) => {
    for (const { byte, bit } of flips()) {
      const bytes = await readFile(lockFile(name))
      bytes[byte] = (bytes[byte] as number) ^ (1 << bit)
      await writeFile(lockFile(name), bytes)
      await startsAlone(`byte ${byte}, bit ${bit}`)
    }
    expect((await stat(lockFile('data.mdb'))).mode & 0o777).toBe(0o600)
  })
})

describe('something else in the place of', () => {
  const garbage = Buffer.alloc(3 * PAGE, 0xa5)
  const damages: Record<string, (name: string) => Promise<unknown> | unknown> = {
    'nothing at all': (name) => rm(name),
    'an empty file': (name) => truncate(name, 0),
    'half of it': (name) => truncate(name, 100),
    'something longer': (name) => truncate(name, 100 * PAGE),
    garbage: (name) => writeFile(name, garbage),
    'a folder': (name) => rm(name).then(() => mkdir(name)),
    'a pipe': (name) => rm(name).then(() => execFileSync('mkfifo', [name])),
  }

  const SENTENCE = /^Error: in the place of \S+ is a folder, a pipe or a device: remove it and start again$/

  test.each(['data.mdb', 'lock.mdb', 'holder'])('%s', async (name) => {
    const refused: string[] = []
    for (const [what, damage] of Object.entries(damages)) {
      await damage(lockFile(name))
      const told = await first.ask(venue)
      if (told === 'open') {
        expect(await second.ask(venue), what).toMatch(/^DirectoryInUse/)
        expect(await first.ask('close'), what).toBe('closed')
      } else expect(told, what).toMatch(SENTENCE)
      refused.push(...(told === 'open' ? [] : [what]))
      await rm(path.join(venue, 'lock'), { recursive: true, force: true })
      await cp(path.join(backup, 'lock'), path.join(venue, 'lock'), { recursive: true })
    }
    expect(refused).toEqual(name === 'holder' ? ['a folder'] : ['a folder', 'a pipe'])
  })
})
