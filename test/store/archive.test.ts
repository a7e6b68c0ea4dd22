// A log without its older files (K14): it recovers, serves and verifies as before, with the archive and without it, and
// wherever the moving of files was interrupted.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Commit, CommitsArchived, type Engine, openEngine, StoreDamaged } from '../../src/index.ts'
import { archiveLog, type LmdbStoreOptions, openLmdbStore } from '../../src/store/lmdb/index.ts'
import { typed } from '../typed.ts'
import { ACCOUNTS, Chance, drive, GENESIS, MARKETS } from './traffic.ts'

let folder: string
/** A directory with some ten files and two snapshots, closed; copied for every test. */
let whole: string
let head: number
let older: number
let stateHash: string
let chain: string
let directory: string
let archive: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'margin-core-archive-'))
  whole = path.join(folder, 'whole')
  const engine = await opened(whole)
  const chance = new Chance(11)
  for (let round = 0; round < 40; round++) {
    drive(engine, chance, 20)
    await engine.whenDurable()
    if (round === 19) {
      await engine.saveSnapshot()
      older = engine.head
    }
  }
  stateHash = engine.stateHash()
  head = engine.head
  await engine.close()
  chain = /chain (.*)\n/.exec((await run('verify', whole)).stdout)?.[1] as string
  expect(filesIn(whole).length).toBeGreaterThan(8)
})

let copies = 0
beforeEach(() => {
  directory = path.join(folder, `data-${++copies}`)
  archive = path.join(folder, `archive-${copies}`)
  twin(whole, directory)
})

afterAll(() => rm(folder, { recursive: true }))

/** A directory with the same files of the log, which are never changed, as whoever wrote them would find it. */
function twin(from: string, to: string) {
  spawnSync('cp', ['-a', from, to])
  rmSync(path.join(to, 'log'), { recursive: true })
  rmSync(path.join(to, 'durable'), { force: true })
  spawnSync('cp', ['-al', path.join(from, 'log'), to])
}

const opened = async (at: string, options: LmdbStoreOptions = {}): Promise<Engine> =>
  openEngine({
    ...GENESIS,
    store: await openLmdbStore(at, { segmentBytes: 5_000, ...options }),
    snapshotEvery: 1_000_000,
  })

async function run(...args: string[]) {
  const { code, stdout, stderr } = await typed(args)
  return { status: code, stdout, stderr }
}

const filesIn = (at: string) => readdirSync(path.join(at, 'log')).filter((name) => name.endsWith('.log'))
const firstIn = (at: string) => Number(filesIn(at).sort()[0]?.slice(0, 16))
const move = (onProgress?: (done: number, steps: number) => void) =>
  archiveLog(directory, archive, { upTo: readAll, ...(onProgress && { onProgress }) })

async function readAll(log: AsyncIterable<readonly Commit[]>): Promise<number> {
  for await (const _ of log);
  return older
}

async function commitsOf(engine: Engine, from = 1): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from })) commits.push(commit)
  return commits
}

/** What a venue that begins here serves, on every page. */
function pagesOf({ read }: Engine) {
  const paging = { limit: 100, offset: 0 }
  return ACCOUNTS.flatMap((account) => [
    read.portfolio(account, paging),
    ...MARKETS.flatMap((market) => [
      read.orderHistory(account, market, paging),
      read.positionHistory(account, market, paging),
    ]),
  ])
}

test('a log that a link leads to is not archived while a venue is at work where it lies', async () => {
  const engine = await opened(directory)
  const beside = path.join(folder, `beside-${copies}`)
  mkdirSync(beside)
  symlinkSync(path.join(directory, 'log'), path.join(beside, 'log'))
  const before = filesIn(directory)
  await expect(archiveLog(beside, archive, { upTo: readAll })).rejects.toMatchObject({
    name: 'DirectoryInUse',
  })
  expect(filesIn(directory)).toEqual(before)
  await engine.close()
  expect((await archiveLog(beside, archive, { upTo: readAll })).files).toBeGreaterThan(2)
})

test('whose lock is taken away meanwhile changes nothing any more, at whichever step that is', async () => {
  const steps: number[] = []
  await move((done) => void steps.push(done))
  expect(steps.length).toBeGreaterThan(6)
  for (const at of steps.slice(0, -1)) {
    copies += 1
    directory = path.join(folder, `data-${copies}`)
    archive = path.join(folder, `archive-${copies}`)
    twin(whole, directory)
    let there: readonly string[] = []
    const moving = move((done) => {
      if (done !== at) return
      // As another process would, after somebody deleted the lock: it puts its own note there.
      rmSync(path.join(directory, 'lock'), { recursive: true })
      mkdirSync(path.join(directory, 'lock'))
      writeFileSync(path.join(directory, 'lock', 'holder'), 'process 1 on elsewhere')
      there = readdirSync(path.join(directory, 'log')).sort()
    })
    await expect(moving).rejects.toMatchObject({ name: 'WriterLost' })
    expect(readdirSync(path.join(directory, 'log')).sort(), `step ${at}`).toEqual(there)
  }
})

