import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  averageDrawdown,
  averageDrawdownDuration,
  calmarRatio,
  drawdownsOf,
  longestDrawdownDuration,
  maxDrawdown,
} from '../../../../src/backtest/statistics/drawdown.ts'
import { type EquityCurve, periodicReturns } from '../../../../src/backtest/statistics/equityCurve.ts'
import { annualGrowth, netProfit, totalReturn } from '../../../../src/backtest/statistics/growth.ts'
import { exposure, turnover } from '../../../../src/backtest/statistics/marketTime.ts'
import {
  annualVolatility,
  sharpeRatio,
  sortinoRatio,
} from '../../../../src/backtest/statistics/riskAdjusted.ts'
import { LEAST_RETURNS, runStatistics } from '../../../../src/backtest/statistics/statistics.ts'
import { type ClosedTrade, tradeStatistics } from '../../../../src/backtest/statistics/tradeStatistics.ts'
import { tailRisk } from '../../../../src/backtest/statistics/valueAtRisk.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'

const DAY = 86_400_000
const YEAR = 365 * DAY
const Exact = Decimal.clone({ precision: 60 })
const exact = (value: bigint | number) => new Exact(value.toString())
const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), new Exact(0))

/** The result is the independent one to ten digits; more are lost where returns hardly differ from their mean. */
function expectClose(value: number | null, expected: Decimal): void {
  const off = exact(value as number)
    .minus(expected)
    .abs()
  expect(off.lessThanOrEqualTo(expected.abs().times(1e-10).plus(1e-15)), `${value} for ${expected}`).toBe(
    true,
  )
}

const daily = (...units: number[]): EquityCurve => ({
  length: units.length,
  time: units.map((_, index) => index * DAY),
  equity: BigInt64Array.from(units, (unit) => fp9(String(unit))),
})

test('a curve that spans no time has no yearly growth, not even where nothing is left', () => {
  expect(annualGrowth({ length: 2, time: [7, 7], equity: BigInt64Array.of(fp9('1'), 0n) })).toBeNull()
  expect(annualGrowth({ length: 0, time: [], equity: new BigInt64Array(0) })).toBeNull()
})

const equity = fc.bigInt(fp9('1'), fp9('1000000'))
const curve: fc.Arbitrary<EquityCurve> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3 * DAY }), equity), { minLength: 2, maxLength: 40 })
  .map((points) => {
    let now = 1_700_000_000_000
    const time = points.map(([step]) => {
      now += step
      return now
    })
    return { length: points.length, time, equity: BigInt64Array.from(points, ([, value]) => value) }
  })
const trade: fc.Arbitrary<ClosedTrade> = fc
  .record({
    side: fc.constantFrom('long' as const, 'short' as const),
    openedAt: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_000 + 20 * DAY }),
    held: fc.nat(3 * DAY),
    pnl: fc.oneof(fc.constant(0n), fc.bigInt(-fp9('1000'), fp9('1000'))),
    traded: fc.bigInt(0n, fp9('100000')),
  })
  .map(({ held, ...rest }) => ({ ...rest, closedAt: rest.openedAt + held }))
const returnsOf = fc.array(
  fc.integer({ min: -900, max: 900 }).map((points) => points / 1000),
  { minLength: 2, maxLength: 60 },
)

