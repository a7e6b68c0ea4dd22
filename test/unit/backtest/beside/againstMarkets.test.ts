// A run against its markets: their prices at the points of its curve, its days beside theirs, and what it did where they moved.

import { describe, expect, test } from 'vitest'
import {
  type AgainstMarkets,
  againstMarkets,
  type StressPeriod,
} from '../../../../src/backtest/beside/againstMarkets.ts'
import { barFeedOf, type TickFeed } from '../../../../src/backtest/feed/feed.ts'
import { Recording } from '../../../../src/backtest/recording/recording.ts'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { dailyReturns } from '../../../../src/backtest/statistics/dailyReturns.ts'
import { marketLink } from '../../../../src/backtest/statistics/marketLink.ts'
import { ROLLING_DAYS } from '../../../../src/backtest/statistics/rolling.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import { type Candle, HOUR_MS, hours, START } from '../report/runs.ts'
import { restlessTrader } from '../run/restlessTrader.ts'

const DAY_MS = 24 * HOUR_MS

/** Hours of a market that wanders. */
function wandering(seed: string, count: number): Candle[] {
  const random = new Random(seed)
  let price = 100
  return Array.from({ length: count }, () => {
    const open = price
    price = Number((open * (1 + 0.02 * (random.uniform() - 0.5))).toFixed(4))
    const beyond = (edge: number, by: number) => Number((edge + by).toFixed(4))
    return [open, beyond(Math.max(open, price), 0.05), beyond(Math.min(open, price), -0.05), price]
  })
}

/** From an hour on, up to before another. */
function market(asset: string, candles: readonly Candle[], from = 0, to = candles.length) {
  const bars = hours(candles)
  const part = {
    length: to - from,
    openTime: bars.openTime.subarray(from, to),
    open: bars.open.subarray(from, to),
    high: bars.high.subarray(from, to),
    low: bars.low.subarray(from, to),
    close: bars.close.subarray(from, to),
    volume: bars.volume.subarray(from, to),
  }
  return { asset, feed: barFeedOf('written by a test', HOUR_MS, () => [part]) }
}

const ACCOUNT = { maxDailyLoss: fp9('100%'), maxTotalLoss: fp9('100%'), maxLeverage: fp9('60') }

async function told(options: Pick<BacktestOptions, 'markets' | 'strategy'>, periods: Periods = []) {
  const recorder = new Recording()
  const result = await runBacktest({ account: ACCOUNT, afterVerdict: 'go-on', ...options, recorder })
  return { result, recorder, against: againstMarkets(result, recorder, periods) }
}

type Periods = Parameters<typeof againstMarkets>[2]

const BTC = wandering('against/btc', 45 * 24)
const ETH = wandering('against/eth', 45 * 24)
const trader = () => restlessTrader('against', ['BTC', 'ETH'], 5)
const both = () => ({ markets: [market('BTC', BTC), market('ETH', ETH)], strategy: trader() })

/** The market's return on each day, of its bars alone. */
function dayReturns(candles: readonly Candle[]): number[] {
  return Array.from({ length: candles.length / 24 }, (_, day) => {
    const before = day === 0 ? candles[0]?.[0] : candles[24 * day - 1]?.[3]
    return (candles[24 * day + 23]?.[3] ?? 0) / (before ?? 0) - 1
  })
}

const close = (values: readonly (number | null)[], expected: readonly (number | null)[]) => {
  expect(values).toHaveLength(expected.length)
  for (const [index, value] of values.entries()) expect(value).toBeCloseTo(expected[index] ?? Number.NaN, 9)
}

test('prices stand at the points of the curve: the last close, and at the first the open with which the run began', async () => {
  const { result, recorder } = await told(both())
  const [btc, eth] = recorder.marketPrices
  for (const [prices, candles] of [[btc, BTC] as const, [eth, ETH] as const]) {
    expect(prices?.time).toEqual(result.curve.time)
    expect(prices?.first).toBe(0)
    expect([...(prices?.price ?? [])]).toEqual(
      candles.map(([open, , , end], index) => fp9(String(index === 0 ? open : end))),
    )
  }
})

