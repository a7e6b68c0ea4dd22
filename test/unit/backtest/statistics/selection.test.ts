// What the best of many sets is worth, when luck has chosen it.

import { describe, expect, test } from 'vitest'
import { normalProbability, normalQuantile } from '../../../../src/backtest/simulated/normal.ts'
import { deflatedSharpeRatio } from '../../../../src/backtest/statistics/selection.ts'

test.each([1e-6, 0.01, 0.2, 0.5, 0.9, 0.975, 1 - 1e-9])(
  'the normal distribution undoes its inverse at %d',
  (p) => {
    expect(normalProbability(normalQuantile(p))).toBeCloseTo(p, 13)
  },
)

describe('the deflated Sharpe ratio', () => {
  // The paper's worked example: 5 years of 250 days, annual Sharpe ratio 2.5, variance of the annual ratios 1/2.
  const example = {
    sharpe: 2.5 / Math.sqrt(250),
    observations: 1250,
    skewness: -3,
    kurtosis: 10,
    variance: 0.5 / 250,
  }

  test.each([
    [100, 0.9004],
    [46, 0.9505],
  ])('of the worked example with %d trials is %d', (trials, expected) => {
    expect(deflatedSharpeRatio({ ...example, trials })).toBeCloseTo(expected, 4)
  })

  test('falls with the number of trials, and needs none to be better than zero', () => {
    const falling = [1, 2, 5, 20, 1000].map((trials) => deflatedSharpeRatio({ ...example, trials }) as number)
    expect(falling).toEqual([...falling].sort((a, b) => b - a))
    expect(deflatedSharpeRatio({ ...example, sharpe: 0, trials: 1 })).toBe(0.5)
  })

  test('takes no impossible numbers, and the least that there may be', () => {
    const least = { ...example, observations: 2, trials: 1, variance: 0 }
    expect(deflatedSharpeRatio(least)).toBeGreaterThan(0)
    for (const wrong of [{ trials: 0 }, { observations: 1 }, { variance: -1 }, { sharpe: Number.NaN }])
      expect(() => deflatedSharpeRatio({ ...example, trials: 2, ...wrong })).toThrow(RangeError)
  })
})
