// Each strategy does at every bar what its description says, no more and no less, and exactly at its thresholds.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breakout } from '../../../../src/backtest/strategies/breakout.ts'
import { emaCross } from '../../../../src/backtest/strategies/emaCross.ts'
import { fundingCarry } from '../../../../src/backtest/strategies/fundingCarry.ts'
import { meanReversion } from '../../../../src/backtest/strategies/meanReversion.ts'
import type { Command } from '../../../../src/events/command.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import type { Direction } from '../../../../src/terms/direction.ts'
import { type Candle, HOUR_MS, START } from '../report/runs.ts'
import { type Moment, rehearse } from './rehearsal.ts'

/** Whole prices in a narrow range, so that closes often are exactly at an extreme. */
const candlesWithin = (low: number, high: number, length: number) =>
  fc.array(
    fc
      .array(fc.integer({ min: low, max: high }), { minLength: 4, maxLength: 4 })
      .map(
        (prices): Candle => [
          prices[0] as number,
          Math.max(...prices),
          Math.min(...prices),
          prices[3] as number,
        ],
      ),
    { minLength: length, maxLength: length },
  )

const still = (price: number): Candle => [price, price, price, price]
const price = (value: bigint) => Number(value) / 1e9
const near = (value: bigint | null | undefined, expected: number) =>
  expect(Math.abs(price(value ?? 0n) - expected)).toBeLessThan(1e-6)

type Placed = Extract<Command, { readonly type: 'placeOrder' }>
const placed = ({ commands }: Moment): Placed[] => commands.filter((command) => command.type === 'placeOrder')

describe('breakout', () => {
  const lookback = 4

  /** Where a close leaves the bars before it; null within them, their extremes included. */
  function sideOf(moments: readonly Moment[], at: number): Direction | null {
    if (at < lookback) return null
    const before = moments.slice(at - lookback, at).map(({ bar }) => bar)
    const { close } = (moments[at] as Moment).bar
    if (before.every(({ high }) => close > high)) return 'long'
    return before.every(({ low }) => close < low) ? 'short' : null
  }

  /** The mean of the first true ranges, from then on a `lookback`-th of each new one (J. W. Wilder). */
  function averageTrueRange(moments: readonly Moment[], at: number): number {
    const ranges = moments.slice(0, at + 1).map(({ bar }, index) => {
      const before = moments[index - 1]?.bar.close ?? bar.close
      const [high, low] = [bar.high > before ? bar.high : before, bar.low < before ? bar.low : before]
      return price(high - low)
    })
    const first = ranges.slice(0, lookback).reduce((sum, range) => sum + range, 0) / lookback
    return ranges.slice(lookback).reduce((mean, range) => mean + (range - mean) / lookback, first)
  }

  test('enters where a close is beyond every bar before it, with both stops as far away as it says', async () => {
    const reached = { long: 0, short: 0, atTheExtreme: 0, holding: 0 }
    await fc.assert(
      fc.asyncProperty(candlesWithin(95, 105, 40), fc.constantFrom(0.5, 3), async (candles, width) => {
        const moments = await rehearse(breakout({ asset: 'BTC', lookback, width, leverage: '2' }), {
          candles,
        })
        for (const [at, moment] of moments.entries()) {
          const side = sideOf(moments, at)
          const isHolding = moment.positions.length > 0
          const [entry, trailing, ...more] = placed(moment)
          if (side === null || isHolding) {
            expect(entry).toBeUndefined()
            reached.holding += side === null ? 0 : 1
            const highs = moments.slice(Math.max(0, at - lookback), at).map(({ bar }) => price(bar.high))
            if (side === null && price(moment.bar.close) === Math.max(...highs)) reached.atTheExtreme += 1
            continue
          }
          reached[side] += 1
          const offset = averageTrueRange(moments, at) * width
          expect(entry).toMatchObject({ orderType: 'market', direction: side, leverage: fp9('2') })
          near(entry?.stopTriggerPrice, price(moment.bar.close) + (side === 'long' ? -offset : offset))
          expect(trailing).toMatchObject({ orderType: 'trailing_stop', direction: side })
          near(trailing?.trailingStopOffset, offset)
          expect(more).toEqual([])
        }
      }),
      { numRuns: 40 },
    )
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(10)
  })

  test('loses its risk at the stop-loss', async () => {
    const candles: Candle[] = [
      ...Array<Candle>(lookback).fill([100, 101, 99, 100]),
      [100, 102, 100, 102],
      // The true range has been 2 throughout, so the stop-loss is at 100.
      [102, 102, 100, 100],
      still(100),
    ]
    const moments = await rehearse(breakout({ asset: 'BTC', lookback, width: 1, risk: '2%' }), { candles })
    expect(price(moments.at(-1)?.equity ?? 0n)).toBeCloseTo(9_800, 4)
  })

  test('does nothing where the stop-loss would be at zero or below', async () => {
    const rising = Array.from({ length: 20 }, (_, at): Candle => [100 + at, 101 + at, 100 + at, 101 + at])
    const orders = async (width: number) =>
      (
        await rehearse(breakout({ asset: 'BTC', lookback, width, leverage: '1' }), { candles: rising })
      ).flatMap(placed)
    expect(await orders(1_000)).toEqual([])
    expect(await orders(5)).not.toEqual([])
  })

  test('parameters that make no channel are refused', () => {
    const make = (lookback: number, width: number) => () => breakout({ asset: 'BTC', lookback, width })
    expect(make(1, 1)).toThrow(RangeError)
    expect(make(2, 0)).toThrow(RangeError)
    expect(make(2, 0.001)).not.toThrow()
  })
})

