// A shard that is opened by its next owner, and pages of its history.
import { queryPast } from '../../src/engine/internals.ts'
import { NODE_SNAPSHOT_EVERY } from '../../src/host/cluster/serveNode.ts'
import { type Commit, createEngine, type Engine, openEngine, type Store } from '../../src/index.ts'
import { type Database, openDatabase } from '../../src/store/postgres/database.ts'
import { storeIn } from '../../src/store/postgres/postgresStore.ts'
import { primaryPool } from '../../src/store/postgres/primary.ts'
import type { RowStore } from '../../src/store/rowStore.ts'
import { AMOUNT, GENESIS, id, LEVERAGE, line, MARKET, quantile, sleep, withServer } from './shardVenue.ts'

/**
 * A shard of a million commits taken over by another process's worth of memory, while its history is written: from its newest snapshot,
 * and from its log alone.
 */
export async function reopen(commits: number): Promise<void> {
  await withServer(async (server) => {
    await fill(server.url, commits)
    const database = await openDatabase(server.url, { timeout: 120_000 })
    for (const from of ['snapshot', 'log']) {
      if (from === 'log') await database.pool.query(`DELETE FROM ${database.schema}.snapshot_piece`)
      const [began, busy, before] = [performance.now(), process.cpuUsage(), heap()]
      const parts: Parts = new Map()
      const engine = await openOver(database, parts)
      const took = performance.now() - began
      const { user, system } = process.cpuUsage(busy)
      const { head, recovery } = engine
      line(
        `a shard of ${head.toLocaleString('en')} commits, opened from its ${from}`,
        `${took.toFixed(0)} ms, ${((user + system) / 1_000).toFixed(0)} ms of it the processor's, ${recovery?.replayed.toLocaleString('en')} commits from the log, ${heap() - before} MB`,
      )
      const waited = [...parts].map(([part, ms]) => `${part} ${ms.toFixed(0)} ms`).join(', ')
      const rest = took - [...parts.values()].reduce((sum, ms) => sum + ms, 0)
      line('  of it', `${waited}; decoding the snapshot and folding the log ${rest.toFixed(0)} ms`)
      engine.stop('another opens it')
    }
    await database.pool.end()
  })
}

async function openOver(database: Database, parts: Parts = new Map()): Promise<Engine> {
  const store = timed(await storeIn(database, 0, { owner: null, readers: database.pool }), parts)
  return openEngine({ ...GENESIS, store, snapshotEvery: NODE_SNAPSHOT_EVERY })
}

/** What was waited for while a store was opened, ms by what it was. */
type Parts = Map<string, number>

/** The store, and how long whoever opens an engine waits for each part of it. */
function timed(store: Store, parts: Parts): Store {
  const waited = async <T>(part: string, work: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    try {
      return await work()
    } finally {
      parts.set(part, (parts.get(part) ?? 0) + performance.now() - began)
    }
  }
  const waitedEach = async function* <T>(part: string, all: AsyncIterable<T>): AsyncGenerator<T> {
    const each = all[Symbol.asyncIterator]()
    for (let next = await waited(part, () => each.next()); next.done !== true; ) {
      yield next.value
      next = await waited(part, () => each.next())
    }
  }
  const { open, rows, snapshots, read } = store
  return Object.assign(store, {
    open: () => waited('raising the epoch', () => open.call(store)),
    rows: (epoch: number) => waited('history tables', () => rows?.call(store, epoch) as Promise<RowStore>),
    snapshots: () => waitedEach('reading the snapshot', snapshots.call(store)),
    read: (from: number) => waitedEach('reading and decoding the log', read.call(store, from)),
  })
}

/** Megabytes in use, where the collector can be asked. */
function heap(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return Math.round((heapUsed + external) / 1e6)
}

/** A page of a hundred at the beginning, in the middle and at the end of the longest list of a shard of 50,000 commits. */
export async function pages(): Promise<void> {
  await withServer(async ({ url }) => {
    const database = await openDatabase(url, { timeout: 120_000 })
    const engine = await openOver(database)
    openAndClose(engine, 50_000)
    await engine.whenDurable()
    await database.pool.query('VACUUM ANALYZE')
    await pagesOf(engine)
    await engine.close()
    await database.pool.end()
  })
}

async function pagesOf(engine: Engine): Promise<void> {
  const page = (offset: number) =>
    queryPast(engine, { type: 'portfolio', accountId: id(2, 0), limit: 100, offset }, null)
  const first = await page(0)
  if (!first.ok) throw new Error(first.error.code)
  const { totalCount } = first.value
  const medians: string[] = []
  for (const offset of [0, Math.floor(totalCount / 2), totalCount - 100]) {
    const times: number[] = []
    for (let round = 0; round < 50; round++) {
      const began = performance.now()
      await page(Math.max(0, offset - round))
      times.push(performance.now() - began)
    }
    medians.push(quantile(times, 0.5).toFixed(1))
  }
  line(
    `a page of 100 of ${totalCount.toLocaleString('en')} positions, median of 50`,
    `first, middle, last: ${medians.join(', ')} ms`,
  )
}

/** Commits that are decided over the database, which writes history of them, and a snapshot at their beginning: the next is almost due. */
const DECIDED_THERE = NODE_SNAPSHOT_EVERY - 500
/** Commits of a group that is written. */
const GROUP = 2_000

/** A log of so many commits. All but the last are decided in memory and have no rows in the history tables. */
async function fill(url: string, commits: number): Promise<void> {
  const database = await openDatabase(url, { timeout: 120_000 })
  const { pool, schema } = database
  const inMemory = createEngine(GENESIS)
  openAndClose(inMemory, commits - DECIDED_THERE)
  const store = await storeIn(database, 0, { owner: null })
  const { epoch } = await store.open()
  const all: Commit[] = []
  for await (const commit of inMemory.commits({ from: 1 })) all.push(commit)
  for (let head = 0; head < all.length; head += GROUP)
    await store.append(all.slice(head, head + GROUP), head, epoch)
  await store.rows?.(epoch)
  await pool.query(`UPDATE ${schema}.history_cursor SET seq = $1`, [all.length])
  const engine = await openOver(database)
  while (engine.head < commits) {
    openAndClose(engine, Math.min(engine.head + 512, commits))
    await engine.whenDurable()
  }
  const kept = async () => (await pool.query(`SELECT FROM ${schema}.snapshot_piece`)).rowCount ?? 0
  while ((await kept()) === 0) await sleep(50)
  // The owner is killed: its connections end, whatever they were at.
  engine.stop('killed')
  const other = primaryPool(url, { max: 1 })
  await other.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename IS NOT NULL',
  )
  await other.end()
  await pool.end()
}

/** Opens and closes positions of all accounts, until there are so many commits. */
function openAndClose(engine: Engine, until: number): void {
  const on = { type: 'placeOrder', marketId: MARKET, direction: 'long' } as const
  for (let n = engine.head; engine.head < until; n++) {
    const accountId = id(2, n % 64)
    const [position] = engine.read.activePositions(accountId)
    engine.dispatch(
      position === undefined
        ? { ...on, accountId, orderType: 'market', amount: AMOUNT, leverage: LEVERAGE }
        : {
            ...on,
            accountId,
            orderType: 'take',
            triggerPrice: 0n,
            positionId: position.id,
            amount: position.size,
          },
    )
  }
}
