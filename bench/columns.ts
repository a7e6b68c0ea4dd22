/**
 * `npx tsx --expose-gc bench/columns.ts [positions]`: what funding would take with a market's positions in columns. A prototype: money and
 * sizes side by side in typed arrays, the same formulas, the same event for each position written as bytes, levels computed in one go and
 * put in order once. No accounts are looked up, no history list is told and nothing is answered: it is the least that such a form could
 * take, beside the engine's instant in the same process. Processor time of both, the best of five in turns, and a check that both agree.
 */
import { fundingPayment } from '../src/domain/formulas/funding.ts'
import { liquidationPrice } from '../src/domain/formulas/liquidation.ts'
import type { Position } from '../src/domain/state/position.ts'
import { writeCommit } from '../src/events/codec/commitCodec.ts'
import { EncodedBlocks } from '../src/events/codec/encodedBlocks.ts'
import type { Event } from '../src/index.ts'
import { collect } from './figure.ts'
import { accountId, benchVenue, marketId, must, open, PRICE } from './venue.ts'

const INTERVAL_MS = 28_800_000
const RATE = 100_000n
const ROUNDS = 5
const positions = Number(process.argv[2] ?? 100_000)

const engine = benchVenue({ accounts: positions })
for (let n = 0; n < positions; n++) open(engine, n, 0, n % 2 === 0 ? 'long' : 'short', false)
must(engine, { type: 'setFundingRate', marketId: marketId(0), fundingRate: RATE })
const maintenanceMarginRate = engine.read.marketParameters(marketId(0))?.maintenanceMarginRate ?? 0n

const ids: string[] = []
const accounts: string[] = []
const isLong = new Uint8Array(positions)
const [size, notional, margin, funding, version] = Array.from(
  { length: 5 },
  () => new BigInt64Array(positions),
) as [BigInt64Array, BigInt64Array, BigInt64Array, BigInt64Array, BigInt64Array]
const levels = new Float64Array(positions)
const blocks = new EncodedBlocks()
for (let n = 0; n < positions; n++) {
  const [position] = engine.read.activePositions(accountId(n))
  if (position === undefined) throw new Error(`account ${n} has no position`)
  ids.push(position.id)
  accounts.push(position.accountId)
  isLong[n] = position.direction === 'long' ? 1 : 0
  size[n] = position.size
  notional[n] = position.notional
  margin[n] = position.margin
}

const directionOf = (n: number) => (isLong[n] === 1 ? 'long' : 'short')

const stages = {
  payments() {
    for (let n = 0; n < positions; n++) {
      const terms = { direction: directionOf(n), size: size[n], margin: margin[n] } as Position
      const amount = fundingPayment(terms, PRICE, isLong[n] === 1 ? RATE : -RATE)
      margin[n] = (margin[n] as bigint) + amount
      funding[n] = (funding[n] as bigint) + amount
      version[n] = amount
    }
  },
  events() {
    const events: Event[] = []
    for (let n = 0; n < positions; n++)
      events.push({
        type: 'payFunding',
        positionId: ids[n] as string,
        accountId: accounts[n] as string,
        marketId: marketId0,
        direction: directionOf(n),
        amount: version[n] as bigint,
        indexPrice: PRICE,
        fundingRate: isLong[n] === 1 ? RATE : -RATE,
      })
    blocks.begin()
    writeCommit(blocks.writer, { seq: 1, at: INTERVAL_MS, command: { type: 'advanceTime', ms: 1 }, events })
    blocks.end()
  },
  levels() {
    for (let n = 0; n < positions; n++) {
      const terms = {
        direction: directionOf(n),
        size: size[n] as bigint,
        notional: notional[n] as bigint,
        margin: margin[n] as bigint,
      } as const
      levels[n] = Number(liquidationPrice(terms, maintenanceMarginRate))
    }
  },
  order() {
    levels.slice().sort()
  },
}
const marketId0 = marketId(0)

const best = new Map<string, number>()
for (let round = 0; round < ROUNDS; round++) {
  time('engine', () => {
    const due = Math.floor(engine.now / INTERVAL_MS + 1) * INTERVAL_MS
    must(engine, { type: 'advanceTime', ms: due - engine.now })
  })
  for (const [name, stage] of Object.entries(stages)) time(name, stage)
}
for (let n = 0; n < positions; n += 997)
  if (engine.read.activePositions(accountId(n))[0]?.margin !== margin[n])
    throw new Error(`position ${n} differs`)
let columns = 0
for (const [name, ms] of best) {
  if (name !== 'engine') columns += ms
  console.log(`${name.padEnd(10)}${ms.toFixed(0).padStart(6)} ms`)
}
console.log(`${'columns'.padEnd(10)}${columns.toFixed(0).padStart(6)} ms, all four`)

/** Of the processor, this thread and the collector's helpers counted. */
function time(name: string, work: () => void): void {
  collect()
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / 1_000))
}