describe('returns', () => {
  test('are those of whole periods from the first point on, at the last equity known', () => {
    fc.assert(
      fc.property(curve, ({ length, time, equity }) => {
        const start = time[0] as number
        const at = (moment: number) => {
          let known = equity[0] as bigint
          for (let point = 0; point < length; point++)
            if ((time[point] as number) <= moment) known = equity[point] as bigint
          return exact(known)
        }
        const returns = periodicReturns({ length, time, equity }) as number[]
        expect(returns).toHaveLength(Math.floor(((time[length - 1] as number) - start) / DAY))
        for (const [index, value] of returns.entries()) {
          const before = at(start + index * DAY)
          expectClose(
            value,
            at(start + (index + 1) * DAY)
              .minus(before)
              .div(before),
          )
        }
      }),
    )
  })

  test('total and annual growth', () => {
    fc.assert(
      fc.property(curve, (sample) => {
        const [first, last] = [sample.equity[0], sample.equity[sample.length - 1]] as [bigint, bigint]
        const span = (sample.time[sample.length - 1] as number) - (sample.time[0] as number)
        const growth = exact(last).div(exact(first))
        expect(netProfit(sample)).toBe(last - first)
        expectClose(totalReturn(sample), growth.minus(1))
        const exponent = growth.ln().times(YEAR).div(span)
        const annual = annualGrowth(sample)
        if (exponent.greaterThan(709)) expect(annual).toBeNull()
        else if (exponent.lessThan(-700)) expect(annual).toBe(-1)
        else {
          const expected = exponent.exp().minus(1)
          // The exponent magnifies the last place of the logarithm.
          const off = exact(annual as number)
            .minus(expected)
            .abs()
          expect(off.lessThan(expected.abs().plus(1).times(1e-10))).toBe(true)
        }
      }),
    )
    expect(
      annualGrowth({ length: 2, time: [0, 2 * YEAR], equity: BigInt64Array.of(100n, 121n) }),
    ).toBeCloseTo(0.1, 14)
    expect(annualGrowth({ length: 2, time: [0, DAY], equity: BigInt64Array.of(100n, 0n) })).toBe(-1)
  })

  test('volatility, Sharpe and Sortino ratio', () => {
    fc.assert(
      fc.property(returnsOf, fc.integer({ min: 0, max: 10 }), (returns, percent) => {
        const riskFree = percent / 100
        const values = returns.map(exact)
        const mean = sum(values).div(values.length)
        const squares = sum(values.map((value) => value.minus(mean).pow(2)))
        fc.pre(!squares.isZero())
        const deviation = squares.div(values.length - 1).sqrt()
        const year = new Exact(365).sqrt()
        const target = exact(riskFree).div(365)
        const excess = mean.minus(target)
        expectClose(annualVolatility(returns), deviation.times(year))
        const sharpe = sharpeRatio(returns, { riskFree }) as number
        const sharpeExpected = excess.div(deviation).times(year)
        expect(
          exact(sharpe).minus(sharpeExpected).abs().lessThan(sharpeExpected.abs().plus(1).times(1e-9)),
        ).toBe(true)
        const downside = sum(values.map((value) => Exact.min(0, value.minus(target)).pow(2)))
          .div(values.length)
          .sqrt()
        const sortino = sortinoRatio(returns, { riskFree })
        if (downside.isZero()) expect(sortino).toBeNull()
        else {
          const expected = excess.div(downside).times(year)
          expect(
            exact(sortino as number)
              .minus(expected)
              .abs()
              .lessThan(expected.abs().plus(1).times(1e-9)),
          ).toBe(true)
        }
      }),
    )
  })

  // stockscom.com/sharpe.html: monthly changes of 1999, mean times twelve less 5 % over the deviation times √12.
  test('a published Sharpe ratio', () => {
    const months = [
      0.0652, -0.0177, 0.0378, -0.0494, -0.1091, 0.0297, 0.0712, 0.0885, 0.0345, 0.0612, 0.1617, 0.3999,
    ]
    const published = [1.16, 1.99, 0.32, -0.94, -0.61, -0.01, 0.53, 0.68, 0.95, 1.42, 1.65]
    for (const [index, ratio] of published.entries()) {
      const computed = sharpeRatio(months.slice(0, index + 2), { riskFree: 0.05, periodsPerYear: 12 })
      expect(Math.abs((computed as number) - ratio)).toBeLessThan(0.011)
    }
  })
})

