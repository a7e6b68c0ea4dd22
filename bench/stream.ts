// What listening costs: subscribers of one account each, orders filled for accounts in turn at a fixed rate, and how long after a
// commit its messages are with whoever hears them.
//
//   npx tsx --expose-gc bench/stream.ts [subscribers] [orders a second] [seconds] [pairs]
//
// Venue and subscribers are processes of their own. Times are of the machine's monotonic clock, which both read. The load is
// given in the venue's process, so that what is compared is the venue and not a client. In that process are two engines with the
// same accounts, one of which nobody listens to: they have the load by turns, so that whatever else the machine does, and a heap
// as full, is with both.

import { type ChildProcess, fork } from 'node:child_process'
import { connect } from 'node:net'
import { createServer, DueInstants, type Session, systemClock } from '../src/host/index.ts'
import { createEngine, type Engine } from '../src/index.ts'
import { ONE } from '../src/quantity/fp9.ts'

/** Whose load it is: of the engine that nobody listens to, or of the other. */
type Side = 'alone' | 'heard'

const [role = '1000'] = process.argv.slice(2)
const MARKET = 'b0000000-0000-4000-8000-000000000001'
const hex = (number: number) => number.toString(16).padStart(12, '0')
const accountOf = (number: number) => `a0000000-0000-4000-8000-${hex(number)}`
const userOf = (number: number) => `c0000000-0000-4000-8000-${hex(number)}`
const monotonicMs = () => Number(process.hrtime.bigint() / 1_000n) / 1_000

/** Prices that are told in portions take so long to reach everybody. */
const SETTLE_MS = 2_500

/** What a stretch of load was like for the venue. */
interface Stretch {
  readonly orders: number
  readonly seconds: number
  /** Processor time of the venue, seconds: what it did for orders and for listeners, and what of that was the system's. */
  readonly processor: number
  readonly system: number
  /** From each command to its acknowledgement, µs: the middle one, and the tenth part that took longest from there on. */
  readonly dispatch: { readonly median: number; readonly slow: number }
  /** Resident bytes after the stretch. */
  readonly bytes: number
  /** The longest the load waited for its turn of the loop, ms, and what of that the processor worked for the venue. */
  readonly held: { readonly ms: number; readonly processor: number }
  /** By commit: when it was given, ms. */
  readonly given: readonly (readonly [seq: number, at: number])[]
}

if (role === 'venue') await venue()
else if (role === 'subscribers') subscribers()
else await main()

async function venue(): Promise<void> {
  const [, count = 0, rate = 0, seconds = 0] = process.argv.slice(2).map(Number)
  const engines = { alone: engineOf(count), heard: engineOf(count) }
  const sessions: Session[] = Array.from({ length: count }, (_, number) => ({
    userId: userOf(number),
    token: `session-${number}`,
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
  process.on('message', async (message: 'end' | Side) => {
    if (message === 'end') process.exit()
    process.send?.({ stretch: await load(engines[message], count, rate, seconds) })
  })
}

function engineOf(count: number): Engine {
  const accounts = Array.from({ length: count }, (_, number) => ({
    id: accountOf(number),
    userId: userOf(number),
    balance: 1_000_000n * ONE,
    maxDailyLoss: ONE,
    maxTotalLoss: ONE,
  }))
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
    accounts,
  })
}

/** Market orders that fill, of one account after the other, at an even pace, and four ticks a second. */
async function load(engine: Engine, accounts: number, rate: number, seconds: number): Promise<Stretch> {
  globalThis.gc?.()
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
      const accountId = accountOf(orders % accounts)
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
  const { user, system } = process.cpuUsage(before)
  globalThis.gc?.()
  return {
    orders,
    seconds: (performance.now() - start) / 1_000,
    processor: (user + system) / 1e6,
    system: system / 1e6,
    dispatch: { median: shareOf(taken, 0.5), slow: shareOf(taken, 0.9) },
    bytes: process.memoryUsage().rss,
    held,
    given,
  }
}

function subscribers(): void {
  const [, count = 0, port = 0] = process.argv.slice(2).map(Number)
  const heard: [number, number][] = []
  let [begun, messages] = [0, 0]
  const open = (number: number) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      localAddress: `127.0.0.${2 + Math.floor(number / 900)}`,
    })
    let text = ''
    let hasBegun = false
    socket.on('data', (chunk) => {
      const at = monotonicMs()
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const event = text.slice(0, end)
        text = text.slice(end + 2)
        if (!event.includes('data: ')) continue
        messages += 1
        if (event.includes('"type":"price"') || event.includes('"type":"equity"')) continue
        if (event.includes('"type":"snapshot"')) {
          hasBegun = true
          begun += 1
          if (begun === count) process.send?.('begun')
          else if (begun + 50 <= count) open(begun + 49)
        }
        const order = /"type":"order","seq":(\d+).*"status":"executed"/.exec(event)
        if (order !== null && hasBegun) heard.push([Number(order[1]), at])
      }
    })
    socket.on('error', (error) => console.error(error.message))
    socket.write(`GET /stream HTTP/1.1\r\nhost: venue\r\nauthorization: Bearer session-${number}\r\n\r\n`)
  }
  for (let number = 0; number < Math.min(50, count); number++) open(number)
  process.on('message', (message) => {
    if (message === 'heard') process.send?.({ heard, messages })
    else process.exit()
  })
}