describe('EMA cross', () => {
  // With these two lengths whole prices keep both averages exact: the fast one is the close, the slow one halves.
  const [fast, slow] = [1, 3]

  test('turns where the averages change sides, and only there', async () => {
    const reached = { turns: 0, equal: 0, kept: 0 }
    await fc.assert(
      fc.asyncProperty(candlesWithin(99, 101, 36), async (moving) => {
        const candles = [...Array<Candle>(4).fill(still(100)), ...moving]
        const moments = await rehearse(emaCross({ asset: 'BTC', fast, slow, leverage: '2' }), { candles })
        let average: number | null = null
        let side: Direction | null = null
        for (const [at, moment] of moments.entries()) {
          const close = price(moment.bar.close)
          average = average === null ? close : (average + close) / 2
          const wanted = close === average ? null : close > average ? 'long' : 'short'
          const orders = placed(moment)
          if (at + 1 < slow || wanted === null || wanted === side) {
            expect(orders).toEqual([])
            reached.equal += at + 1 >= slow && wanted === null ? 1 : 0
            reached.kept += wanted !== null && wanted === side ? 1 : 0
            continue
          }
          side = wanted
          reached.turns += 1
          const closing = moment.positions.map(({ id, size, direction }) => ({
            orderType: 'take',
            positionId: id,
            amount: size,
            direction,
          }))
          const opening = {
            orderType: 'market',
            direction: side,
            amount: moment.equity / 10n,
            leverage: fp9('2'),
          }
          expect(orders).toMatchObject([...closing, opening])
        }
      }),
      { numRuns: 40 },
    )
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(10)
  })

  test('averages that do not cross are refused', () => {
    expect(() => emaCross({ asset: 'BTC', fast: 5, slow: 5 })).toThrow(RangeError)
    expect(() => emaCross({ asset: 'BTC', fast: 0, slow: 5 })).toThrow(RangeError)
    expect(() => emaCross({ asset: 'BTC', fast: 1, slow: 2 })).not.toThrow()
  })
})

describe('mean reversion', () => {
  const [lookback, deviations, stop] = [5, 1.2, 2]

  test('rests one limit order beyond a close outside the bands, and takes it back at the next bar', async () => {
    const reached = { long: 0, short: 0, cancelled: 0, holding: 0 }
    await fc.assert(
      fc.asyncProperty(candlesWithin(95, 105, 40), async (candles) => {
        const strategy = meanReversion({ asset: 'BTC', lookback, deviations, stop, leverage: '2' })
        const moments = await rehearse(strategy, { candles })
        for (const [at, moment] of moments.entries()) {
          const limits = moment.orders.filter(({ orderType }) => orderType === 'limit').map(({ id }) => id)
          const cancelled = moment.commands.flatMap((command) =>
            command.type === 'cancelOrder' ? [command.orderId] : [],
          )
          expect(cancelled).toEqual(limits)
          reached.cancelled += limits.length
          expect(limits.length).toBeLessThanOrEqual(1)

          const closes = moments
            .slice(Math.max(0, at + 1 - lookback), at + 1)
            .map(({ bar }) => price(bar.close))
          const middle = closes.reduce((sum, close) => sum + close, 0) / closes.length
          const variance = closes.reduce((sum, close) => sum + (close - middle) ** 2, 0) / closes.length
          const away = price(moment.bar.close) - middle
          const isOutside = closes.length === lookback && Math.abs(away) > deviations * Math.sqrt(variance)
          const orders = placed(moment)
          if (!isOutside || moment.positions.length > 0) {
            expect(orders).toEqual([])
            reached.holding += isOutside ? 1 : 0
            continue
          }
          const [direction, sign] = away < 0 ? (['long', 1] as const) : (['short', -1] as const)
          reached[direction] += 1
          const [order, ...more] = orders
          expect(order).toMatchObject({ orderType: 'limit', direction, leverage: fp9('2') })
          const entry = price(moment.bar.close) * (1 - sign * 0.0002)
          near(order?.triggerPrice, entry)
          near(order?.takeTriggerPrice, middle)
          near(order?.stopTriggerPrice, entry - stop * (middle - entry))
          expect(order?.amount).toBe((moment.equity / 2n + 1n) / 2n)
          expect(more).toEqual([])
        }
      }),
      { numRuns: 40 },
    )
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(10)
  })

  test('three deviations around two hundred and forty bars, unless told otherwise', async () => {
    // 239 closes one above and one below 100 by turns: a close d away leaves a band of k where d > k √(1 + d²/240), roughly.
    const turns = Array.from({ length: 239 }, (_, at) => still(at % 2 === 0 ? 101 : 99))
    const entries = async (...candles: Candle[]) => {
      const moments = await rehearse(meanReversion({ asset: 'BTC' }), { candles })
      return moments.flatMap(placed)
    }
    expect(await entries(...turns, still(97))).toEqual([])
    expect(await entries(...turns.slice(1), still(90))).toEqual([])
    const [entry] = await entries(...turns, still(96.9))
    expect(entry).toMatchObject({ direction: 'long', leverage: fp9('5'), amount: fp9('1000') })
    near(entry?.stopTriggerPrice, 2 * price(entry?.triggerPrice ?? 0n) - price(entry?.takeTriggerPrice ?? 0n))
  })

  test('bands without a width are refused', () => {
    const make = (change: object) => () => meanReversion({ asset: 'BTC', ...change })
    for (const change of [{ lookback: 1 }, { deviations: 0 }, { stop: 0 }])
      expect(make(change)).toThrow(RangeError)
    expect(make({ lookback: 2, deviations: 0.1, stop: 0.1 })).not.toThrow()
  })
})

