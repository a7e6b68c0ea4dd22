// What the choice of the best among many sets is worth: luck among noise, skill where there is some.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normal } from '../../../../src/backtest/simulated/normal.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { kurtosis, skewness } from '../../../../src/backtest/statistics/moments.ts'
import { averageCorrelation } from '../../../../src/backtest/statistics/selection.ts'
import { evidenceLines, evidenceOf, selectionEvidence } from '../../../../src/backtest/sweep/evidence.ts'

function noise(sets: number, days: number, seed: string): number[][] {
  const random = new Random(seed)
  return Array.from({ length: sets }, () => Array.from({ length: days }, () => 0.01 * normal(random)))
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function bestOf(sets: readonly (readonly number[])[]): number {
  const ratios = sets.map((returns) => {
    const mean = sum(returns) / returns.length
    return mean / Math.sqrt(sum(returns.map((value) => (value - mean) ** 2)))
  })
  return ratios.indexOf(Math.max(...ratios))
}

describe('the evidence of a choice', () => {
  test('is of the row that was chosen, the first as any, and of nothing else', () => {
    const rows = noise(4, 40, 'rows').map((dailyReturns, set) => ({
      parameters: { set },
      figures: { dailyReturns },
    })) as unknown as Parameters<typeof evidenceOf>[0]
    for (const [index, row] of rows.entries())
      expect(evidenceOf(rows, row)).toEqual(
        selectionEvidence(
          rows.map(({ figures }) => figures.dailyReturns),
          index,
        ),
      )
    expect(evidenceOf(rows, rows[0])).not.toBeNull()
    expect(evidenceOf(rows, { parameters: { set: 0 } })).toBeNull()
    expect(evidenceOf(rows, undefined)).toBeNull()
  })

  test('the best of noise is luck, one set with skill is not', () => {
    const sets = noise(30, 250, 'noise')
    const ofNoise = selectionEvidence(sets, bestOf(sets))
    expect(ofNoise?.byLuck).toBeGreaterThan(0.2)
    expect(ofNoise?.overfitting).toBeGreaterThan(0.2)
    const skilled = sets.map((returns, set) => (set === 17 ? returns.map((value) => value + 0.004) : returns))
    expect(bestOf(skilled)).toBe(17)
    const ofSkill = selectionEvidence(skilled, 17)
    expect(ofSkill?.byLuck).toBeLessThan(0.01)
    expect(ofSkill?.overfitting).toBeLessThan(0.01)
  })

  test('copies of a set are no further trials', () => {
    const [one] = noise(1, 100, 'copies') as [number[]]
    const copies = new Array(40).fill(one)
    expect(selectionEvidence(copies, 3)?.independentSets).toBeCloseTo(1, 9)
    expect(selectionEvidence(noise(40, 100, 'apart'), 3)?.independentSets).toBeGreaterThan(35)
  })

  test('the days after a verdict count as days without a return', () => {
    const [long, short] = noise(2, 40, 'short') as [number[], number[]]
    const ended = short.slice(0, 9)
    const padded = [...ended, ...new Array(31).fill(0)]
    expect(selectionEvidence([long, ended], 1)).toEqual(selectionEvidence([long, padded], 1))
  })

  test('nothing is said of one set, of few days, or of a set that never traded', () => {
    const sets = noise(3, 19, 'few')
    expect(selectionEvidence(sets, 0)).toBeNull()
    expect(selectionEvidence(noise(1, 40, 'one'), 0)).toBeNull()
    expect(selectionEvidence([...noise(2, 40, 'idle'), []], 2)).toBeNull()
    expect(selectionEvidence(noise(2, 20, 'enough'), 0)).not.toBeNull()
  })

  test('is told in sentences', () => {
    const said = {
      sets: 500,
      days: 240,
      independentSets: 31.4,
      sharpe: 0.1,
      sharpeByLuck: 0.09,
      byLuck: 0.38,
      overfitting: 0.451,
    }
    expect(evidenceLines(said)).toEqual([
      'Of 500 sets, as alike as 31 independent ones, the best would be this good by luck with 38%.',
      'Chosen over one half of the 240 days, the best set came no higher than the middle over the other half in 45% of the ways to halve them.',
    ])
    expect(evidenceLines({ ...said, byLuck: null })).toHaveLength(1)
  })
})

test('the mean correlation is that of all pairs', () => {
  const returns = fc.array(
    fc
      .array(fc.integer({ min: -9, max: 9 }), { minLength: 6, maxLength: 6 })
      .filter((set) => new Set(set).size > 1),
    { minLength: 2, maxLength: 7 },
  )
  const correlation = (a: readonly number[], b: readonly number[]) => {
    const centred = [a, b].map((set) => set.map((value) => value - sum(set) / set.length)) as [
      number[],
      number[],
    ]
    const product = (x: number[], y: number[]) => sum(x.map((value, at) => value * (y[at] as number)))
    const [x, y] = centred
    return product(x, y) / Math.sqrt(product(x, x) * product(y, y))
  }
  fc.assert(
    fc.property(returns, (sets) => {
      const pairs = sets.flatMap((a, at) => sets.slice(at + 1).map((b) => correlation(a, b)))
      expect(averageCorrelation([...sets, [2, 2, 2, 2, 2, 2]])).toBeCloseTo(sum(pairs) / pairs.length, 10)
    }),
  )
})

test('moments of a coin and of a lottery', () => {
  expect([skewness([0, 1]), kurtosis([0, 1])]).toEqual([0, 1])
  expect(skewness([0, 0, 0, 1])).toBeCloseTo(2 / Math.sqrt(3), 12)
  expect(kurtosis([0, 0, 0, 1])).toBeCloseTo(7 / 3, 12)
  expect([skewness([5, 5]), kurtosis([5, 5])]).toEqual([0, 3])
})
