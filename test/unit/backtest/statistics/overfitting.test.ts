// How often the best set over half of the time is good over the other half as well.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normal } from '../../../../src/backtest/simulated/normal.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { probabilityOfOverfitting } from '../../../../src/backtest/statistics/overfitting.ts'

describe('the probability of overfitting', () => {
  const noise = (seed: string, sets = 20, periods = 160) => {
    const random = new Random(seed)
    return Array.from({ length: sets }, () => Array.from({ length: periods }, () => normal(random) / 100))
  }

  test('of noise is about one half', () => {
    const told = Array.from({ length: 60 }, (_, seed) => probabilityOfOverfitting(noise(`noise ${seed}`), 8))
    const mean = told.reduce((sum, value) => sum + value, 0) / told.length
    expect(mean).toBeGreaterThan(0.4)
    expect(mean).toBeLessThan(0.6)
  })

  test('of one truly better set is zero', () => {
    const [first, ...others] = noise('better') as [number[], ...number[][]]
    expect(probabilityOfOverfitting([...others, first.map((value) => value + 0.01)], 8)).toBe(0)
  })

  test('of sets that do well in one half only is one', () => {
    const half = (good: (period: number) => boolean) =>
      Array.from({ length: 8 }, (_, period) => (good(period) ? 0.01 : -0.01) + (period % 2) / 1000)
    expect(probabilityOfOverfitting([half((period) => period < 4), half((period) => period >= 4)], 2)).toBe(1)
  })

  test('does not depend on the order of the sets, equal ones among them', () => {
    const sets = noise('order', 6)
    sets.push(sets[2] as number[], sets[4] as number[], Array(160).fill(0))
    expect(probabilityOfOverfitting([...sets].reverse(), 8)).toBeCloseTo(
      probabilityOfOverfitting(sets, 8),
      12,
    )
  })

  // The steps of the paper (section 3.1), as they are written there: submatrices are joined in their order, the Sharpe ratio
  // of each column is taken, and the logit of the relative rank ω = rank / (N + 1) of the best one is not above 0.
  test('is what the paper says, done by hand', () => {
    const told: number[] = []
    for (const [parts, sets, periods] of [
      [4, 3, 40],
      [6, 9, 61],
      [8, 5, 80],
    ] as const) {
      const columns = noise(`by hand ${parts}`, sets, periods).map((own, set) =>
        own.map((value) => value + set / 2_000),
      )
      const length = Math.floor(periods / parts)
      const submatrix = (part: number) => {
        const begin = (periods % parts) + part * length
        return columns.map((column) => column.slice(begin, begin + length))
      }
      const halves = combinationsOf(
        Array.from({ length: parts }, (_, part) => part),
        parts / 2,
      )
      const logits = halves.map((chosen) => {
        const rest = Array.from({ length: parts }, (_, part) => part).filter((part) => !chosen.includes(part))
        const joined = (of: readonly number[]) =>
          columns.map((_, set) => of.flatMap((part) => submatrix(part)[set] as number[]))
        const inside = joined(chosen).map(sharpeOf)
        const outside = joined(rest).map(sharpeOf)
        const best = inside.indexOf(Math.max(...inside))
        const rank = outside.filter((value) => value <= (outside[best] as number)).length
        const relative = rank / (sets + 1)
        return Math.log(relative / (1 - relative))
      })
      const overfitted = logits.filter((logit) => logit <= 1e-12).length / logits.length
      expect(probabilityOfOverfitting(columns, parts)).toBeCloseTo(overfitted, 12)
      told.push(overfitted)
    }
    expect(told.some((value) => value > 0 && value < 1)).toBe(true)
  })

  // Returns of −1, 0 and 1 over eight periods have sums and ratios without a rounding, so that what is equal is exactly equal.
  test('shares a choice among sets that are equally good, each by its own rank', () => {
    const returns = fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 16, maxLength: 16 })
    const halves = combinationsOf([0, 1, 2, 3], 2)
    let shared = 0
    fc.assert(
      fc.property(fc.array(returns, { minLength: 2, maxLength: 9 }), (sets) => {
        const ratiosOver = (parts: readonly number[]) =>
          sets.map((own) => sharpeOf(parts.flatMap((part) => own.slice(4 * part, 4 * part + 4))) || 0)
        const lost = halves.map((chosen) => {
          const inside = ratiosOver(chosen)
          const outside = ratiosOver([0, 1, 2, 3].filter((part) => !chosen.includes(part)))
          const best = outside.filter((_, set) => inside[set] === Math.max(...inside))
          const meanRank = (value: number) =>
            outside.filter((other) => other < value).length +
            (outside.filter((other) => other === value).length + 1) / 2
          const bad = best.filter((value) => meanRank(value) / (sets.length + 1) <= 1 / 2)
          if (bad.length > 0 && bad.length < best.length) shared += 1
          return bad.length / best.length
        })
        expect(probabilityOfOverfitting(sets, 4)).toBeCloseTo(
          lost.reduce((sum, value) => sum + value, 0) / halves.length,
          12,
        )
      }),
    )
    expect(shared).toBeGreaterThan(10)
  })

  test('leaves out the oldest returns that no equal part has room for', () => {
    const sets = noise('rest', 6)
    const longer = sets.map((returns, set) => [set, -set, 1, ...returns])
    expect(probabilityOfOverfitting(longer, 8)).toBe(probabilityOfOverfitting(sets, 8))
  })

  test('takes no sets of different length, too few returns, odd parts', () => {
    for (const [sets, parts] of [
      [[[1, 2], [1]], 2],
      [
        [
          [1, 2, 3],
          [1, 2, 3],
        ],
        2,
      ],
      [noise('odd'), 3],
      [noise('one', 1), 2],
    ] as const)
      expect(() => probabilityOfOverfitting(sets, parts)).toThrow(RangeError)
    expect(probabilityOfOverfitting(noise('least', 3, 4), 2)).toBeGreaterThanOrEqual(0)
  })
})

function combinationsOf(items: readonly number[], size: number): number[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, at) =>
    combinationsOf(items.slice(at + 1), size - 1).map((others) => [item, ...others]),
  )
}

function sharpeOf(returns: readonly number[]): number {
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length
  const squares = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return mean / Math.sqrt(squares / (returns.length - 1))
}
