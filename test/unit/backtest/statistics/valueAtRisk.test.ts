import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tailRisk } from '../../../../src/backtest/statistics/valueAtRisk.ts'
import { exact, expectClose, returnsOf, sum } from './samples.ts'

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
