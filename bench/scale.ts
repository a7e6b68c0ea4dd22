// What a large venue holds back: how long each thing that it does by itself, or for one of many, takes, and the longest time
// that the loop was held meanwhile (K15). `npx tsx bench/scale.ts [name ...]`. Names: midnight, snapshot, close, keys, stop.
// SCALE_SHARE=0.1 takes a tenth of every size.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { type Engine, ONE, openEngine } from '../src/index.ts'
import { openLmdbStore } from '../src/store/lmdb/index.ts'
import { accountId, away, benchVenue, marketId, must, PRICE, START, scatter } from './venue.ts'

const DAY_MS = 86_400_000
/** Milliseconds between two looks at the loop: holds shorter than this are not seen. */
const RESOLUTION = 1
const share = Number(process.env.SCALE_SHARE ?? '1')
const size = (full: number) => Math.max(1, Math.round(full * share))

const PARTS: Record<string, () => Promise<void>> = {
  async midnight() {
    const accounts = size(1_000_000)
    const engine = benchVenue({ accounts }, { log: false })
    must(engine, { type: 'advanceTime', ms: DAY_MS })
    await held(`midnight of ${named(accounts)} idle accounts`, async () => {
      must(engine, { type: 'advanceTime', ms: DAY_MS })
    })
  },

  async snapshot() {
    const orders = size(100_000)
    const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-scale-'))
    const store = await openLmdbStore(directory)
    let longest = 0
    const save = store.saveSnapshot.bind(store)
    store.saveSnapshot = (snapshot) => {
      function* timed(): Generator<Uint8Array> {
        for (let from = performance.now(); ; from = performance.now()) {
          const { done, value } = pieces.next()
          if (done === true) return
          longest = Math.max(longest, performance.now() - from)
          yield value
        }
      }
      const pieces = snapshot.pieces[Symbol.iterator]()
      return save({ ...snapshot, pieces: timed() })
    }
    const engine = await openEngine({ seed: 'bench', at: START, store, snapshotEvery: 1e9 })
    try {
      list(engine, 0)
      for (let n = 0; n < 1_000; n++) open(engine, n)
      for (let n = 0; n < orders; n++) {
        rest(engine, n % 1_000, 0, n)
        if (n % 2_000 === 1_999) await engine.settled()
      }
      await engine.settled()
      let saved = false
      let commands = 0
      const tick = async () => {
        must(engine, { type: 'updatePrice', marketId: marketId(0), indexPrice: PRICE + BigInt(commands % 9) })
        await setImmediate()
      }
      await held('5,000 commands without a snapshot', async () => {
        for (let n = 0; n < 5_000; n++) await tick()
      })
      await held(`snapshot of ${named(orders)} resting orders while commands go on`, async () => {
        const saving = engine.saveSnapshot().then(() => {
          saved = true
        })
        for (; !saved; commands += 1) await tick()
        await saving
      })
      console.log(`  its longest piece ${longest.toFixed(1)} ms; ${named(commands)} commands meanwhile`)
    } finally {
      await engine.close()
      rmSync(directory, { recursive: true })
    }
  },

  async close() {
    const orders = size(1_000_000)
    const engine = benchVenue({ accounts: 10_000 }, { log: false })
    list(engine, 1)
    for (let n = 0; n < orders; n++) rest(engine, n % 10_000, 0, n)
    for (let n = 0; n < 100; n++) rest(engine, n, 1, n)
    await held(`weekly close of 100 orders beside ${named(orders)} of another market`, async () => {
      must(engine, { type: 'weeklySessionRiskClose', marketId: marketId(1) })
    })
  },

  async keys() {
    const keys = size(1_000_000)
    const engine = benchVenue({ accounts: 1_000 }, { log: false })
    const place = (n: number) => {
      const { value } = rest(engine, n % 1_000, 0, n, `key ${n}`)
      must(engine, { type: 'cancelOrder', orderId: value.id })
    }
    for (let n = 0; n < keys; n++) place(n)
    must(engine, { type: 'advanceTime', ms: 3_600_001 })
    await held(`1,000 orders after an hour with ${named(keys)} idempotency keys`, async () => {
      for (let n = 0; n < 1_000; n++) place(keys + n)
    })
  },

  async stop() {
    const orders = size(1_000_000)
    const engine = benchVenue({ accounts: 10_001 }, { log: false })
    for (let n = 0; n < orders; n++) rest(engine, n % 10_000, 0, n)
    for (let n = 0; n < 500; n++) rest(engine, 10_000, 0, n)
    await held(`stopAccount with 500 orders beside ${named(orders)} of others`, async () => {
      must(engine, { type: 'stopAccount', accountId: accountId(10_000), reason: 'manual' })
    })
  },
}

function list(engine: Engine, market: number): void {
  must(engine, {
    type: 'configureMarket',
    market: {
      id: marketId(market),
      baseAsset: `A${market}`,
      ticker: `A${market}/USD`,
      category: 'crypto',
      indexPrice: PRICE,
      maxPriceAgeMs: 1e12,
    },
  })
}

function open(engine: Engine, account: number): void {
  must(engine, {
    type: 'openAccount',
    account: {
      id: accountId(account),
      userId: accountId(account),
      balance: 1_000_000n * ONE,
      maxLeverage: 100n * ONE,
      maxActiveOrders: null,
    },
  })
}

function rest(engine: Engine, account: number, market: number, n: number, idempotencyKey?: string) {
  return must(engine, {
    type: 'placeOrder',
    accountId: accountId(account),
    marketId: marketId(market),
    orderType: 'limit',
    direction: 'long',
    amount: 100n * ONE,
    leverage: 2n * ONE,
    triggerPrice: away(-200 - scatter(n, 2_000)),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  })
}

/** Times some work, and the longest that the loop was held while it went on. */
async function held(what: string, work: () => Promise<void>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
  delay.enable()
  delay.reset()
  // The first look after a reset only sets the clock.
  await setTimeout(20)
  const started = performance.now()
  await work()
  const took = performance.now() - started
  await setTimeout(5 * RESOLUTION)
  delay.disable()
  const longest = Math.max(0, delay.max / 1e6 - RESOLUTION)
  console.log(`${what}: ${took.toFixed(1)} ms, longest hold ${longest.toFixed(1)} ms (±${RESOLUTION} ms)`)
}

function named(count: number): string {
  return count.toLocaleString('en')
}

const chosen = process.argv.slice(2)
for (const [name, part] of Object.entries(PARTS))
  if (chosen.length === 0 || chosen.includes(name)) await part()