test('archive, serve, verify both ways, go on, archive again', async () => {
  const before = await opened(whole)
  const [pages, all] = [pagesOf(before), await commitsOf(before)]
  await before.close()
  const first = await run('archive', directory, '--to', archive, '--json')
  expect([first.stderr, first.status]).toEqual(['', 0])
  const moved = JSON.parse(first.stdout) as { head: number; files: number; bytes: number; compressed: number }
  expect(moved.head).toBeLessThanOrEqual(older)
  expect(moved.files).toBeGreaterThan(2)
  expect(moved.compressed).toBeLessThan(moved.bytes)
  const left = filesIn(whole).filter((name) => !filesIn(directory).includes(name))
  const sizeOf = (at: string, names: readonly string[]) =>
    names.reduce((sum, name) => sum + statSync(path.join(at, name)).size, 0)
  expect(moved).toMatchObject({
    files: left.length,
    bytes: sizeOf(path.join(whole, 'log'), left),
    compressed: sizeOf(archive, readdirSync(archive)),
  })
  expect(firstIn(directory)).toBe(moved.head + 1)
  // The file that comes next would reach beyond the older snapshot.
  expect(Number(filesIn(directory).sort()[1]?.slice(0, 16)) - 1).toBeGreaterThan(older)

  const engine = await opened(directory)
  expect([engine.stateHash(), engine.head]).toEqual([stateHash, head])
  expect(pagesOf(engine)).toEqual(pages)
  expect(await commitsOf(engine, moved.head + 1)).toEqual(all.slice(moved.head))
  const gone = { name: 'CommitsArchived', first: moved.head + 1 }
  await expect(commitsOf(engine, moved.head)).rejects.toMatchObject(gone)
  await expect(engine.asOf(head)).rejects.toMatchObject(gone)
  await engine.close()

  const without = await run('verify', directory)
  expect([without.stderr, without.status]).toEqual(['', 0])
  expect(without.stdout).toContain(`verified ${head - older} commits`)
  expect(without.stdout).toContain(`begun from the snapshot of commit ${older}`)
  expect(without.stdout).toContain(`not looked at: commits 1 to ${moved.head}`)
  expect(without.stdout).toContain(`state hash ${stateHash}\nchain ${chain}`)
  const withIt = await run('verify', directory, '--archive', archive, '--expect', chain)
  expect(withIt.stdout).toContain(`verified ${head} commits`)
  expect([withIt.stdout.includes('not looked at'), withIt.status]).toEqual([false, 0])
  expect((await run('inspect', 'as-of', directory, '5')).stderr).toContain(
    `the first one here is ${moved.head + 1}`,
  )
  expect((await run('inspect', 'as-of', directory, '5', '--archive', archive)).status).toBe(0)
  expect((await run('verify', directory, '--expect', `5:${'0'.repeat(64)}`)).stdout).toContain('was archived')

  const again = await opened(directory, { archive })
  expect(await commitsOf(again)).toEqual(all)
  expect((await again.asOf(head)).stateHash()).toBe(stateHash)
  drive(again, new Chance(5), 200)
  await again.saveSnapshot()
  drive(again, new Chance(6), 200)
  const later = again.stateHash()
  await again.close()
  const second = await run('archive', directory, '--to', archive)
  expect(second.stdout).toMatch(/^commits 1 to [0-9]+ are in .*files moved/)
  const last = await opened(directory)
  expect(last.stateHash()).toBe(later)
  await last.close()
  expect((await run('verify', directory, '--archive', archive)).status).toBe(0)

  // Put together again: the files of the archive, unpacked, without the note.
  for (const name of readdirSync(archive)) {
    const bytes = await promisify(gunzip)(await readFile(path.join(archive, name)))
    await writeFile(path.join(directory, 'log', name.slice(0, -3)), bytes)
  }
  await rm(path.join(directory, 'log', 'archived'))
  const restored = await opened(directory)
  expect((await commitsOf(restored)).slice(0, head)).toEqual(all)
  await restored.close()
}, 300_000)