describe('drawdowns', () => {
  test('by comparing every point with every later one', () => {
    fc.assert(
      fc.property(curve, ({ length, time, equity }) => {
        let deepest = new Exact(0)
        for (let peak = 0; peak < length; peak++) {
          for (let later = peak + 1; later < length; later++) {
            const [high, low] = [exact(equity[peak] as bigint), exact(equity[later] as bigint)]
            deepest = Exact.max(deepest, high.minus(low).div(high))
          }
        }
        const drawdowns = drawdownsOf({ length, time, equity })
        const worst = maxDrawdown(drawdowns)
        if (worst === null) expect(deepest.isZero()).toBe(true)
        else expectClose(worst.depth, deepest)
        for (const { peakAt, troughAt, recoveredAt, amount, durationMs } of drawdowns) {
          const [peak, trough] = [peakAt, troughAt].map((moment) => Array.from(time).indexOf(moment)) as [
            number,
            number,
          ]
          expect((equity[peak] as bigint) - (equity[trough] as bigint)).toBe(amount)
          const end = recoveredAt ?? (time[length - 1] as number)
          expect(durationMs).toBe(end - peakAt)
          for (let point = peak + 1; (time[point] as number) < end; point++)
            expect((equity[point] as bigint) < (equity[peak] as bigint)).toBe(true)
        }
        if (drawdowns.length > 0) {
          expectClose(
            averageDrawdown(drawdowns),
            sum(drawdowns.map(({ depth }) => exact(depth))).div(drawdowns.length),
          )
          const durations = drawdowns.map(({ durationMs }) => durationMs)
          expect(longestDrawdownDuration(drawdowns)).toBe(Math.max(...durations))
          expectClose(averageDrawdownDuration(drawdowns), sum(durations.map(exact)).div(durations.length))
        }
      }),
    )
  })

  // ycharts.com/glossary/terms/max_drawdown: 46.67 %.
  test('a published maximum drawdown', () => {
    const drawdowns = drawdownsOf(daily(100_000, 150_000, 90_000, 120_000, 80_000, 200_000))
    expect(drawdowns).toHaveLength(1)
    expect(maxDrawdown(drawdowns)).toEqual({
      peakAt: DAY,
      troughAt: 4 * DAY,
      recoveredAt: 5 * DAY,
      amount: fp9('70000'),
      depth: 70_000 / 150_000,
      durationMs: 4 * DAY,
    })
    expect(calmarRatio(0.7, maxDrawdown(drawdowns))).toBeCloseTo(1.5, 12)
  })

  test('one that does not end, and one below zero', () => {
    expect(drawdownsOf(daily(100, 90, 95))[0]).toMatchObject({
      recoveredAt: null,
      durationMs: 2 * DAY,
      depth: 0.1,
    })
    expect(maxDrawdown(drawdownsOf(daily(100, -50)))?.depth).toBe(1.5)
    expect(drawdownsOf(daily(-5, -10))).toEqual([])
  })
})

describe('the tail', () => {
  test('is the k worst of the sorted returns', () => {
    fc.assert(
      fc.property(returnsOf, fc.integer({ min: 1, max: 50 }), (returns, percent) => {
        const count = Math.ceil((percent * returns.length) / 100)
        const worst = [...returns].sort((a, b) => a - b).slice(0, count)
        const risk = tailRisk(returns, percent / 100)
        expect(risk?.valueAtRisk).toBe(0 - (worst[count - 1] as number))
        expectClose(risk?.expectedShortfall ?? null, sum(worst.map(exact)).div(-count))
      }),
    )
  })

  // Wikipedia, "Expected shortfall", example 2: of 100 cases 10 lose 100, 30 lose 20, 40 nothing, 20 gain 50.
  test.each([
    [0.05, 100],
    [0.1, 100],
    [0.2, 60],
    [0.4, 40],
    [0.8, 20],
  ])('published expected shortfall at %d', (tail, shortfall) => {
    const cases = [10, 30, 40, 20].flatMap((count, index) =>
      new Array<number>(count).fill([-1, -0.2, 0, 0.5][index] as number),
    )
    expect((tailRisk(cases, tail)?.expectedShortfall ?? 0) * 100).toBeCloseTo(shortfall, 10)
  })

  test('of a hundred returns the fifth worst is the value at risk at 95 %', () => {
    const returns = Array.from({ length: 100 }, (_, index) => (index - 50) / 1000)
    expect(tailRisk(returns)).toEqual({ valueAtRisk: 0.046, expectedShortfall: expect.closeTo(0.048, 12) })
  })
})

