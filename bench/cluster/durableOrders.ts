// Durable limit orders of one shard: how many there are a second beside the bare statement of an append, and what the processor does for one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { type Commit, createEngine, fp9, openEngine, type Store } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { groupBytes } from '../../src/store/postgres/commitGroup.ts'
import { chainAfter, GENESIS_CHAIN } from '../../src/store/postgres/groupReading.ts'
import { openPostgresStore } from '../../src/store/postgres/index.ts'
import { primaryPool } from '../../src/store/postgres/primary.ts'
import { AMOUNT, GENESIS, id, LEVERAGE, line, MARKET, perSecond, quantile, withServer } from './shardVenue.ts'

const SENDERS = 256
/** Bytes of a commit in the bare statement: as many as that of a limit order has. */
const COMMIT_BYTES = 139

const BELOW = fp9('40000')
const limitOrder = (n: number) =>
  ({
    type: 'placeOrder',
    accountId: id(2, n % 64),
    marketId: MARKET,
    orderType: 'limit',
    direction: 'long',
    amount: AMOUNT,
    leverage: LEVERAGE,
    triggerPrice: BELOW - BigInt(n % 10_000) * 1_000_000_000n,
  }) as const

/** Limit orders that are durable, a second, and what each takes of the processor, µs: every sender waits for its answer. */
async function sending(store: Store): Promise<{ readonly rate: number; readonly cost: number }> {
  const engine = await openEngine({ ...GENESIS, store, snapshotEvery: null })
  const busy = process.cpuUsage()
  const [began, until] = [performance.now(), performance.now() + 2_000]
  let sent = 0
  const sender = async () => {
    while (performance.now() < until) await engine.send(limitOrder(sent++))
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
  const took = performance.now() - began
  const { user, system } = process.cpuUsage(busy)
  await engine.close()
  return { rate: (1_000 * sent) / took, cost: (user + system) / sent }
}

/** The statement of an append alone, in groups of as many commits as there are senders, one after the other. */
async function bareRate(pool: pg.Pool, shard: number): Promise<number> {
  await pool.query('INSERT INTO bare.shard (shard, head, epoch) VALUES ($1, 0, 1)', [shard])
  const group = Buffer.alloc(SENDERS * COMMIT_BYTES, 7)
  const chain = Buffer.alloc(32)
  const [began, until] = [performance.now(), performance.now() + 2_000]
  let head = 0
  for (; performance.now() < until; head += SENDERS)
    await pool.query({
      name: 'bare',
      text: `WITH fence AS (
          UPDATE bare.shard SET head = $2::bigint + ${SENDERS} WHERE shard = $1 AND head = $2 AND epoch = 1 RETURNING shard)
        INSERT INTO bare.commit_group (shard, first_seq, last_seq, epoch, crc, chain, commits)
        SELECT shard, $2::bigint + 1, $2::bigint + ${SENDERS}, 1, 0, $3, $4 FROM fence`,
      values: [shard, head, chain, group],
    })
  return (1_000 * head) / (performance.now() - began)
}

/** A database on a slower disk: whoever flushes waits, with everybody behind it. */
const slowed = (url: string, flush: number) =>
  flush === 0
    ? url
    : `${url}?options=${encodeURIComponent(`-c commit_delay=${1_000 * flush} -c commit_siblings=0`)}`

/** Medians of five rounds in turns; `flush`: how much longer each flush takes, ms. */
export async function durable(flush: number): Promise<void> {
  await withServer(async (server) => {
    const url = slowed(server.url, flush)
    await (await openPostgresStore(url, { schema: 'bare' })).close()
    const pool = primaryPool(url, { max: 1 })
    pool.on('error', () => {})
    const [postgres, lmdb, bare]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < 5; round++) {
      const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-bench-'))
      postgres.push((await sending(await openPostgresStore(url, { shard: round }))).rate)
      lmdb.push((await sending(await openLmdbStore(directory))).rate)
      bare.push(await bareRate(pool, 100 + round))
      rmSync(directory, { recursive: true })
    }
    await pool.end()
    const [of, beside, floor] = [postgres, lmdb, bare].map((rates) => quantile(rates, 0.5)) as [
      number,
      number,
      number,
    ]
    line(
      `durable limit orders, one shard, ${SENDERS} senders`,
      `${perSecond(of)}: ${(of / floor).toFixed(2)} of the bare statement (${perSecond(floor)}), ${(of / beside).toFixed(2)} of LMDB (${perSecond(beside)})`,
    )
  })
}

/** What the processor does for an order, µs, medians of five rounds in turns. */
export async function order(flush: number): Promise<void> {
  await withServer(async (server) => {
    const url = slowed(server.url, flush)
    const parts = new Map<string, number[]>()
    const note = (part: string, cost: number) => parts.set(part, [...(parts.get(part) ?? []), cost])
    let group: readonly Commit[] = []
    for (let round = 0; round < 6; round++) {
      // The first is a warm-up.
      if (round === 1) parts.clear()
      note('decided in memory', decidingCost())
      const idle = new WritesNothing((commits) => {
        if (commits.length === SENDERS) group = commits
      })
      note('answered over a store that writes nothing', (await sending(idle)).cost)
      note(
        '  bytes and CRC-32 of a group, of each',
        costOfEach(() => groupBytes(group)),
      )
      const { bytes } = groupBytes(group)
      note(
        '  its chain, of each',
        costOfEach(() => chainAfter(GENESIS_CHAIN, bytes)),
      )
      note('answered over PostgreSQL', (await sending(await openPostgresStore(url, { shard: round }))).cost)
    }
    for (const [part, costs] of parts) line(part, `${quantile(costs, 0.5).toFixed(2)} µs`)
  })
}

function decidingCost(): number {
  const engine = createEngine(GENESIS)
  const busy = process.cpuUsage()
  const count = 200_000
  for (let n = 0; n < count; n++) engine.dispatch(limitOrder(n))
  const { user, system } = process.cpuUsage(busy)
  return (user + system) / count
}

/** Of each order of a group. */
function costOfEach(work: () => void): number {
  const busy = process.cpuUsage()
  for (let n = 0; n < 1_000; n++) work()
  const { user, system } = process.cpuUsage(busy)
  return (user + system) / 1_000 / SENDERS
}

/** Answers each append in the next turn of the event loop. */
class WritesNothing implements Store {
  readonly #onAppend: (commits: readonly Commit[]) => void

  constructor(onAppend: (commits: readonly Commit[]) => void) {
    this.#onAppend = onAppend
  }

  async open() {
    return { head: 0, epoch: 1, repaired: null, unwritable: null }
  }

  async append(commits: readonly Commit[]): Promise<void> {
    this.#onAppend(commits)
    await new Promise((resolve) => setImmediate(resolve))
  }

  async *read() {}

  async *snapshots() {}

  async saveSnapshot(): Promise<void> {}

  async close(): Promise<void> {}
}
