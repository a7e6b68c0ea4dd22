// What comes back from a store is what was there: from a snapshot, from the log, and page by page from the history.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Commit,
  createEngine,
  type Engine,
  MemoryStore,
  openEngine,
  type Store,
  StoreDamaged,
  type StoredEngineOptions,
} from '../../src/index.ts'
import { DirectoryInUse, openLmdbStore } from '../../src/store/lmdb/index.ts'
import { ACCOUNTS, Chance, drive, everythingReadable, GENESIS, MARKETS } from './traffic.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'margin-core-recovery-'))
})
afterEach(() => rm(directory, { recursive: true }))

const open = async (options: Partial<StoredEngineOptions> = {}): Promise<Engine> =>
  openEngine({ ...GENESIS, store: await openLmdbStore(directory), ...options })

function twin(seed: number, commands: number): Engine {
  const engine = createEngine(GENESIS)
  drive(engine, new Chance(seed), commands)
  return engine
}

function same(engine: Engine, other: Engine): void {
  expect(engine.head).toBe(other.head)
  expect(engine.stateHash()).toBe(other.stateHash())
  expect(everythingReadable(engine)).toEqual(everythingReadable(other))
}

describe.each([1, 2, 3])('traffic %i', (seed) => {
  test('a durable engine answers as one in memory does, before and after everything is written', async () => {
    const engine = await open()
    drive(engine, new Chance(seed), 600)
    same(engine, twin(seed, 600))
    await engine.whenDurable()
    await engine.saveSnapshot()
    same(engine, twin(seed, 600))
    await engine.close()
  })

  test('it comes back from its snapshot', async () => {
    const engine = await open()
    drive(engine, new Chance(seed), 600)
    const { head } = engine
    await engine.close()
    const again = await open()
    expect(again.recovery).toMatchObject({ snapshotSeq: head, replayed: 0, ignored: [], repaired: null })
    same(again, twin(seed, 600))
    await again.close()
  })

  test('snapshot and tail are the same as the whole log', async () => {
    const engine = await open({ snapshotEvery: null })
    const chance = new Chance(seed)
    drive(engine, chance, 300)
    await engine.close()
    // Every ending from here on keeps a snapshot of where it was; the tail after it has none.
    const middle = await open()
    const at = middle.head
    await middle.close()
    const tail = await open({ snapshotEvery: null })
    drive(tail, chance, 300)
    await tail.close()

    const again = await open({ snapshotEvery: null })
    expect(again.recovery?.snapshotSeq).toBe(at)
    expect(again.recovery?.replayed).toBe(again.head - at)
    same(again, twin(seed, 600))
    drive(again, new Chance(99), 100)
    await again.close()
    await rm(path.join(directory, 'snapshots'), { recursive: true })
    const whole = await open({ snapshotEvery: null })
    expect(whole.recovery).toMatchObject({ snapshotSeq: 0, rebuilt: null })
    const other = twin(seed, 600)
    drive(other, new Chance(99), 100)
    same(whole, other)
    await whole.close()
  })

  test('the history is built again where it is gone', async () => {
    const engine = await open()
    drive(engine, new Chance(seed), 400)
    await engine.close()
    await rm(path.join(directory, 'history'), { recursive: true })
    const again = await open()
    expect(again.recovery?.snapshotSeq).toBe(0)
    expect(again.recovery?.ignored[0]?.reason).toContain('the history is kept up to 0 only')
    same(again, twin(seed, 400))
    await again.close()
  })

  test('a store in memory gives snapshots back too, history and all', async () => {
    const store = new MemoryStore()
    const engine = await openEngine({ ...GENESIS, store })
    drive(engine, new Chance(seed), 300)
    await engine.close()
    const again = await openEngine({ store })
    expect(again.recovery).toMatchObject({ snapshotSeq: engine.head, replayed: 0 })
    same(again, twin(seed, 300))
  })
})

test.each([1, 9])(
  'a snapshot %i commits ahead of the log tells of a loss: nothing is opened (K7)',
  async (by) => {
    const engine = await open()
    drive(engine, new Chance(5), 200)
    await engine.close()
    const store = await openLmdbStore(directory)
    for await (const { schema, bytes } of store.snapshots()) {
      await store.saveSnapshot({ seq: engine.head + by, schema, pieces: [bytes] })
      break
    }
    await expect(openEngine({ store })).rejects.toThrow(`commit ${engine.head + 1} cannot be read`)
    await store.close()
    await expect(openLmdbStore(directory)).rejects.toThrow(`commit ${engine.head + 1} cannot be read`)
    await expect(openLmdbStore(directory, { readOnly: true })).rejects.toThrow('cannot be read')
  },
)