describe('trades', () => {
  test('sums, ratios and streaks', () => {
    fc.assert(
      fc.property(fc.array(trade, { minLength: 1, maxLength: 40 }), (trades) => {
        const wins = trades.filter(({ pnl }) => pnl > 0n)
        const losses = trades.filter(({ pnl }) => pnl < 0n)
        const profit = sum(wins.map(({ pnl }) => exact(pnl)))
        const loss = sum(losses.map(({ pnl }) => exact(-pnl)))
        const found = tradeStatistics(trades)
        expect(found).toMatchObject({ trades: trades.length, wins: wins.length, losses: losses.length })
        expect(found.grossProfit.toString()).toBe(profit.toFixed())
        expect(found.grossLoss.toString()).toBe(loss.toFixed())
        expect(found.netProfit.toString()).toBe(profit.minus(loss).toFixed())
        expect(found.expectancy?.toString()).toBe(profit.minus(loss).div(trades.length).floor().toFixed())
        expectClose(found.winRate, exact(wins.length).div(trades.length))
        if (losses.length === 0) expect(found.profitFactor).toBeNull()
        else expectClose(found.profitFactor, profit.div(loss))
        if (losses.length === 0 || wins.length === 0) expect(found.payoffRatio).toBeNull()
        else expectClose(found.payoffRatio, profit.div(wins.length).div(loss.div(losses.length)))
        const outcomes = trades.map(({ pnl }) => (pnl > 0n ? 'w' : pnl < 0n ? 'l' : '-')).join('')
        const longest = (pattern: RegExp) =>
          Math.max(0, ...(outcomes.match(pattern) ?? []).map((run) => run.length))
        expect(found.longestWinStreak).toBe(longest(/w+/g))
        expect(found.longestLossStreak).toBe(longest(/l+/g))
      }),
    )
  })

  const of = (pnl: bigint, count: number) =>
    new Array<ClosedTrade>(count).fill({ side: 'long', openedAt: 0, closedAt: DAY, pnl, traded: 0n })

  test('a published record: 60 of 68 trades won 1,598 each, the rest lost 534: 2.99 per dollar, 1,347 per trade', () => {
    const found = tradeStatistics([...of(fp9('1598'), 60), ...of(fp9('-534'), 8)])
    expect(found.winRate).toBeCloseTo(0.8824, 4)
    expect(found.payoffRatio).toBeCloseTo(2.99, 2)
    expect(Number((found.expectancy as bigint) / 1_000_000_000n)).toBe(1347)
  })

  test('a published profit factor: 6,000 won, 3,000 lost', () => {
    expect(tradeStatistics([...of(fp9('1500'), 4), ...of(fp9('-1000'), 3)]).profitFactor).toBe(2)
  })
})

describe('time in the market', () => {
  test('exposure, minute by minute', () => {
    const minutes = fc.array(fc.tuple(fc.nat(100), fc.nat(30)), { maxLength: 12 })
    fc.assert(
      fc.property(minutes, (held) => {
        const trades = held.map(([openedAt, length]) => ({
          side: 'long' as const,
          openedAt,
          closedAt: openedAt + length,
          pnl: 0n,
          traded: 0n,
        }))
        let covered = 0
        for (let minute = 10; minute < 90; minute++)
          if (trades.some(({ openedAt, closedAt }) => openedAt <= minute && minute < closedAt)) covered += 1
        expect(exposure({ length: 2, time: [10, 90], equity: BigInt64Array.of(1n, 1n) }, trades)).toBe(
          covered / 80,
        )
      }),
    )
  })

  test('turnover over the equity weighted by time', () => {
    fc.assert(
      fc.property(curve, fc.array(trade, { maxLength: 10 }), (sample, trades) => {
        const span = (sample.time[sample.length - 1] as number) - (sample.time[0] as number)
        const parts = Array.from({ length: sample.length - 1 }, (_, point) =>
          exact(sample.equity[point] as bigint).times(
            (sample.time[point + 1] as number) - (sample.time[point] as number),
          ),
        )
        expectClose(
          turnover(sample, trades),
          sum(trades.map(({ traded }) => exact(traded)))
            .times(span)
            .div(sum(parts)),
        )
      }),
    )
  })
})

test('there is no turnover of a mean that is not above zero, or of no time', () => {
  const turnoverOf = (time: readonly number[], equity: readonly bigint[]) =>
    turnover({ length: time.length, time: Float64Array.from(time), equity: BigInt64Array.from(equity) }, [])
  expect([turnoverOf([0, DAY], [0n, 5n]), turnoverOf([0, DAY], [-5n, 5n])]).toEqual([null, null])
  expect([turnoverOf([], []), turnoverOf([DAY], [5n]), turnoverOf([0, DAY], [1n, 0n])]).toEqual([
    null,
    null,
    0,
  ])
})