test('interrupted before any of its steps, the log is whole, and the next time ends the same', async () => {
  const told: [number, number][] = []
  await move((...progress) => told.push(progress))
  const steps = told.length
  expect(told).toEqual(Array.from(told, (_, done) => [done, steps - 1]))
  const done = { files: filesIn(directory), kept: readdirSync(archive).sort() }
  for (let step = 0; step < steps - 1; step++) {
    for (const at of [directory, archive]) await rm(at, { recursive: true })
    twin(whole, directory)
    const interrupted = move((at) => {
      if (at === step) throw new Error('interrupted')
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    const begun = readdirSync(archive).filter((name) => name.endsWith('.gz')).length
    expect(begun, `step ${step}`).toBe(Math.min(step, (steps - 2) / 2))
    const copy = path.join(folder, 'interrupted')
    twin(directory, copy)
    const engine = await opened(copy)
    expect(engine.stateHash(), `step ${step}`).toBe(stateHash)
    await engine.close()
    await rm(copy, { recursive: true })
    // Half a copy from an earlier time is written again.
    await writeFile(path.join(archive, `${done.files[0]}.gz.part`), 'half')
    if (filesIn(directory).length > done.files.length) await move()
    expect(filesIn(directory), `step ${step}`).toEqual(done.files)
    expect(readdirSync(archive).filter((name) => name.endsWith('.gz'))).toEqual(done.kept)
    const through = await opened(directory, { archive })
    expect((await through.asOf(head)).stateHash()).toBe(stateHash)
    await through.close()
  }
  expect(steps).toBeGreaterThan(6)
}, 300_000)

describe('what was archived is told from what was lost', () => {
  const damaged = (error: unknown) => expect(error).toBeInstanceOf(StoreDamaged)
  const note = () => path.join(directory, 'log', 'archived')

  test('a first file that is missing without a note, a damaged note, a note of less, a file missing behind it', async () => {
    await move()
    const text = await readFile(note(), 'utf8')
    for (const harm of [
      () => rm(note()),
      () => writeFile(note(), text.replace(/to [0-9]+/, 'to 1')),
      () => writeFile(note(), text.slice(0, -5)),
    ]) {
      await harm()
      for (const readOnly of [false, true])
        await openLmdbStore(directory, { readOnly }).then(() => expect.unreachable(), damaged)
      await writeFile(note(), text)
    }
    await rm(path.join(directory, 'log', filesIn(directory).sort()[0] as string))
    await openLmdbStore(directory).then(() => expect.unreachable(), damaged)
  })

  test('lists that have to be built again, and snapshots that are of no use, need the archive and say so', async () => {
    await move()
    await rm(path.join(directory, 'history'), { recursive: true })
    const store = await openLmdbStore(directory)
    const refused = openEngine({ store })
    await expect(refused).rejects.toBeInstanceOf(CommitsArchived)
    await expect(refused).rejects.toThrow(/the history is kept up to 0 only.*--archive DIR/)
    await store.close()
  })

  test('with the archive they are built again', async () => {
    const before = await opened(whole)
    const pages = pagesOf(before)
    await before.close()
    await move()
    await rm(path.join(directory, 'history'), { recursive: true })
    const engine = await opened(directory, { archive })
    expect(pagesOf(engine)).toEqual(pages)
    expect(engine.recovery).toMatchObject({ snapshotSeq: 0, replayed: head })
    await engine.close()
    const without = await opened(directory)
    expect(pagesOf(without)).toEqual(pages)
    await without.close()
  })

  test('a damaged archive, one of another log and one that is not the first are refused; nothing is moved then', async () => {
    await move()
    const [name = ''] = readdirSync(archive).sort()
    const bytes = await readFile(path.join(archive, name))
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1
    const spoilt = path.join(folder, `spoilt-${copies}`)
    await cp(archive, spoilt, { recursive: true })
    await writeFile(path.join(spoilt, name), bytes)
    const read = async (from: string) =>
      readAll((await openLmdbStore(directory, { archive: from, readOnly: true })).read(1))
    await read(spoilt).then(() => expect.unreachable(), damaged)
    await expect(read(path.join(folder, 'nowhere'))).rejects.toThrow('does not hold the archived commits')
    const kept = filesIn(directory)
    const elsewhere = archiveLog(directory, path.join(folder, 'elsewhere'), { upTo: readAll })
    await expect(elsewhere).rejects.toThrow('does not hold the archived commits')
    expect(filesIn(directory)).toEqual(kept)
    expect(await read(archive)).toBe(older)
  })

  test('not while a venue has the directory, and not without two snapshots', async () => {
    const store = await openLmdbStore(directory)
    const busy = await run('archive', directory, '--to', archive)
    expect([busy.status, busy.stderr.includes('is in use by')]).toEqual([2, true])
    await store.close()
    const [snapshot = ''] = readdirSync(path.join(directory, 'snapshots')).sort()
    await rm(path.join(directory, 'snapshots', snapshot))
    const one = await run('archive', directory, '--to', archive)
    expect([one.status, one.stderr.includes('two snapshots are needed, 1 can be used')]).toEqual([2, true])
    expect(firstIn(directory)).toBe(1)
  })

  test('a backup of what is left opens as well, and an earlier one that has everything goes on having it', async () => {
    const [full, rest] = [path.join(folder, 'full'), path.join(folder, 'rest')]
    expect((await run('backup', directory, '--to', full)).status).toBe(0)
    await move()
    const [again, partial] = [
      await run('backup', directory, '--to', full),
      await run('backup', directory, '--to', rest),
    ]
    expect([again.status, partial.status]).toEqual([0, 0])
    expect(partial.stdout).toContain(`commits ${firstIn(directory)} to ${head}`)
    const read = async (at: string, options: LmdbStoreOptions = {}) =>
      readAll((await openLmdbStore(at, { readOnly: true, ...options })).read(1))
    expect(await read(full)).toBe(older)
    await expect(read(rest)).rejects.toBeInstanceOf(CommitsArchived)
    expect(await read(rest, { archive })).toBe(older)
  })
})
