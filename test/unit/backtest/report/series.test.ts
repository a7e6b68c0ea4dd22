// Series keep what the eye must not miss: every extreme, exactly.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CurveRecorder } from '../../../../src/backtest/accounting/curve.ts'
import { CandleRecorder, type Candles } from '../../../../src/backtest/recording/candles.ts'
import { type CandleSeries, candleSeries } from '../../../../src/backtest/report/candleSeries.ts'
import { type CurveSeries, curveSeries } from '../../../../src/backtest/report/curveSeries.ts'
import { histogram } from '../../../../src/backtest/report/histogram.ts'
import { tradeSeries } from '../../../../src/backtest/report/tradeSeries.ts'
import { dailyReturns } from '../../../../src/backtest/statistics/dailyReturns.ts'

/** The page's own unpacking, which is a script for browsers. */
const page = (await import(
  new URL('../../../../src/backtest/report/page/series.js', import.meta.url).href
)) as {
  unpackCandles(packed: CandleSeries): Record<'time' | 'open' | 'high' | 'low' | 'close', number[]>
  unpackCurve(packed: CurveSeries): Record<'time' | 'equity' | 'drawdown' | 'exposure', number[]>
  longerCandles<C>(candles: C, interval: number): C
  indexAt(ascending: readonly number[], value: number): number
}

const { depth } = (await import(
  new URL('../../../../src/backtest/report/page/format.js', import.meta.url).href
)) as { depth(fall: number, digits?: number): string }

test('trades are numbered by the opening that the table shows, also where only the largest are shown', () => {
  const trade = (opened: number, closed: number, pnl: bigint) => {
    const amounts = { size: 1n, entryPrice: 1n, exitPrice: 1n, fees: 0n, funding: 0n, pnl }
    return {
      ...amounts,
      marketId: 'm',
      positionId: String(opened),
      openedAt: opened * 1_000,
      closedAt: closed * 1_000,
    }
  }
  // By closing, as a run has them.
  const trades = [trade(3, 4, 9n), trade(1, 5, 1n), trade(2, 6, 8n)]
  const recording = { markets: [{ id: 'm' }], fills: [], levels: [] }
  const numbers = (most: number) =>
    tradeSeries({ trades } as never, recording as never, most).rows.map(({ number, opened }) => [
      number,
      opened,
    ])
  expect(numbers(9)).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ])
  expect(numbers(2)).toEqual([
    [2, 2],
    [3, 3],
  ])
})

test('a drawdown is told as a depth, without a sign, in the curve as in the figures', () => {
  expect([depth(-0.39648), depth(-0.2, 1), depth(0), depth(-0)]).toEqual([
    '39.65%',
    '20.0%',
    '0.00%',
    '0.00%',
  ])
})

const CENT = 10_000_000n

const candle = fc
  .tuple(fc.nat(500), fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 4, maxLength: 4 }))
  .map(([skip, prices]) => {
    const [a, b, c, d] = prices.sort((x, y) => x - y) as [number, number, number, number]
    return { skip, open: b, high: d, low: a, close: c }
  })

function recordedCandles(
  candles: readonly { skip: number; open: number; high: number; low: number; close: number }[],
  most: number,
): Candles {
  const recorder = new CandleRecorder(60_000, most)
  let at = 0
  for (const { skip, open, high, low, close } of candles) {
    at += 60_000 * (1 + (skip > 450 ? skip : 0))
    recorder.add(at, BigInt(open) * CENT, BigInt(high) * CENT, BigInt(low) * CENT, BigInt(close) * CENT, 1)
  }
  return recorder.candles()
}

/** Decimals that the prices of a candle have in quote, given in cents. */
const decimalsWritten = ({ open, high, low, close }: Record<'open' | 'high' | 'low' | 'close', number>) =>
  [open, high, low, close].map((cents) => (cents % 100 === 0 ? 0 : cents % 10 === 0 ? 1 : 2))