describe('snapshots that are of no use are ignored, and it is said why', () => {
  const seedOf = async (): Promise<Engine> => {
    const engine = await open()
    drive(engine, new Chance(5), 200)
    await engine.close()
    return twin(5, 200)
  }

  async function withSnapshots(change: (store: Store, head: number) => Promise<void>, reason: string) {
    const expected = await seedOf()
    const store = await openLmdbStore(directory)
    await change(store, expected.head)
    const notices: string[] = []
    const engine = await openEngine({ store, onNotice: (notice) => notices.push(notice) })
    expect(notices.join('\n')).toContain(reason)
    same(engine, expected)
    await engine.close()
  }

  test('of another schema', () =>
    withSnapshots(async (store, head) => {
      for await (const { bytes } of store.snapshots())
        return store.saveSnapshot({ seq: head, schema: 'world-0', pieces: [bytes] })
    }, 'its schema is world-0'))

  test('that does not decode', () =>
    withSnapshots(async (store, head) => {
      for await (const { schema, bytes } of store.snapshots())
        return store.saveSnapshot({ seq: head, schema, pieces: [bytes.subarray(0, bytes.length >> 1)] })
    }, 'it does not decode'))

  test('of another commit than it says', () =>
    withSnapshots(async (store, head) => {
      for await (const { schema, bytes } of store.snapshots()) {
        await store.saveSnapshot({ seq: head, schema: 'world-0', pieces: [bytes] })
        return store.saveSnapshot({ seq: head - 1, schema, pieces: [bytes] })
      }
    }, 'it says it was taken at'))

  test('of another venue', async () => {
    const elsewhere = path.join(directory, 'elsewhere')
    const stranger = await openEngine({ ...GENESIS, store: await openLmdbStore(elsewhere) })
    drive(stranger, new Chance(6), 100)
    await stranger.close()
    await withSnapshots(async (store, head) => {
      const folder = path.join(directory, 'snapshots')
      for (const name of await readdir(folder)) await rm(path.join(folder, name))
      const other = await openLmdbStore(elsewhere, { readOnly: true })
      for await (const { seq, schema, bytes } of other.snapshots()) {
        expect(seq).toBeLessThan(head)
        await store.saveSnapshot({ seq, schema, pieces: [bytes] })
      }
      await other.close()
    }, 'it is of another log')
  })

  test('damaged in any byte', async () => {
    const expected = await seedOf()
    const folder = path.join(directory, 'snapshots')
    const [name = ''] = await readdir(folder)
    await writeFile(path.join(folder, name), 'not a snapshot at all')
    const notices: string[] = []
    const engine = await open({ onNotice: (notice) => notices.push(notice) })
    expect(notices.join('\n')).toContain('damaged')
    same(engine, expected)
    await engine.close()
  })
})

describe('what is derived and ahead of the log is evidence that the log lost something (K7)', () => {
  test.each([1, 9])('a snapshot by %i', async (ahead) => {
    const store = new MemoryStore()
    const engine = await openEngine({ ...GENESIS, store })
    drive(engine, new Chance(5), 200)
    const { head } = engine
    await engine.close()
    // Of another schema, which nobody would read: it was taken all the same.
    await store.saveSnapshot({ seq: head + ahead, schema: 'world-0', pieces: [] })
    const refused = await openEngine({ store }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StoreDamaged)
    expect(String(refused)).toContain(`commit ${head + 1} cannot be read`)
    expect(String(refused)).toContain(`${head + ahead}`)
  })

  test('a snapshot by one, whose commit is gone from the log', async () => {
    const store = new MemoryStore()
    const engine = await openEngine({ ...GENESIS, store })
    drive(engine, new Chance(5), 200)
    await engine.close()
    const shorter = new MemoryStore()
    const { epoch } = await shorter.open()
    const commits: Commit[] = []
    for await (const run of store.read(1)) commits.push(...run)
    await shorter.append(commits.slice(0, -1), 0, epoch)
    for await (const { bytes, ...of } of store.snapshots())
      await shorter.saveSnapshot({ ...of, pieces: [bytes] })
    await expect(openEngine({ store: shorter })).rejects.toThrow(StoreDamaged)
  })

  test('the history lists', async () => {
    const engine = await open({ snapshotEvery: null })
    drive(engine, new Chance(5), 200)
    const { head } = engine
    await engine.close()
    await rm(path.join(directory, 'log'), { recursive: true })
    const shorter = await openLmdbStore(directory).catch((error: unknown) => error)
    expect(shorter).toBeInstanceOf(StoreDamaged)
    expect(String(shorter)).toContain(`${head}`)
  })
})

test('idempotency outcomes, API keys and the schedule survive a restart', async () => {
  const engine = await open()
  const order = {
    type: 'placeOrder',
    accountId: ACCOUNTS[0],
    marketId: MARKETS[0],
    orderType: 'market',
    direction: 'long',
    amount: 100_000_000_000n,
    leverage: 5_000_000_000n,
    idempotencyKey: 'once',
  } as const
  const first = await engine.send(order)
  expect(first.ok).toBe(true)
  await engine.close()

  const again = await open()
  expect(again.nextDueAt).toBe(engine.nextDueAt)
  const second = await again.send(order)
  expect(second).toMatchObject({ ok: true, replayedFrom: GENESIS.at })
  expect(second.ok && first.ok && second.value).toEqual(first.ok && first.value)
  await again.close()
})

test('a long recovery tells how it goes along', async () => {
  const engine = await open({ snapshotEvery: null })
  drive(engine, new Chance(1), 200)
  await engine.close()
  const told: number[] = []
  const again = await open({ onRecovery: ({ folded, total }) => told.push(folded, total) })
  expect(told[0]).toBe(0)
  expect(told.at(-2)).toBe(again.head)
  expect(told.at(-1)).toBe(again.head)
  await again.close()
})

test('a second store on the same directory is refused, saying who holds it', async () => {
  const store = await openLmdbStore(directory)
  const refused = await openLmdbStore(directory).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(DirectoryInUse)
  expect(String(refused)).toContain(`${process.pid}`)
  await store.close()
  await (await openLmdbStore(directory)).close()
})

test('a reader beside the writer takes no lock and sees what is durable', async () => {
  const engine = await open()
  drive(engine, new Chance(1), 50)
  await engine.whenDurable()
  const reader = await openLmdbStore(directory, { readOnly: true })
  let seen = 0
  for await (const run of reader.read(1)) seen += run.length
  expect(seen).toBe(engine.head)
  await expect(reader.open()).rejects.toThrow('reading only')
  await reader.close()
  await engine.close()
})