test('ticks stand there as they were told last', async () => {
  const time = Float64Array.from({ length: 500 }, (_, index) => START + 17_000 * index)
  const price = BigInt64Array.from({ length: 500 }, (_, index) => fp9(String(100 + (index % 37))))
  const feed: TickFeed = {
    ...{ kind: 'ticks', format: 'csv', intervalMs: null, sources: ['written by a test'] },
    summary: () => ({ rows: 500, skipped: 0, firstSkipped: [], gaps: 0, missingBars: 0, largestGap: null }),
    async *[Symbol.asyncIterator]() {
      yield { length: 500, time, price }
    },
  }
  const { result, recorder } = await told({ markets: [{ asset: 'BTC', feed }], strategy: { name: 'idle' } })
  const [prices] = recorder.marketPrices
  expect(prices?.time).toEqual(result.curve.time)
  const last = (at: number) => price[time.findLastIndex((one) => one <= at)]
  expect([...(prices?.price ?? [])]).toEqual([...(prices?.time ?? [])].map(last))
  expect(prices?.last).toBe((prices?.time.length ?? 0) - 1)
})

describe('its days beside those of markets', () => {
  test('are compared with what the bars alone say, over the run and over thirty days', async () => {
    const { result, against } = await told(both())
    const { returns } = dailyReturns(result.curve)
    const [btc, eth] = [dayReturns(BTC), dayReturns(ETH)]
    const all = btc.map((value, day) => (value + (eth[day] ?? 0)) / 2)
    expect(against.links.map((link) => link.market)).toEqual(['BTC', 'ETH', 'all'])
    for (const [index, own] of [btc, eth, all].entries()) {
      const { rolling, market: _, ...link } = against.links[index] as AgainstMarkets['links'][number]
      const expected = marketLink(returns, own)
      expect(link.returns).toBe(45)
      close(Object.values(link), Object.values(expected))
      expect(rolling).toHaveLength(45 - ROLLING_DAYS + 1)
      for (const [from, { day, beta, correlation }] of rolling.entries()) {
        const part = [returns, own].map((values) => values.slice(from, from + ROLLING_DAYS))
        const over = marketLink(part[0] ?? [], part[1] ?? [])
        close([beta, correlation], [over.beta, over.correlation])
        expect(day * 1_000).toBe(START + (from + ROLLING_DAYS - 1) * DAY_MS)
      }
    }
  })

  test('an account that does nothing hangs on no market', async () => {
    const { against } = await told({ markets: [market('BTC', BTC)], strategy: { name: 'idle' } })
    expect(against.links).toMatchObject([
      { market: 'BTC', beta: 0, betaError: 0, correlation: null, alpha: 0 },
    ])
  })

  test('nothing of a day changes with what comes after it', async () => {
    const whole = await told(both())
    const cut = await told({
      markets: [market('BTC', BTC, 0, 38 * 24), market('ETH', ETH, 0, 38 * 24)],
      strategy: trader(),
    })
    for (const [index, { rolling }] of cut.against.links.entries())
      expect(rolling).toEqual(whole.against.links[index]?.rolling.slice(0, rolling.length))
  })

  test('of a market that begins within a day and ends before the run only whole days count', async () => {
    const markets = [market('BTC', BTC), market('ETH', ETH, 2 * 24 + 7, 40 * 24)]
    const { result, recorder, against } = await told({ markets, strategy: trader() })
    const eth = dayReturns(ETH)
    const { returns } = dailyReturns(result.curve)
    expect(recorder.marketPrices[1]?.first).toBe(2 * 24 + 7)
    expect(against.links[1]?.returns).toBe(37)
    const days = returns.map((_, day) => (day > 2 && day < 40 ? day : null)).filter((day) => day !== null)
    const expected = marketLink(
      days.map((day) => returns[day] ?? 0),
      days.map((day) => eth[day] ?? 0),
    )
    expect(against.links[1]?.beta).toBeCloseTo(expected.beta ?? Number.NaN, 9)
    expect(against.links[2]?.returns).toBe(45)
  })

  test('fewer than twenty days tell nothing', async () => {
    const { against } = await told({ markets: [market('BTC', BTC, 0, 19 * 24)], strategy: trader() })
    expect(against.links).toMatchObject([
      { returns: 19, beta: null, correlation: null, alpha: null, rolling: [] },
    ])
  })
})