test('candles are never more than the bound, and keep first open, last close, highest, lowest and volume', () => {
  fc.assert(
    fc.property(
      fc.array(candle, { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 3, max: 50 }),
      (given, most) => {
        const { time, open, high, low, close, volume, intervalMs } = recordedCandles(given, most)
        expect(time.length).toBeLessThanOrEqual(most)
        expect(new Set([open, high, low, close, volume].map(({ length }) => length))).toEqual(
          new Set([time.length]),
        )
        expect(
          time.every((at, row) => at % intervalMs === 0 && (row === 0 || at > (time[row - 1] as number))),
        ).toBe(true)
        expect(open[0]).toBe(BigInt(given[0]?.open ?? 0) * CENT)
        expect(close.at(-1)).toBe(BigInt(given.at(-1)?.close ?? 0) * CENT)
        expect(high.reduce((a, b) => (a > b ? a : b))).toBe(
          BigInt(Math.max(...given.map((one) => one.high))) * CENT,
        )
        expect(low.reduce((a, b) => (a < b ? a : b))).toBe(
          BigInt(Math.min(...given.map((one) => one.low))) * CENT,
        )
        expect(volume.reduce((a, b) => a + b)).toBe(given.length)
      },
    ),
  )
})

test('the page unpacks the candles that were packed', () => {
  fc.assert(
    fc.property(fc.array(candle, { minLength: 1, maxLength: 60 }), (given) => {
      const candles = recordedCandles(given, 1000)
      const packed = candleSeries(candles)
      const written = Math.max(...given.flatMap(decimalsWritten))
      expect(packed.decimals).toBe(written)
      expect(packed.step).toBeCloseTo(10 ** -written, 12)
      const unpacked = page.unpackCandles(JSON.parse(JSON.stringify(packed)))
      expect(unpacked.time).toEqual(candles.time.map((at) => at / 1000))
      for (const field of ['open', 'high', 'low', 'close'] as const)
        expect(unpacked[field].map((value) => Math.round(value * 100))).toEqual(
          candles[field].map((value) => Number(value / CENT)),
        )
    }),
  )
})

test('longer candles lose no extreme', () => {
  const one = {
    interval: 60,
    time: [60, 120, 300],
    open: [1, 2, 3],
    high: [5, 9, 4],
    low: [1, 0, 2],
    close: [2, 3, 3],
  }
  expect(page.longerCandles(one, 300)).toEqual({
    interval: 300,
    time: [0, 300],
    open: [1, 3],
    high: [9, 4],
    low: [0, 2],
    close: [3, 3],
  })
  expect(page.longerCandles(one, 60)).toBe(one)
})

test.each([
  [[], 1, -1],
  [[1, 2, 2, 5], 0, -1],
  [[1, 2, 2, 5], 2, 2],
  [[1, 2, 2, 5], 4.9, 2],
  [[1, 2, 2, 5], 9, 3],
])('in %j the last index not above %d is %d', (ascending, value, index) => {
  expect(page.indexAt(ascending, value)).toBe(index)
})

test('a thinned curve keeps its ends, its extremes and its deepest drawdown', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 400 }),
      fc.integer({ min: 1, max: 60 }),
      (equities, stretches) => {
        const recorder = new CurveRecorder()
        for (const [minute, cents] of equities.entries())
          recorder.add(
            minute * 60_000,
            BigInt(cents) * CENT,
            BigInt(cents) * CENT,
            // Another order than that of equity, so that its extremes are elsewhere.
            BigInt(equities.at(-1 - minute) ?? 0) * 100n * CENT,
          )
        const { time, equity, drawdown, exposure } = page.unpackCurve(
          curveSeries(recorder.curve(), stretches),
        )
        const cents = equity.map((value) => Math.round(value * 100))
        expect([cents[0], cents.at(-1)]).toEqual([equities[0], equities.at(-1)])
        expect([time[0], time.at(-1)]).toEqual([0, (equities.length - 1) * 60])
        expect(Math.max(...cents)).toBe(Math.max(...equities))
        expect(Math.min(...cents)).toBe(Math.min(...equities))
        expect(Math.max(...exposure)).toBe(Math.max(...equities))
        let peak = 0
        let deepest = 0
        for (const value of equities) {
          peak = Math.max(peak, value)
          deepest = Math.min(deepest, value / peak - 1)
        }
        expect(Math.min(...drawdown)).toBeCloseTo(deepest, 5)
        expect(time.length).toBeLessThanOrEqual(4 * stretches + 2)
        const size = Math.ceil(equities.length / stretches)
        const told = new Set(time.map((seconds) => Math.floor(seconds / 60 / size)))
        expect(told.size).toBe(Math.ceil(equities.length / size))
      },
    ),
  )
})

