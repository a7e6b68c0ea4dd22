// Ticks that change nothing but the price, with more and more resting in the market.

import type { Engine, TickColumns } from '../src/index.ts'
import { SimpleTriggers } from '../src/testing/index.ts'
import { compare, type Figure, type Line, rate } from './figure.ts'
import { benchVenue, marketId, PRICE, restOn, scatter } from './venue.ts'

const SIZES = [0, 1_000, 100_000, 1_000_000]
const QUICK_SIZES = [0, 1_000, 20_000]

export const ticks: Figure = {
  name: 'ticks',
  about: 'quiet ticks per second, as a feed of columns and one by one through dispatch',
  run({ quick }) {
    const lines: Line[] = []
    for (const size of quick ? QUICK_SIZES : SIZES) lines.push(...quietTicks(size, quick))
    lines.push(naive(1_000), naive(quick ? 5_000 : 100_000))
    return lines
  },
}

function quietTicks(size: number, quick: boolean): Line[] {
  const engine = benchVenue({ accounts: Math.ceil(size / 8) + 1 })
  restOn(engine, size)
  // Long enough for the collection ahead of a round to count for little.
  const feed = feedAfter(engine, quick ? 500_000 : 10_000_000)
  const single = quick ? 100_000 : 2_000_000
  settle(engine)
  const timed = compare({
    bare: () => bareLoop(feed),
    columns: () => {
      later(feed, engine.now)
      return engine.dispatchTicks(feed).accepted
    },
    dispatch: () => {
      later(feed, engine.now)
      return dispatchAll(engine, feed, single)
    },
  })
  const resting = `${size.toLocaleString('en')} resting`
  return [
    rate(`feed, ${resting}`, timed.columns, 'a bare loop', timed.bare, '20M/s, flat within 1.5×'),
    rate(`dispatch, ${resting}`, timed.dispatch, 'the feed', timed.columns, '3M/s, flat within 1.5×'),
  ]
}

/** The scan of everything, as the floor from the other side. */
function naive(size: number): Line {
  const engine = benchVenue(
    { accounts: Math.ceil(size / 8) + 1 },
    { triggers: (world) => new SimpleTriggers(world) },
  )
  restOn(engine, size)
  const feed = feedAfter(engine, Math.max(20, Math.floor(2_000_000 / size)))
  const timed = compare(
    {
      dispatch: () => {
        later(feed, engine.now)
        return dispatchAll(engine, feed, feed.at.length)
      },
    },
    3,
  )
  return rate(`dispatch with the naive triggers, ${size.toLocaleString('en')} resting`, timed.dispatch)
}

/** Prices that scatter 0.2% around the middle, ten a millisecond. */
function feedAfter(engine: Engine, count: number): TickColumns {
  const feed = {
    at: new Float64Array(count),
    indexPrice: new BigInt64Array(count),
    market: new Uint16Array(count),
    marketIds: [marketId(0)],
  }
  for (let tick = 0; tick < count; tick++) {
    feed.at[tick] = engine.now + Math.floor(tick / 10)
    feed.indexPrice[tick] = PRICE + BigInt(scatter(tick, 2_000) - 1_000) * (PRICE / 1_000_000n)
  }
  return feed
}

/** Moves a feed behind what was already dispatched. */
function later(feed: TickColumns, now: number): void {
  const by = now - (feed.at[0] as number)
  for (let tick = 0; tick < feed.at.length; tick++) feed.at[tick] = (feed.at[tick] as number) + by
}

/** Runs the peaks of the trailing stops to the top of the band, and the watches of the accounts into place. */
function settle(engine: Engine): void {
  for (const indexPrice of [PRICE + PRICE / 500n, PRICE - PRICE / 500n, PRICE])
    engine.dispatch({ type: 'updatePrice', marketId: marketId(0), indexPrice })
}

function dispatchAll(engine: Engine, feed: TickColumns, count: number): number {
  const [id] = feed.marketIds as [string]
  for (let tick = 0; tick < count; tick++)
    engine.dispatch(
      { type: 'updatePrice', marketId: id, indexPrice: feed.indexPrice[tick] as bigint },
      { at: feed.at[tick] as number },
    )
  return count
}

function bareLoop({ indexPrice }: TickColumns): number {
  const [above, below] = [PRICE - PRICE / 400n, PRICE + PRICE / 400n]
  let outside = 0
  for (let tick = 0; tick < indexPrice.length; tick++) {
    const price = indexPrice[tick] as bigint
    if (!(price > above && price < below)) outside += 1
  }
  if (outside > 0) throw new Error('the feed leaves the quiet range')
  return indexPrice.length
}
