// Beta, correlation and alpha against the formulas in sixty digits, and against lines that are known.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { marketLink } from '../../../../src/backtest/statistics/marketLink.ts'
import { LEAST_RETURNS } from '../../../../src/backtest/statistics/statistics.ts'
import { Exact, exact, expectClose, sum } from './samples.ts'

const returns = fc.integer({ min: -900, max: 900 }).map((points) => points / 1000)
const pairs = fc
  .array(fc.tuple(returns, returns), { minLength: LEAST_RETURNS, maxLength: 60, size: 'max' })
  .map((drawn) => ({ account: drawn.map(([a]) => a), market: drawn.map(([, m]) => m) }))
const varies = (values: readonly number[]) => new Set(values).size > 1

test('every figure is that of its formula', () => {
  fc.assert(
    fc.property(pairs, ({ account, market }) => {
      fc.pre(varies(account) && varies(market))
      const [a, m] = [account.map(exact), market.map(exact)]
      const n = a.length
      const [meanA, meanM] = [sum(a).div(n), sum(m).div(n)]
      const along = m.map((value) => value.minus(meanM))
      const spread = sum(along.map((value) => value.times(value)))
      const ownSpread = sum(a.map((value) => value.minus(meanA).pow(2)))
      const crossed = sum(a.map((value, index) => value.minus(meanA).times(along[index] ?? 0)))
      const beta = crossed.div(spread)
      const level = meanA.minus(beta.times(meanM))
      const residuals = a.map((value, index) => value.minus(level).minus(beta.times(m[index] ?? 0)))
      const s2 = sum(residuals.map((value) => value.times(value))).div(n - 2)
      const link = marketLink(account, market)
      const near = (value: number | null, expected: InstanceType<typeof Exact>) =>
        expect(Math.abs((value ?? Number.NaN) - expected.toNumber())).toBeLessThan(
          1e-9 * Math.max(1, Math.abs(expected.toNumber())) + 1e-6 * Number(crossed.isZero()),
        )
      expect(link.returns).toBe(n)
      near(link.beta, beta)
      near(link.correlation, crossed.div(spread.times(ownSpread).sqrt()))
      near(link.alpha, level.times(365))
      if (s2.greaterThan(1e-8)) {
        expectClose(link.betaError, s2.div(spread).sqrt())
        expectClose(
          link.alphaError,
          s2
            .times(meanM.pow(2).div(spread).plus(new Exact(1).div(n)))
            .sqrt()
            .times(365),
        )
      }
    }),
  )
})

test('an account on a line of the market has its slope and its level, without error', () => {
  fc.assert(
    fc.property(
      pairs,
      fc.double({ min: -5, max: 5, noNaN: true }).filter((slope) => Math.abs(slope) > 0.01),
      fc.double({ min: -0.01, max: 0.01, noNaN: true }),
      ({ market }, slope, level) => {
        fc.pre(varies(market))
        const account = market.map((value) => level + slope * value)
        const { beta, betaError, correlation, alpha, alphaError } = marketLink(account, market)
        expect(beta).toBeCloseTo(slope, 9)
        expect(correlation).toBeCloseTo(Math.sign(slope), 9)
        expect(alpha).toBeCloseTo(365 * level, 6)
        expect(betaError).toBeLessThan(1e-5)
        expect(alphaError).toBeLessThan(1e-3)
      },
    ),
  )
})

test('the market against itself is one, its mirror minus one, and what stands still hangs on nothing', () => {
  const market = Array.from({ length: 40 }, (_, day) => Math.sin(day) / 50)
  expect(marketLink(market, market)).toMatchObject({ beta: 1, correlation: 1, betaError: 0 })
  expect(
    marketLink(
      market.map((value) => -value),
      market,
    ).beta,
  ).toBeCloseTo(-1, 12)
  expect(
    marketLink(
      market.map(() => 0),
      market,
    ),
  ).toEqual({
    ...{ returns: 40, beta: 0, betaError: 0, correlation: null, alpha: 0, alphaError: 0 },
  })
})

describe('nothing is told', () => {
  const nothing = { beta: null, betaError: null, correlation: null, alpha: null, alphaError: null }
  const some = (count: number) => Array.from({ length: count }, (_, day) => Math.cos(day) / 50)
  test('of fewer days than the least', () => {
    expect(marketLink(some(LEAST_RETURNS - 1), some(LEAST_RETURNS - 1))).toEqual({ returns: 19, ...nothing })
    expect(marketLink(some(LEAST_RETURNS), some(LEAST_RETURNS)).beta).toBe(1)
    expect(marketLink([0.1, 0.2], [0.1, 0.2], { least: 1 })).toEqual({ returns: 2, ...nothing })
  })
  test('of a market that does not move', () =>
    expect(
      marketLink(
        some(30),
        some(30).map(() => 0.01),
      ),
    ).toEqual({ returns: 30, ...nothing }))
})
