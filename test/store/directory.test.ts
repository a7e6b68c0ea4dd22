// A data directory under the hands of people: cut, copied, moved, taken by another process, backed up and verified.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import {
  cp,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Store, StoreDamaged } from '../../src/index.ts'
import { backupLog } from '../../src/store/lmdb/backup.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { NodeDisk } from '../../src/store/lmdb/nodeDisk.ts'
import { commitsOf, sampleCommit, sampleCommits } from '../../src/testing/index.ts'
import { bundle } from '../bundle.ts'
import { typed } from '../typed.ts'

const programs = mkdtempSync(path.join(tmpdir(), 'margin-core-directory-'))
let folder: string
let directory: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'margin-core-directory-'))
  directory = path.join(folder, 'data')
})

afterEach(() => rm(folder, { recursive: true }))

afterAll(() => rm(programs, { recursive: true }))

async function run(...args: string[]) {
  const { code, stdout, stderr } = await typed(args)
  return { status: code, stdout, stderr }
}

/** Appends up to a commit, a group each. */
async function appendTo(store: Store, upTo: number, from = 1) {
  const { epoch } = await store.open()
  for (let seq = from; seq <= upTo; seq++) await store.append([sampleCommit(seq)], seq - 1, epoch)
  return epoch
}

async function withLog(upTo: number, segmentBytes = 1 << 20) {
  const store = await openLmdbStore(directory, { segmentBytes })
  await appendTo(store, upTo)
  return store
}

const logFiles = () => readdirSync(path.join(directory, 'log')).sort()
const logFile = (name: string) => path.join(directory, 'log', name)
const damaged = (error: unknown) => expect(error).toBeInstanceOf(StoreDamaged)

async function flip(name: string, at: number) {
  const bytes = await readFile(name)
  bytes[at] = (bytes[at] as number) ^ 4
  await writeFile(name, bytes)
}