describe('where a market moved', () => {
  const tiles = Array.from({ length: 9 }, (_, index) => ({
    name: `days ${5 * index} on`,
    from: START + 5 * index * DAY_MS,
    to: START + 5 * (index + 1) * DAY_MS,
  }))

  test('five falls and five rises of each, and what the account did by its own curve and trades', async () => {
    const { result, against } = await told(both())
    const { time, equity } = result.curve
    expect(result.trades.length).toBeGreaterThan(20)
    expect(against.periods.map(({ market: asset, kind }) => `${asset} ${kind}`)).toEqual(
      ['BTC', 'ETH'].flatMap((asset) =>
        ['fall', 'rise'].flatMap((kind) => Array(5).fill(`${asset} ${kind}`)),
      ),
    )
    for (const { market: asset, kind, from, to, ...period } of against.periods) {
      const candles = asset === 'BTC' ? BTC : ETH
      const [begin, end] = [time.indexOf(from), time.indexOf(to)]
      const priceAt = (at: number) => (at === 0 ? candles[0]?.[0] : candles[at]?.[3]) ?? 0
      expect(begin).toBeLessThan(end)
      expect(period.marketReturn).toBeCloseTo(priceAt(end) / priceAt(begin) - 1, 12)
      expect(Math.sign(period.marketReturn ?? 0)).toBe(kind === 'fall' ? -1 : 1)
      const part = [...equity.subarray(begin, end + 1)]
      expect(period.netProfit).toBe((part.at(-1) ?? 0n) - (part[0] ?? 0n))
      expect(period.totalReturn).toBeCloseTo(Number(period.netProfit) / Number(part[0]), 12)
      const depths = part.flatMap((peak, at) =>
        part.slice(at).map((later) => Number(peak - later) / Number(peak)),
      )
      expect(period.maxDrawdown).toBeCloseTo(
        depths.reduce((most, depth) => Math.max(most, depth)),
        12,
      )
      expect(period.trades).toBe(
        result.trades.filter(({ openedAt, closedAt }) => !(closedAt <= from || openedAt >= to)).length,
      )
    }
  })

  test('periods that lie side by side add up to the run, and each has its market', async () => {
    const { result, against } = await told({ ...both() }, tiles)
    const named = against.periods.filter(({ kind }) => kind === 'named')
    expect(named.map(({ name, market: asset }) => `${name} ${asset}`)).toEqual(
      tiles.flatMap(({ name }) => [`${name} BTC`, `${name} ETH`]),
    )
    for (const asset of ['BTC', 'ETH']) {
      const own = named.filter((period) => period.market === asset)
      expect(own.reduce((sum, { netProfit }) => sum + (netProfit ?? 0n), 0n)).toBe(
        result.statistics.netProfit,
      )
      const grown = own.reduce((all, { marketReturn }) => all * (1 + (marketReturn ?? 0)), 1)
      const candles = asset === 'BTC' ? BTC : ETH
      expect(grown).toBeCloseTo((candles.at(-1)?.[3] ?? 0) / (candles[0]?.[0] ?? 1), 9)
    }
  })

  test('of a period that the run has in part that part is told, of one that it has not nothing', async () => {
    const day = (number: number) => START + number * DAY_MS
    const periods = [
      { name: 'before', from: day(-9), to: day(-2) },
      { name: 'begin', from: day(-9), to: day(3) },
      { name: 'end', from: day(40), to: day(99) },
      { name: 'after', from: day(60), to: day(70) },
      { name: 'without ETH', from: day(0), to: day(2) },
    ]
    const markets = [market('BTC', BTC), market('ETH', ETH, 10 * 24)]
    const { result, against } = await told({ markets, strategy: trader() }, periods)
    const of = (name: string, asset = 'BTC') =>
      against.periods.find((period) => period.name === name && period.market === asset) as StressPeriod
    for (const name of ['before', 'after'])
      expect(of(name)).toMatchObject({
        ...{ marketReturn: null, netProfit: null, totalReturn: null, maxDrawdown: null, trades: null },
        ...periods.find((period) => period.name === name),
      })
    const { time } = result.curve
    expect(of('begin')).toMatchObject({ from: time[0], to: day(3) - 1 })
    expect(of('begin').marketReturn).toBeCloseTo((BTC[71]?.[3] ?? 0) / (BTC[0]?.[0] ?? 0) - 1, 12)
    expect(of('end')).toMatchObject({ from: day(40) - 1, to: time.at(-1) })
    expect(of('without ETH').netProfit).toBe(of('without ETH', 'ETH').netProfit)
    expect(of('without ETH', 'ETH').marketReturn).toBeNull()
    expect(of('begin', 'ETH').marketReturn).toBeNull()
  })

  test('a market that stands still has neither', async () => {
    const { against } = await told({
      markets: [market('BTC', Array(48).fill([100, 100, 100, 100]))],
      strategy: { name: 'idle' },
    })
    expect(against.periods).toEqual([])
  })
})
