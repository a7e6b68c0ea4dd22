// A funding file is charged at its own instants, with its own rates, and nothing is charged through its holes.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BarFeed, barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import type { FundingRates } from '../../../../src/backtest/feed/funding.ts'
import { fundingIntervalOf, rateChanges } from '../../../../src/backtest/feed/fundingSchedule.ts'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import type { Commit } from '../../../../src/index.ts'
import { hours } from '../report/runs.ts'
import { wildBars } from './venue.ts'

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 0, 6)

const ratesAt = (entries: readonly (readonly [time: number, rate: bigint])[]): FundingRates => ({
  length: entries.length,
  time: Float64Array.from(entries.map(([time]) => time)),
  rate: BigInt64Array.from(entries.map(([, rate]) => rate)),
})

/** Hours with a rate, and holes of any length between them. */
const files = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.bigInt(-500_000n, 500_000n)), {
    minLength: 1,
    maxLength: 12,
  })
  .map((steps) => {
    let hour = 0
    return steps.map(([step, rate]) => {
      hour += step
      return [START + hour * HOUR_MS, rate] as const
    })
  })

describe('rate changes', () => {
  test('at every instant the rate of the file applies, and none where the file has none', () => {
    let holes = 0
    fc.assert(
      fc.property(files, (entries) => {
        const changes = rateChanges(ratesAt(entries), HOUR_MS)
        const known = new Map(entries)
        for (let at = START; at <= START + 60 * HOUR_MS; at += HOUR_MS) {
          const applies = changes.filter((change) => change.at < at).at(-1)?.rate ?? 0n
          expect(applies).toBe(known.get(at) ?? 0n)
          if (!known.has(at)) holes += 1
        }
        for (const [index, { at }] of changes.entries())
          if (index > 0) expect(at).toBeGreaterThan((changes[index - 1] as { at: number }).at)
      }),
    )
    expect(holes).toBeGreaterThan(0)
  })

  test('no rate is set before the last millisecond ahead of its instant', () => {
    const [first] = rateChanges(ratesAt([[START, 7n]]), HOUR_MS)
    expect(first).toEqual({ at: START - 1, rate: 7n })
  })

  test('an instant that is none of the market is refused', () => {
    expect(() => rateChanges(ratesAt([[START + 1, 7n]]), HOUR_MS)).toThrow(/no funding instant/)
  })

  test('the interval of a file is its commonest step', () => {
    const times = (...hours: number[]) => ratesAt(hours.map((hour) => [START + hour * HOUR_MS, 1n]))
    expect(fundingIntervalOf(times(0, 8, 16, 17, 25))).toBe(8 * HOUR_MS)
    expect(fundingIntervalOf(times(0, 1, 9, 17))).toBe(8 * HOUR_MS)
    expect(fundingIntervalOf(times(0))).toBeNull()
    expect(fundingIntervalOf(times())).toBeNull()
  })
})

test('a run through a hole pays at the instants of the file alone', async () => {
  const bars = wildBars('funding', 600)
  const feed: BarFeed = barFeedOf('bars', 60_000, () => [bars])
  const first = Math.ceil(((bars.openTime[0] as number) + 1) / HOUR_MS) * HOUR_MS
  const instants = [1, 2, 5, 6].map((hour) => first + hour * HOUR_MS)
  let bought = false
  const holder: Strategy = {
    name: 'buys once',
    async onBar(_, context) {
      if (bought) return
      bought = true
      await context.open({ asset: 'BTC', direction: 'long', sizeBy: { notional: '20%' }, leverage: '1' })
    },
  }
  const paid: [at: number, amount: boolean][] = []
  await runBacktest({
    markets: [
      {
        asset: 'BTC',
        feed,
        funding: ratesAt(instants.map((at, index) => [at, index % 2 === 0 ? 200_000n : -200_000n])),
        parameters: { fundingIntervalMs: HOUR_MS },
      },
    ],
    strategy: holder,
    account: { maxDailyLoss: 1_000_000_000n, maxTotalLoss: 1_000_000_000n },
    recorder: {
      start() {},
      bar() {},
      tick() {},
      commit({ at, events }: Commit) {
        for (const event of events) if (event.type === 'payFunding') paid.push([at, event.amount < 0n])
      },
    },
  })
  expect(paid).toEqual(instants.map((at, index) => [at, index % 2 === 0]))
})

test('two markets whose data leaves out the same night: the rates of both are set in the order of their times', async () => {
  const [night, last] = [6, 8]
  const bars = (first: number) => {
    const columns = hours(Array.from({ length: last }, () => [100, 100, 100, 100] as const))
    const openTime = columns.openTime.map((_, row) => first + (row + (row >= last / 2 ? night : 0)) * HOUR_MS)
    return { ...columns, openTime }
  }
  const instants = Array.from({ length: last + night }, (_, hour) => START + (hour + 1) * HOUR_MS)
  const rates = ratesAt(instants.map((at, index) => [at, BigInt(index + 1)]))
  const set: [market: string, at: number, rate: bigint][] = []
  await runBacktest({
    markets: ['BTC', 'ETH'].map((asset) => ({
      asset,
      feed: barFeedOf(asset, HOUR_MS, () => [bars(START)]),
      funding: rates,
      parameters: { fundingIntervalMs: HOUR_MS },
    })),
    strategy: { name: 'watches' },
    recorder: {
      start() {},
      bar() {},
      tick() {},
      commit({ at, events }: Commit) {
        for (const event of events)
          if (event.type === 'fundingRateChanged') set.push([event.marketId, at, event.fundingRate])
      },
    },
  })
  const passed = instants.slice(0, -1)
  const markets = [...new Set(set.map(([market]) => market))]
  expect(markets).toHaveLength(2)
  for (const one of markets)
    expect(set.filter(([market]) => market === one).map(([, at, rate]) => [at, rate])).toEqual(
      passed.map((at, index) => [at - 1, BigInt(index + 1)]),
    )
})