async function main(): Promise<void> {
  const [count = 1_000, rate = 500, seconds = 10, pairs = 4] = process.argv.slice(2).map(Number)
  const execArgv = ['--expose-gc', '--import', 'tsx']
  const server = fork(import.meta.filename, ['venue', `${count}`, `${rate}`, `${seconds}`], { execArgv })
  const { port } = await told<{ port: number }>(server)
  const load = async (side: Side) => {
    server.send(side)
    const { stretch } = await told<{ stretch: Stretch }>(server)
    // What was to be told of it has been, prices included.
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    return stretch
  }
  await load('alone')
  const { bytes } = await load('heard')
  const clients = fork(import.meta.filename, ['subscribers', `${count}`, `${port}`], { execArgv })
  await told(clients)
  const [alone, heardByAll]: [Stretch[], Stretch[]] = [[], []]
  for (let pair = 0; pair < pairs; pair++)
    for (const side of pair % 2 === 0 ? (['alone', 'heard'] as const) : (['heard', 'alone'] as const))
      (side === 'alone' ? alone : heardByAll).push(await load(side))
  clients.send('heard')
  const { heard, messages } = await told<{ heard: [number, number][]; messages: number }>(clients)
  const given = new Map(heardByAll.flatMap((stretch) => stretch.given))
  const waits = heard.flatMap(([seq, at]) => (given.has(seq) ? [at - (given.get(seq) as number)] : []))
  const share = (part: number) => shareOf(waits, part).toFixed(1)
  const middle = (stretches: readonly Stretch[], of: (stretch: Stretch) => number) =>
    shareOf(stretches.map(of), 0.5)
  const both = (of: (stretch: Stretch) => number, digits: number) =>
    `${middle(alone, of).toFixed(digits)} without, ${middle(heardByAll, of).toFixed(digits)} with`
  const ratios = (of: (stretch: Stretch) => number) =>
    heardByAll.map((stretch, pair) => (of(stretch) / of(alone[pair] as Stretch)).toFixed(2)).join(' ')
  const byOrder =
    (of: (stretch: Stretch) => number) =>
    (stretch: Stretch): number =>
      (of(stretch) * 1e6) / stretch.orders
  const median = ({ dispatch }: Stretch) => dispatch.median
  const slow = ({ dispatch }: Stretch) => dispatch.slow
  console.log(`${count} subscribers, 4 ticks/s, ${pairs} pairs of stretches; of each the middle one`)
  console.log(`orders/s: ${both(({ orders, seconds: taken }) => orders / taken, 0)}`)
  console.log(`delivered ${waits.length} of ${given.size} fills, ${messages} messages in all`)
  console.log(`commit to delivery: p50 ${share(0.5)} ms, p99 ${share(0.99)} ms`)
  console.log(`command to acknowledgement, µs: ${both(median, 1)}; pair by pair ${ratios(median)}`)
  console.log(`the same, 90 %: ${both(slow, 1)}; pair by pair ${ratios(slow)}`)
  console.log(
    `processor of the venue by order, µs: ${both(
      byOrder((stretch) => stretch.processor),
      0,
    )}; of the system: ${both(
      byOrder((stretch) => stretch.system),
      0,
    )}`,
  )
  console.log(`longest turn of the loop, ms: ${both(({ held }) => held.ms, 0)}`)
  console.log(`what of it the processor worked, ms: ${both(({ held }) => held.processor, 0)}`)
  const last = Math.max(...heardByAll.map((stretch) => stretch.bytes))
  console.log(
    `memory for each subscriber, with that of the orders: ${((last - bytes) / count / 1_024).toFixed(1)} KiB`,
  )
  server.send('end')
  clients.send('end')
}

/** The value that so great a part of them stays below. */
function shareOf(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN
}

function told<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => child.once('message', (message) => resolve(message as T)))
}
