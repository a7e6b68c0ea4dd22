import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calmarRatio, drawdownsOf, maxDrawdown } from '../../../../src/backtest/statistics/drawdown.ts'
import { periodicReturns } from '../../../../src/backtest/statistics/equityCurve.ts'
import { annualGrowth, netProfit, totalReturn } from '../../../../src/backtest/statistics/growth.ts'
import {
  annualVolatility,
  sharpeRatio,
  sortinoRatio,
} from '../../../../src/backtest/statistics/riskAdjusted.ts'
import { LEAST_RETURNS, runStatistics } from '../../../../src/backtest/statistics/statistics.ts'
import { tailRisk } from '../../../../src/backtest/statistics/valueAtRisk.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import { curve, DAY, daily, Exact, exact, expectClose, returnsOf, sum, trade } from './samples.ts'

const YEAR = 365 * DAY

test('a curve that spans no time has no yearly growth, not even where nothing is left', () => {
  expect(annualGrowth({ length: 2, time: [7, 7], equity: BigInt64Array.of(fp9('1'), 0n) })).toBeNull()
  expect(annualGrowth({ length: 0, time: [], equity: new BigInt64Array(0) })).toBeNull()
})

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