/** As many daily returns as a run needs, up and down, 15% in all. */
const LONG_RUN = [100, ...Array.from({ length: LEAST_RETURNS - 1 }, (_, day) => 100 + ((day * 7) % 11)), 115]
const FROM_RETURNS = [
  'annualGrowth',
  'annualVolatility',
  'sharpeRatio',
  'sortinoRatio',
  'calmarRatio',
  'tailRisk',
] as const

describe('all together', () => {
  test('a run without trades and without movement has no ratios', () => {
    const statistics = runStatistics(daily(...new Array<number>(LEAST_RETURNS + 1).fill(100)), [])
    expect(statistics).toMatchObject({
      netProfit: 0n,
      totalReturn: 0,
      annualGrowth: 0,
      annualVolatility: 0,
      sharpeRatio: null,
      sortinoRatio: null,
      calmarRatio: null,
      maxDrawdown: null,
      averageDrawdown: null,
      averageDrawdownDurationMs: null,
      longestDrawdownDurationMs: 0,
      tailRisk: { valueAtRisk: 0, expectedShortfall: 0 },
      exposure: 0,
      turnover: 0,
    })
    expect(statistics.trades).toMatchObject({
      trades: 0,
      winRate: null,
      profitFactor: null,
      expectancy: null,
    })
  })

  test('nothing is NaN or infinite, whatever the run', () => {
    const any = fc
      .array(fc.tuple(fc.nat(3 * DAY), fc.bigInt(-fp9('10'), fp9('10'))), { maxLength: 30 })
      .map((points) => {
        let now = 0
        const time = points.map(([step]) => {
          now += step
          return now
        })
        return { length: points.length, time, equity: BigInt64Array.from(points, ([, value]) => value) }
      })
    const numbers = (value: unknown): number[] =>
      typeof value === 'number'
        ? [value]
        : value && typeof value === 'object'
          ? Object.values(value).flatMap(numbers)
          : []
    fc.assert(
      fc.property(any, fc.array(trade, { maxLength: 5 }), (sample, trades) => {
        for (const value of numbers(runStatistics(sample, trades))) expect(Number.isFinite(value)).toBe(true)
      }),
    )
  })

  test('the parts are those of the single functions', () => {
    const sample = daily(...LONG_RUN)
    const returns = periodicReturns(sample) as number[]
    expect(runStatistics(sample, [], { riskFree: 0.02 })).toMatchObject({
      sharpeRatio: sharpeRatio(returns, { riskFree: 0.02 }),
      sortinoRatio: sortinoRatio(returns, { riskFree: 0.02 }),
      annualVolatility: annualVolatility(returns),
      tailRisk: tailRisk(returns),
      calmarRatio: calmarRatio(annualGrowth(sample), maxDrawdown(drawdownsOf(sample))),
      returns: LEAST_RETURNS,
      totalReturn: 0.15,
    })
  })

  test('nineteen daily returns are too few, twenty are not', () => {
    const sharpe = (returns: number) => {
      const units = Array.from({ length: returns + 1 }, (_, day) => 100 + (day % 3))
      return runStatistics(daily(...units), []).sharpeRatio
    }
    expect(sharpe(19)).toBeNull()
    expect(sharpe(20)).not.toBeNull()
  })

  test('a run with too few daily returns has no figures made of them, but all the others', () => {
    const short = runStatistics(daily(...LONG_RUN.slice(1)), [])
    const long = runStatistics(daily(...LONG_RUN), [])
    for (const figure of FROM_RETURNS) {
      expect(short[figure], figure).toBeNull()
      expect(long[figure], figure).not.toBeNull()
    }
    expect(short.returns).toBe(LEAST_RETURNS - 1)
    expect(short.maxDrawdown).toEqual(
      expect.objectContaining({ depth: long.maxDrawdown?.depth, amount: long.maxDrawdown?.amount }),
    )
    expect(short.totalReturn).not.toBeNull()
  })
})