describe('funding carry', () => {
  const LEAST = 100_000n
  const rates = fc.array(
    fc.constantFrom(0n, LEAST - 1n, LEAST, LEAST + 1n, 1n - LEAST, -LEAST, -LEAST - 1n),
    { minLength: 40, maxLength: 40 },
  )
  const fundingOf = (values: readonly bigint[]) => ({
    length: values.length,
    time: Float64Array.from(values, (_, hour) => START + hour * HOUR_MS),
    rate: BigInt64Array.from(values),
  })
  const sideFor = (rate: bigint) => (rate >= LEAST ? 'short' : rate <= -LEAST ? 'long' : null)

  test('holds the side that is paid from the least rate on, and acts on a change of the rate alone', async () => {
    const reached = { long: 0, short: 0, out: 0, unchanged: 0, kept: 0 }
    await fc.assert(
      fc.asyncProperty(candlesWithin(99, 101, 40), rates, async (candles, values) => {
        const moments = await rehearse(fundingCarry({ asset: 'BTC', threshold: '0.01%' }), {
          candles,
          funding: fundingOf(values),
        })
        let rate: bigint | null = null
        for (const moment of moments) {
          const orders = placed(moment)
          if (moment.fundingRate === rate) {
            expect(orders).toEqual([])
            reached.unchanged += 1
            continue
          }
          rate = moment.fundingRate
          const wanted = sideFor(rate)
          const [held] = moment.positions
          const isKept = held !== undefined && held.direction === wanted
          const closing =
            held === undefined || isKept
              ? []
              : [{ orderType: 'take', positionId: held.id, amount: held.size }]
          const opening =
            wanted === null || isKept
              ? []
              : [{ orderType: 'market', direction: wanted, amount: (moment.equity + 2n) / 3n }]
          expect(orders).toMatchObject([...closing, ...opening])
          reached[wanted ?? 'out'] += 1
          reached.kept += isKept ? 1 : 0
        }
      }),
      { numRuns: 40 },
    )
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(10)
  })

  // A position of 10,000 at 100 with a margin of 5,000 at 2x: 3,000 of it, six tenths, are left after a loss of 2,000.
  test.each([
    ['long', -LEAST, 80, 79.99],
    ['short', LEAST, 120, 120.01],
  ] as const)(
    'a %s is topped up by half its margin below six tenths of it',
    async (direction, rate, at, below) => {
      const candles = [still(100), still(100), still(100), still(at), still(below), still(below)]
      const options = { asset: 'BTC', leverage: '2' }
      const moments = await rehearse(fundingCarry(options), { candles, parameters: { fundingRate: rate } })
      expect(moments[1]?.positions).toMatchObject([
        { direction, margin: fp9('5000'), notional: fp9('10000') },
      ])
      const changes = moments.map(({ commands }) =>
        commands.flatMap((command) => (command.type === 'changeMargin' ? [command.marginChange] : [])),
      )
      expect(changes).toEqual([[], [], [], [], [fp9('2500')], []])
    },
  )

  test('a top-up takes the free balance to its last unit, and none that there is not', async () => {
    const candles = [still(100), still(100), still(79), still(79)]
    const marginChanges = async (notional: string) => {
      const strategy = fundingCarry({ asset: 'BTC', leverage: '2', notional })
      const moments = await rehearse(strategy, { candles, parameters: { fundingRate: -LEAST } })
      return moments.flatMap(({ commands }) => commands.filter(({ type }) => type === 'changeMargin')).length
    }
    // Margins of 2/3 of the balance leave half of themselves free.
    expect(await marginChanges('13333.333333332')).toBe(1)
    expect(await marginChanges('13333.34')).toBe(0)
  })

  test('a rate below zero is no least rate', () => {
    expect(() => fundingCarry({ asset: 'BTC', threshold: '-0.01%' })).toThrow(RangeError)
    expect(() => fundingCarry({ asset: 'BTC', threshold: '0' })).not.toThrow()
  })
})
