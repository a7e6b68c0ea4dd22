// A price that rises through the peaks of many trailing stops, each placed at a peak of its own.

import { type Engine, ONE } from '../src/index.ts'
import { SimpleTriggers } from '../src/testing/index.ts'
import { compare, type Figure, type Line, once, type Timing, type Work } from './figure.ts'
import { accountId, benchVenue, marketId, must, open, PRICE } from './venue.ts'

const STEP = PRICE / 10_000_000n
const MARKET = marketId(0)
/** Stops of a first venue, on which the compiler learns. */
const WARM_UP = 2_000
const ROUNDS = 5
const NAIVE_TICKS = 20

export const peaks: Figure = {
  name: 'peaks',
  about: 'a price making new highs over trailing stops, per tick',
  run({ quick }) {
    const stops = quick ? 10_000 : 100_000
    const [feed, single] = [byFeed, byDispatch].map((rise) => {
      for (let round = 0; round < ROUNDS; round++) risingOver(WARM_UP, rise)
      return risingOver(stops, rise)
    }) as [Rising, Rising]
    const naive = naiveHigh(stops)
    const all = stops.toLocaleString('en')
    return [
      {
        ...line(`a new high over ${all} stops in one segment, by the feed`, feed.running, naive),
        aim: '1 µs',
      },
      { ...line('… through dispatch', single.running, naive), aim: '1 µs' },
      line(`passing one of ${all} peaks, merging it, by the feed`, feed.merging, naive),
      line('… through dispatch', single.merging, naive),
    ]
  },
}

/** Makes ticks ready, from one price on, each a step above the last. */
type Rise = (engine: Engine, from: bigint, ticks: number) => Work

interface Rising {
  readonly merging: Timing
  readonly running: Timing
}

function risingOver(stops: number, rise: Rise): Rising {
  const engine = benchVenue({})
  const { positionId } = open(engine, 0, 0, 'long', false)
  for (let n = 0; n < stops; n++) {
    must(engine, { type: 'updatePrice', marketId: MARKET, indexPrice: PRICE - BigInt(n) * STEP })
    trail(engine, positionId, n)
  }
  const lowest = PRICE - BigInt(stops - 1) * STEP
  const merging = once(rise(engine, lowest + 1n, stops))
  let top = PRICE
  let work: Work = () => 0
  const { running } = compare({ running: () => work() }, ROUNDS, () => {
    work = rise(engine, top + STEP, stops)
    top += BigInt(stops) * STEP
  })
  return { merging, running }
}

/** The scan of everything. The stops have one peak from the start: with peaks of their own the placing alone would take minutes. */
function naiveHigh(stops: number): Timing {
  const engine = benchVenue({}, { triggers: (world) => new SimpleTriggers(world) })
  const { positionId } = open(engine, 0, 0, 'long', false)
  for (let n = 0; n < stops; n++) trail(engine, positionId, n)
  let top = PRICE
  let work: Work = () => 0
  return compare({ high: () => work() }, 3, () => {
    work = byDispatch(engine, top + STEP, NAIVE_TICKS)
    top += BigInt(NAIVE_TICKS) * STEP
  }).high
}

/** Half of the stops trail at an absolute distance, half at a fraction of the peak. */
function trail(engine: Engine, positionId: string, n: number): void {
  must(engine, {
    type: 'placeOrder',
    accountId: accountId(0),
    marketId: MARKET,
    orderType: 'trailing_stop',
    direction: 'long',
    positionId,
    amount: ONE,
    ...(n % 2 === 0
      ? { trailingStopOffset: PRICE / 10n }
      : { trailingStopOffsetPercent: ONE / 10n + BigInt(n) }),
  })
}

function byDispatch(engine: Engine, from: bigint, ticks: number): Work {
  return () => {
    for (let n = 0; n < ticks; n++)
      must(engine, { type: 'updatePrice', marketId: MARKET, indexPrice: from + BigInt(n) * STEP })
    return ticks
  }
}

function byFeed(engine: Engine, from: bigint, ticks: number): Work {
  const feed = {
    at: new Float64Array(ticks).fill(engine.now),
    indexPrice: BigInt64Array.from({ length: ticks }, (_, n) => from + BigInt(n) * STEP),
    market: new Uint16Array(ticks),
    marketIds: [MARKET],
  }
  return () => engine.dispatchTicks(feed).accepted
}

function line(what: string, { nsPerOperation }: Timing, naive: Timing): Line {
  const floor = {
    what: 'the naive triggers',
    value: naive.nsPerOperation / 1_000,
    times: nsPerOperation / naive.nsPerOperation,
  }
  return { what, value: nsPerOperation / 1_000, unit: ' µs', floor }
}