describe('what was acknowledged is not cut off without a word (K7)', () => {
  test('an idle log, and one that was closed: a flipped bit in the last group, a cut and a missing file', async () => {
    for (const closed of [false, true]) {
      const store = await withLog(60, 2_000)
      // The first flush after a mark is waited for, not a time.
      if (closed) await store.close()
      else await marked(60)
      const copy = path.join(folder, 'copy')
      const last = logFiles().at(-1) as string
      const damages: (() => Promise<void>)[] = [
        () => flip(logFile(last), 66 + 70),
        () => truncate(logFile(last), 66 + 70),
        () => rm(logFile(last)),
      ]
      if (!closed) await store.close()
      for (const damage of damages) {
        await cp(directory, copy, { recursive: true })
        const bytes = await readFile(logFile(last))
        await damage()
        await openLmdbStore(directory).then(() => expect.unreachable(), damaged)
        await openLmdbStore(directory, { readOnly: true }).then(() => expect.unreachable(), damaged)
        const file = await open(logFile(last), 'w')
        await file.writeFile(bytes).finally(() => file.close())
        await rm(copy, { recursive: true })
      }
      await rm(directory, { recursive: true })
    }
  })

  async function marked(head: number) {
    for (;;) {
      const text = await readFile(path.join(directory, 'durable'), 'latin1')
      if (text.includes(`commit ${head} `)) return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  test('a directory that was copied, with the lists and snapshots later than the log, opens as what the log says', async () => {
    const store = await withLog(30, 1_000)
    const copy = path.join(folder, 'copy')
    await cp(path.join(directory, 'log'), path.join(copy, 'log'), { recursive: true })
    await appendTo(store, 40, 31)
    await store.saveSnapshot({ seq: 40, schema: 'later', pieces: [] })
    await store.close()
    for (const name of ['durable', 'snapshots', 'history'])
      await cp(path.join(directory, name), path.join(copy, name), { recursive: true })
    const opened = await openLmdbStore(copy)
    expect((await opened.open()).head).toBe(30)
    for await (const snapshot of opened.snapshots()) expect(snapshot.seq).toBeLessThanOrEqual(30)
    await opened.close()
    await (await openLmdbStore(copy)).close()
  })

  test('a log put in the place of a newer one is refused', async () => {
    const store = await withLog(10)
    await cp(path.join(directory, 'log'), path.join(folder, 'older'), { recursive: true })
    await appendTo(store, 20, 11)
    await store.close()
    await rm(path.join(directory, 'log'), { recursive: true })
    await cp(path.join(folder, 'older'), path.join(directory, 'log'), { recursive: true })
    await openLmdbStore(directory).then(() => expect.unreachable(), damaged)
  })
})

describe('one writer (K13)', () => {
  test('however many directories lead to a log, one of them writes it', async () => {
    const store = await withLog(2)
    const [linked, another] = ['linked', 'another'].map((name) => path.join(folder, name)) as [string, string]
    for (const to of [linked, another]) {
      await mkdir(to)
      await symlink(path.join(directory, 'log'), path.join(to, 'log'))
    }
    await expect(openLmdbStore(linked)).rejects.toThrow(/is in use by/)
    await store.close()
    const second = await openLmdbStore(linked)
    for (const other of [directory, another])
      await expect(openLmdbStore(other)).rejects.toThrow(/is in use by/)
    await appendTo(second, 3, 3)
    await second.close()
    const third = await openLmdbStore(directory)
    expect((await third.open()).head).toBe(3)
    await third.close()
  })

  test.each<[string, () => Promise<void>]>([
    ['its lock removed', () => rm(path.join(directory, 'lock'), { recursive: true })],
    ['its directory moved', () => rename(directory, `${directory}-elsewhere`)],
    ['its log file moved', () => rename(logFile(logFiles().at(-1) as string), path.join(folder, 'x'))],
    ['its log removed', () => rm(path.join(directory, 'log'), { recursive: true })],
  ])('%s: it stops before the next append', async (_, take) => {
    const store = await openLmdbStore(directory)
    const epoch = await appendTo(store, 3)
    await take()
    await expect(store.append([sampleCommit(4)], 3, epoch)).rejects.toMatchObject({ name: 'WriterLost' })
    await store.close().catch(() => {})
  })

  test('a second process after the lock was deleted: the first stops, and nothing acknowledged is lost', async () => {
    const store = await openLmdbStore(directory)
    const epoch = await appendTo(store, 5)
    await rm(path.join(directory, 'lock'), { recursive: true })
    const second = spawn(process.execPath, [bundle(WRITER, folder), directory], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(second.stdout, 'data')
    await expect(store.append([sampleCommit(6, 9n)], 5, epoch)).rejects.toMatchObject({ name: 'WriterLost' })
    second.stdin.end()
    await once(second, 'exit')
    await store.close().catch(() => {})
    const again = await openLmdbStore(directory)
    expect(await commitsOf(again)).toEqual(sampleCommits(1, 7))
    await again.close()
  })
})

describe('whether a name leads to a file still', () => {
  const AN_HOUR_MS = 3_600_000

  // Other files share the process.
  afterEach(() => void vi.useRealTimers())

  /** Long after the directory was changed last, a file of a name in it; asked once. */
  async function asked() {
    await mkdir(directory)
    const disk = await NodeDisk.at(directory)
    const file = await disk.create('a')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + AN_HOUR_MS })
    expect(disk.names('a', file)).toBe(true)
    await nextTick()
    return { disk, file }
  }

  /** The times of files move in steps of some milliseconds, which a folder in memory is quicker than. */
  async function nextTick() {
    const probe = path.join(folder, 'probe')
    do {
      await wait(1)
      await writeFile(probe, '')
    } while (statSync(probe).mtimeMs === statSync(directory).mtimeMs)
  }

  test.each<[string, (name: string) => Promise<unknown>]>([
    ['removed', (name) => rm(name)],
    ['moved', (name) => rename(name, path.join(folder, 'x'))],
    ['moved within its directory', (name) => rename(name, `${name}-elsewhere`)],
    ['replaced', (name) => writeFile(`${name}-2`, '').then(() => rename(`${name}-2`, name))],
    ['moved with its directory', () => rename(directory, `${directory}-elsewhere`)],
    ['moved with its directory, another in its place', () => anotherInItsPlace()],
  ])('%s: no', async (_, take) => {
    const { disk, file } = await asked()
    await take(path.join(directory, 'a'))
    expect(disk.names('a', file)).toBe(false)
    await file.close()
  })

  async function anotherInItsPlace() {
    await rename(directory, `${directory}-elsewhere`)
    await cp(`${directory}-elsewhere`, directory, { recursive: true, preserveTimestamps: true })
  }

  test.each([
    ['whole seconds', 0, 1_999],
    ['less than seconds', 500, 10],
  ])(
    'where the directory was changed a moment ago, by a clock that counts %s, a second change in the same tick is seen',
    async (_, fraction, later) => {
      const { disk, file } = await asked()
      // What the clock of the file system says, before and after.
      const tick = new Date(Math.floor(Date.now() / 1_000) * 1_000 + fraction)
      vi.setSystemTime(tick.getTime() + later)
      await utimes(directory, tick, tick)
      expect(disk.names('a', file)).toBe(true)
      await rm(path.join(directory, 'a'))
      await utimes(directory, tick, tick)
      expect(disk.names('a', file)).toBe(false)
      await file.close()
    },
  )

  test('as long as nothing was changed, and after something else was: yes', async () => {
    const { disk, file } = await asked()
    expect(disk.names('a', file)).toBe(true)
    expect(disk.names('b', file)).toBe(false)
    await writeFile(path.join(directory, 'b'), '')
    expect(disk.names('a', file)).toBe(true)
    const other = await disk.create('b')
    expect([disk.names('a', file), disk.names('b', file), disk.names('b', other)]).toEqual([
      true,
      false,
      true,
    ])
    await file.close()
    await other.close()
  })
})

/** Opens the directory, appends two commits, says so, and ends when its input does. */
const WRITER = 'test/store/secondWriter.ts'

test('files are their owner’s alone', async () => {
  const store = await withLog(3)
  await store.saveSnapshot({ seq: 3, schema: 'x', pieces: [] })
  await store.records?.(1)
  await store.close()
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  expect(names).toEqual(expect.arrayContaining(['lock/data.mdb', 'lock/lock.mdb', 'history/data.mdb']))
  for (const name of names) expect(statSync(path.join(directory, name)).mode & 0o077, name).toBe(0)
  expect(statSync(directory).mode & 0o077).toBe(0)
})

describe('K9, K14: backup and verify', () => {
  test('a backup beside a writer is whole, says up to where, is continued, and opens', async () => {
    const store = await withLog(50, 1_500)
    const to = path.join(folder, 'backup')
    const first = await run('backup', directory, '--to', to)
    expect(first.stdout).toMatch(/^commits 1 to 50 are in .*\nchain 50:[0-9a-f]{64}\n$/)
    await appendTo(store, 90, 51)
    // Interrupted half-way: a part of a file, which does not count.
    await writeFile(path.join(to, 'log', `${'9'.padStart(16, '0')}.log.part`), 'half')
    const second = await run('backup', directory, '--to', to, '--json')
    const { head, kept, chain } = JSON.parse(second.stdout) as { head: number; kept: number; chain: string }
    expect([head, second.status]).toEqual([90, 0])
    expect(kept).toBeGreaterThan(1)
    expect(chain).toMatch(/^[0-9a-f]{64}$/)
    await store.close()
    const opened = await openLmdbStore(to)
    expect((await opened.open()).repaired).toBe(null)
    expect(await commitsOf(opened)).toEqual(sampleCommits(1, 90))
    await appendTo(opened, 95, 91)
    await opened.close()
    // What was acknowledged there is in no other log.
    const served = await run('backup', directory, '--to', to)
    expect(served).toMatchObject({
      status: 2,
      stderr: `error: ${to} is the data directory of a venue, and no backup any more: name another\n`,
    })
    const still = await openLmdbStore(to, { readOnly: true })
    expect(await commitsOf(still)).toEqual(sampleCommits(1, 95))
    await still.close()

    const told: [number, number][] = []
    await backupLog(directory, path.join(folder, 'told'), (...progress) => told.push(progress))
    const copied = readdirSync(path.join(folder, 'told', 'log')).filter((name) => name.endsWith('.log'))
    expect(told).toEqual(copied.map((_, done) => [done, copied.length]))
    expect(told.length).toBeGreaterThan(1)

    const other = path.join(folder, 'other')
    directory = other
    await (await withLog(5)).close()
    const refused = await run('backup', other, '--to', path.join(folder, 'told'))
    expect(refused.stderr).toContain('is of another log')
    expect(refused.status).toBe(2)
  })

  test.each(['its own directory', 'a backup that a venue is begun in meanwhile'])(
    'a backup into %s changes nothing there',
    async (where) => {
      const store = await withLog(5)
      const to = where === 'its own directory' ? directory : path.join(folder, 'begun')
      if (to !== directory) await backupLog(directory, to)
      await appendTo(store, 60, 6)
      let venue: Store | null = null
      const backup = backupLog(directory, to, (done) => {
        // From another process this may come at any moment.
        if (done === 0 && to !== directory) writeFileSync(path.join(to, 'durable'), '')
      })
      await expect(backup).rejects.toThrow('is the data directory of a venue')
      if (to !== directory) {
        venue = await openLmdbStore(to)
        expect(await commitsOf(venue)).toEqual(sampleCommits(1, 5))
      } else await appendTo(store, 61, 61)
      await venue?.close()
      await store.close()
    },
  )

  test('a backup goes on only with files that begin as those of the log, to the byte', async () => {
    const store = await withLog(5)
    const to = path.join(folder, 'begun')
    await backupLog(directory, to)
    const file = path.join(to, 'log', FIRST)
    const bytes = await readFile(file)
    for (const at of [0, 1, 7, 8, 30]) {
      const other = Buffer.from(bytes)
      other[at] = (other[at] as number) ^ 1
      await writeFile(file, other)
      await expect(backupLog(directory, to), `byte ${at}`).rejects.toThrow('is of another log')
    }
    await writeFile(file, bytes)
    expect((await backupLog(directory, to)).head).toBe(5)
    await store.close()
  })

  test('a directory without a log, an empty log and a megabyte of garbage are errors', async () => {
    expect(await run('verify', path.join(folder, 'nothing'))).toMatchObject({ status: 2 })
    await (await openLmdbStore(directory)).close()
    expect((await run('verify', directory)).stderr).toContain('no log in')
    await writeFile(logFile('0000000000000001.log'), Buffer.alloc(1 << 20, 0x5a))
    const garbage = await run('verify', directory)
    expect(garbage.stderr).toContain('the header of its file is damaged')
    expect(garbage.status).toBe(2)
  })

  test('a copy of the log alone, which nobody may write to', async () => {
    const store = await openLmdbStore(directory)
    await store.open()
    await store.close()
    const copy = path.join(folder, 'copy')
    await cp(
      path.resolve(import.meta.dirname, '../golden/0.1.0/venue.commits'),
      path.join(copy, 'log', FIRST),
    )
    chmodSync(path.join(copy, 'log', FIRST), 0o400)
    chmodSync(path.join(copy, 'log'), 0o500)
    chmodSync(copy, 0o500)
    const before = readdirSync(copy)
    const { stdout, status } = await run('verify', copy)
    expect(stdout).toMatch(/verified [0-9]+ commits[\s\S]*chain [0-9]+:[0-9a-f]{64}\n$/)
    expect([status, readdirSync(copy)]).toEqual([0, before])

    const chain = /chain (.*)\n$/.exec(stdout)?.[1] as string
    expect((await run('verify', copy, '--expect', chain)).status).toBe(0)
    const [seq, hash = ''] = chain.split(':')
    const wrong = await run('verify', copy, '--expect', `${seq}:${'0'.repeat(64)}`)
    expect([wrong.status, wrong.stdout.includes('this is another log')]).toEqual([1, true])
    const later = await run('verify', copy, '--expect', `${Number(seq) + 1}:${hash}`)
    expect([later.status, later.stdout.includes('the log ends at commit')]).toEqual([1, true])
    expect((await run('verify', copy, '--expect', 'nonsense')).status).toBe(2)
    chmodSync(copy, 0o700)
    chmodSync(path.join(copy, 'log'), 0o700)
  })
})

const FIRST = '0000000000000001.log'