test('every value is in one bar of a histogram, the first and the last hold some, and none holds gains and losses', () => {
  const value = fc
    .double({ min: -1e6, max: 1e6, noNaN: true })
    .filter((one) => one === 0 || Math.abs(one) > 1e-3)
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 100 }), (values) => {
      const bars = histogram(values)
      fc.pre(values.some((one) => one !== 0))
      const { from, width, count } = bars as NonNullable<typeof bars>
      expect(count.reduce((a, b) => a + b)).toBe(values.length)
      expect(from.length).toBeLessThanOrEqual(41)
      expect(Math.min(count[0] as number, count.at(-1) as number)).toBeGreaterThan(0)
      const zero = from.findIndex((lower) => Math.abs(lower) < width / 1e6)
      if (Math.min(...values) < 0 && Math.max(...values) >= 0) expect(zero).toBeGreaterThan(-1)
      expect(from[0] as number).toBeLessThanOrEqual(Math.min(...values) + width / 1e6)
    }),
  )
  expect(histogram([])).toBeNull()
  expect(histogram([0, 0])).toBeNull()
})

test('bars are as wide as the next of 1, 2, 2.5, 5 and 10 times a power of ten', () => {
  const widths = [
    [1, 1],
    [1.01, 2],
    [2, 2],
    [2.01, 2.5],
    [2.5, 2.5],
    [2.51, 5],
    [5, 5],
    [5.01, 10],
    [9.9, 10],
  ] as const
  for (const power of [0.001, 1, 10_000])
    for (const [wanted, width] of widths) {
      const bars = histogram([0, wanted * power * 10], 11)
      expect((bars?.width as number) / power, `${wanted} times ${power}`).toBeCloseTo(width, 9)
    }
})

test('a thinned curve tells large equities to the cent', () => {
  const recorder = new CurveRecorder()
  const cents = [123_456_789_012, 123_456_789_013]
  for (const [minute, equity] of cents.entries())
    recorder.add(minute * 60_000, BigInt(equity) * CENT, BigInt(equity) * CENT, 0n)
  const { equity } = page.unpackCurve(curveSeries(recorder.curve(), 10))
  expect(equity.map((value) => Math.round(value * 100))).toEqual(cents)
})

test('a day is measured against where it began, were that the least there is; one that began with nothing is 0', () => {
  const recorder = new CurveRecorder()
  for (const [day, equity] of [1n, 3n, 0n, 5n, -5n, 5n].entries())
    recorder.add((day * 24 + 23) * 3_600_000, equity, 0n, 0n)
  expect(dailyReturns(recorder.curve()).returns).toEqual([0, 2, -1, 0, -2, 0])
})

test('a day of one value is a day', () => {
  const recorder = new CurveRecorder()
  const hour = 3_600_000
  for (const [at, equity] of [
    [23, 100],
    [24, 110],
    [25, 121],
  ] as const)
    recorder.add(at * hour, BigInt(equity) * 100n * CENT, 0n, 0n)
  const { days, returns } = dailyReturns(recorder.curve())
  expect(days).toEqual([0, 86_400])
  expect(returns[0]).toBe(0)
  expect(returns[1]).toBeCloseTo(0.21, 12)
})

test('daily returns follow the UTC days and multiply to the whole', () => {
  const recorder = new CurveRecorder()
  const hour = 3_600_000
  for (const [index, equity] of [100, 110, 99, 120, 60].entries())
    recorder.add(index * 12 * hour, BigInt(equity) * 100n * CENT, 0n, 0n)
  const { days, returns } = dailyReturns(recorder.curve())
  expect(days).toEqual([0, 86_400, 172_800])
  expect(returns.reduce((product, value) => product * (1 + value), 1)).toBeCloseTo(0.6, 12)
})
