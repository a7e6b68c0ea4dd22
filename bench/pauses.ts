// The longest pauses of a durable venue at work: orders and ticks at a given rate among many that rest, on a store in a
// directory. `npx tsx bench/pauses.ts [--minutes 10] [--orders 20000] [--ticks 5000] [--resting 1000000]`: the two rates are
// commands a second, an order being placed or cancelled.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createHistogram, PerformanceObserver } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { type Engine, ONE, openEngine } from '../src/index.ts'
import { openLmdbStore } from '../src/store/lmdb/index.ts'
import { loopTime } from './attack/loopTime.ts'
import { accountId, away, marketId, must, PRICE, START, scatter } from './venue.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    orders: { type: 'string', default: '20000' },
    ticks: { type: 'string', default: '5000' },
    resting: { type: 'string', default: '1000000' },
  },
})
const sizes = Object.fromEntries(
  Object.entries(values).map(([name, text]) => [name, Number(text)]),
) as Record<keyof typeof values, number>
for (const [name, size] of Object.entries(sizes))
  if (!(size > 0)) throw new RangeError(`--${name} takes a number above 0`)

const MARKET = marketId(0)
const ACCOUNTS = 1_000
const PER_ACCOUNT = 8

async function venueIn(directory: string): Promise<Engine> {
  const holders = Math.ceil(sizes.resting / PER_ACCOUNT)
  const market = {
    id: MARKET,
    baseAsset: 'A',
    ticker: 'A/USD',
    category: 'crypto',
    indexPrice: PRICE,
  } as const
  const engine = await openEngine({
    store: await openLmdbStore(directory),
    seed: 'pauses',
    at: START,
    markets: [{ ...market, maxPriceAgeMs: 1e12 }],
  })
  for (let n = 0; n < Math.max(holders, ACCOUNTS); n++) {
    const account = {
      id: accountId(n),
      userId: accountId(n),
      balance: 1_000_000n * ONE,
      maxActiveOrders: null,
    }
    must(engine, { type: 'openAccount', account })
    if (n % 10_000 === 0) await engine.whenDurable()
  }
  for (let n = 0; n < sizes.resting; n++) {
    place(engine, n % holders, away(-300 - scatter(n, 3_000)))
    if (n % 10_000 === 0) await engine.whenDurable()
  }
  await engine.whenDurable()
  return engine
}

function place(engine: Engine, account: number, triggerPrice: bigint): string {
  const terms = { marketId: MARKET, orderType: 'limit', direction: 'long', leverage: 2n * ONE } as const
  const amount = 100n * ONE
  return must(engine, { type: 'placeOrder', accountId: accountId(account), ...terms, amount, triggerPrice })
    .value.id
}

/** Nanoseconds as milliseconds. */
const ms = (ns: number) => `${(ns / 1e6).toFixed(1)} ms`
const line = (name: string, value: string) => console.log(`${name.padEnd(46)}${value}`)

const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-pauses-'))
try {
  console.log(`${sizes.resting.toLocaleString('en')} orders are placed first …`)
  const engine = await venueIn(directory)
  const turns = createHistogram()
  const processor = createHistogram()
  const commands = createHistogram()
  const collections = createHistogram()
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collections.record(Math.max(1, Math.round(duration * 1e6)))
  })
  observer.observe({ entryTypes: ['gc'] })

  const timed = (work: () => void) => {
    const began = process.hrtime.bigint()
    work()
    commands.record(Number(process.hrtime.bigint() - began) || 1)
  }
  const own: string[] = []
  let [orders, ticks] = [0, 0]
  const order = () => {
    if (orders % 2 === 0) own.push(place(engine, orders % ACCOUNTS, away(-300 - scatter(orders, 3_000))))
    else must(engine, { type: 'cancelOrder', orderId: own.shift() as string })
    orders += 1
  }
  const tick = () => {
    must(engine, { type: 'updatePrice', marketId: MARKET, indexPrice: away(scatter(ticks, 200) - 100) })
    ticks += 1
  }

  const began = performance.now()
  const seconds = sizes.minutes * 60
  let last = process.hrtime.bigint()
  let used = loopTime(process.pid)
  while (performance.now() - began < seconds * 1_000) {
    const elapsed = (performance.now() - began) / 1_000
    // Some at a turn, as requests come: what is behind is made up for.
    for (let n = 0; n < 100 && orders < elapsed * sizes.orders; n++) timed(order)
    for (let n = 0; n < 100 && ticks < elapsed * sizes.ticks; n++) timed(tick)
    await new Promise(setImmediate)
    const now = process.hrtime.bigint()
    turns.record(Number(now - last) || 1)
    last = now
    const usedNow = loopTime(process.pid)
    processor.record(Math.round((usedNow - used) * 1e6) || 1)
    used = usedNow
  }
  await engine.whenDurable()
  const took = (performance.now() - began) / 1_000
  observer.disconnect()

  line('orders and ticks a second', `${Math.round(orders / took)}, ${Math.round(ticks / took)}`)
  line('longest turn of the loop (aim 20 ms), 99.9%', `${ms(turns.max)}, ${ms(turns.percentile(99.9))}`)
  line('the same, of the processor', `${ms(processor.max)}, ${ms(processor.percentile(99.9))}`)
  line('longest command, 99.9%', `${ms(commands.max)}, ${ms(commands.percentile(99.9))}`)
  line('longest collection of garbage, how many', `${ms(collections.max)}, ${collections.count}`)
  line('resident at the end', `${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`)
  await engine.close()
} finally {
  rmSync(directory, { recursive: true })
}
