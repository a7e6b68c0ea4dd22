// The venue of bench/stream.ts: two engines with the same accounts, one of which nobody listens to, and the load on either.

import { Socket } from 'node:net'
import { createServer, DueInstants, type Session, systemClock } from '../../src/host/index.ts'
import { createEngine, type Engine } from '../../src/index.ts'
import { ONE } from '../../src/quantity/fp9.ts'
import {
  accountOf,
  fillsIn,
  monotonicMs,
  type Side,
  type Stretch,
  shareOf,
  tokenOf,
  userOf,
  type Written,
} from './terms.ts'

const MARKET = 'b0000000-0000-4000-8000-000000000001'
/** Characters: a price or an equity has fewer, what a fill is told with has more. */
const LONGEST_OF_ALL = 600

/** Prices that are told in portions take so long to reach everybody. */
const SETTLE_MS = 2_500

const [count = 0, rate = 0, seconds = 0] = process.argv.slice(2).map(Number)
const engines = { alone: engineOf(count), heard: engineOf(count) }
const written = noteFills()
const sessions: Session[] = Array.from({ length: count }, (_, number) => ({
  userId: userOf(number),
  token: tokenOf(number),
}))
const { heard: engine } = engines
const clock = systemClock(engine)
const due = new DueInstants(engine, clock)
const app = await createServer({ engine, clock, due, sessions, rateLimit: null })
// What counts for metrics is part of both.
const quiet = await createServer({
  engine: engines.alone,
  clock: systemClock(engines.alone),
  due: new DueInstants(engines.alone, clock),
  rateLimit: null,
})
await quiet.ready()
const url = await app.listen({ port: 0, host: '0.0.0.0' })
process.send?.({ port: Number(new URL(url).port) })
process.on('message', async (message: 'end' | 'written' | Side) => {
  if (message === 'end') process.exit()
  process.send?.(message === 'written' ? written : await load(message))
})

/** Notes when the system has been given each fill: what comes after that is the reader's. */
function noteFills(): Written {
  const [at, noted] = [[] as [number, number][], { held: 0 }]
  const write = Socket.prototype.write as (
    this: Socket,
    chunk: string | Buffer,
    ...rest: unknown[]
  ) => boolean
  Socket.prototype.write = function (this: Socket, chunk: string | Buffer, ...rest: unknown[]) {
    const result = write.call(this, chunk, ...rest)
    if (chunk.length < LONGEST_OF_ALL) return result
    const now = monotonicMs()
    for (const seq of fillsIn(chunk)) {
      at.push([seq, now])
      if (this.writableLength > 0) noted.held += 1
    }
    return result
  } as Socket['write']
  return {
    at,
    get held() {
      return noted.held
    },
  }
}

function engineOf(accounts: number): Engine {
  const market = {
    id: MARKET,
    baseAsset: 'BTC',
    ticker: 'BTC/USD',
    category: 'crypto',
    indexPrice: 50_000n * ONE,
  } as const
  return createEngine({
    seed: 'stream',
    at: Date.now(),
    markets: [{ ...market, maxPriceAgeMs: 86_400_000 }],
    accounts: Array.from({ length: accounts }, (_, number) => ({
      id: accountOf(number),
      userId: userOf(number),
      balance: 1_000_000n * ONE,
      maxDailyLoss: ONE,
      maxTotalLoss: ONE,
    })),
  })
}

/** Market orders that fill, of one account after the other, at an even pace, and four ticks a second. */
async function load(side: Side): Promise<Stretch> {
  const engine = engines[side]
  globalThis.gc?.()
  const writtenBefore = written.at.length
  const given: [number, number][] = []
  const taken: number[] = []
  const before = process.cpuUsage()
  const start = performance.now()
  let [orders, ticks] = [0, 0]
  let held = { ms: 0, processor: 0 }
  while (performance.now() - start < seconds * 1_000) {
    const elapsed = (performance.now() - start) / 1_000
    const at = Math.max(Date.now(), engine.now)
    if (ticks < elapsed * 4) {
      ticks += 1
      engine.dispatch(
        { type: 'updatePrice', marketId: MARKET, indexPrice: (50_000n + BigInt(ticks % 10)) * ONE },
        { at },
      )
    }
    while (orders < elapsed * rate) {
      const accountId = accountOf(orders % count)
      const asked = performance.now()
      const order = { accountId, marketId: MARKET, orderType: 'market', direction: 'long' } as const
      const outcome = engine.dispatch(
        { type: 'placeOrder', ...order, amount: 20n * ONE, leverage: 5n * ONE },
        { at },
      )
      taken.push((performance.now() - asked) * 1_000)
      if (!outcome.ok) throw new Error(outcome.error.code)
      given.push([outcome.seq, monotonicMs()])
      orders += 1
    }
    // It sleeps where nothing is due: processor time is that of the orders, and not of waiting for them.
    const [slept, spent] = [performance.now(), process.cpuUsage()]
    await new Promise((resolve) => setTimeout(resolve, 1))
    const ms = performance.now() - slept
    const { user, system } = process.cpuUsage(spent)
    if (ms > held.ms) held = { ms, processor: (user + system) / 1_000 }
  }
  const lasted = (performance.now() - start) / 1_000
  // A venue that is behind still has work to do that is of these orders.
  const told = () => written.at.length - writtenBefore
  for (let waited = 0; told() > 0 && told() < orders && waited < SETTLE_MS; waited++)
    await new Promise((resolve) => setTimeout(resolve, 1))
  const { user, system } = process.cpuUsage(before)
  // A collection at once would hold up the last fills by hundreds of milliseconds: first all is told, prices included.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  globalThis.gc?.()
  return {
    orders,
    seconds: lasted,
    processor: (user + system) / 1e6,
    system: system / 1e6,
    dispatch: { median: shareOf(taken, 0.5), slow: shareOf(taken, 0.9) },
    bytes: process.memoryUsage().rss,
    held,
    given,
  }
}
