// Boosted trees and random forests: they find a rule of two features, go by their rows and seed alone, and say how well they know it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boostedStumps } from '../../../../src/backtest/learned/boostedStumps.ts'
import { boostedTrees } from '../../../../src/backtest/learned/boostedTrees.ts'
import type { Fit, LearnedRow } from '../../../../src/backtest/learned/learning.ts'
import { randomForest } from '../../../../src/backtest/learned/randomForest.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'

const ABOUT = { seed: 5, previous: null, at: 0 }

/** Rows of three features, the third without any meaning. Frozen, as a run gives them. */
function rowsBy(
  seed: string,
  count: number,
  label: (x: number, y: number, noise: number) => number,
): readonly LearnedRow[] {
  const random = new Random(seed)
  const rows = Array.from({ length: count }, (_, closeTime) => {
    const [x, y, z, noise] = [
      random.uniform(),
      random.uniform(),
      random.uniform(),
      random.uniform() - 0.5,
    ] as const
    return Object.freeze({ closeTime, features: Object.freeze([x, y, z]), label: label(x, y, noise) })
  })
  return Object.freeze(rows)
}

const isBoth = (x: number, y: number) => (x > 0.5 === y > 0.5 ? 1 : -1)
const errorOf = (fitted: Fit, rows: readonly LearnedRow[], others = rows) => {
  const { predict } = fitted(rows, ABOUT)
  return (
    others.reduce((sum, { features, label }) => sum + (label - predict(features)) ** 2, 0) / others.length
  )
}
const predictions = (fitted: Fit, rows: readonly LearnedRow[], seed = 5) => {
  const { predict } = fitted(rows, { ...ABOUT, seed })
  return rows.map(({ features }) => predict(features))
}

const seeds = fc.string()
const LEARNERS: readonly (readonly [string, () => Fit])[] = [
  ['boosted trees', () => boostedTrees({ rounds: 60, depth: 3 })],
  ['a random forest', () => randomForest({ trees: 60, featureShare: 1 })],
]

describe.each(LEARNERS)('%s', (_, learner) => {
  test('finds what hangs on two features together, which no question about one tells', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [rows, others] = [rowsBy(seed, 500, isBoth), rowsBy(`${seed} others`, 500, isBoth)]
        expect(errorOf(learner(), rows, others)).toBeLessThan(0.35)
        expect(errorOf(boostedStumps(), rows, others)).toBeGreaterThan(0.8)
      }),
      { numRuns: 8 },
    )
  })

  test('of the same rows and seed says the same to the last bit, whatever was learned before', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const rows = rowsBy(seed, 80, (x, y, noise) => x * y + noise)
        const once = learner()
        once(rowsBy('another', 80, isBoth), ABOUT)
        expect(predictions(once, rows)).toEqual(predictions(learner(), rows))
      }),
      { numRuns: 20 },
    )
  })

  test('goes by its rows alone: what is no row changes nothing, and it says nothing beyond their labels', () => {
    const rows = rowsBy('rows', 200, (x, _, noise) => x + noise)
    const before = structuredClone(rows)
    const { predict } = learner()(rows, ABOUT)
    expect(rows).toEqual(before)
    const labels = rows.map(({ label }) => label)
    for (const far of [-1e9, 0.3, 1e9]) {
      const said = predict([far, far, far])
      expect(said).toBeGreaterThan(Math.min(...labels) - 1)
      expect(said).toBeLessThan(Math.max(...labels) + 1)
    }
  })

  test('of labels that are all the same says these', () => {
    expect(
      learner()(
        rowsBy('same', 50, () => 4),
        ABOUT,
      ).predict([1, 2, 3]),
    ).toBeCloseTo(4, 12)
  })
})

describe('boosted trees', () => {
  test('never fit worse with another round', () => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 4 }),
        (seed, rounds, depth) => {
          const rows = rowsBy(seed, 60, (x, y, noise) => x * y + noise)
          const one = errorOf(boostedTrees({ rounds, depth, rate: 1 }), rows)
          expect(errorOf(boostedTrees({ rounds: rounds + 1, depth, rate: 1 }), rows)).toBeLessThanOrEqual(
            one + 1e-9,
          )
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('a random forest', () => {
  test('with another seed is another', () => {
    const rows = rowsBy('rows', 100, (x, y, noise) => x * y + noise)
    expect(predictions(randomForest(), rows, 1)).not.toEqual(predictions(randomForest(), rows, 2))
  })

  test('knows out of its bag how well it foretells others, and that noise is not to be foretold', () => {
    for (const seed of ['a', 'b', 'c']) {
      const planted = (x: number, y: number, noise: number) => isBoth(x, y) + noise
      const [rows, others] = [rowsBy(seed, 600, planted), rowsBy(`${seed} others`, 600, planted)]
      const learner = randomForest({ featureShare: 1 })
      const mean = others.reduce((sum, { label }) => sum + label, 0) / others.length
      const spread = others.reduce((sum, { label }) => sum + (label - mean) ** 2, 0) / others.length
      const outOfBag = learner(rows, ABOUT).outOfBag ?? Number.NaN
      expect(outOfBag).toBeGreaterThan(0.5)
      expect(Math.abs(outOfBag - (1 - errorOf(learner, rows, others) / spread))).toBeLessThan(0.1)
      expect(
        randomForest()(
          rowsBy(seed, 600, (_x, _y, noise) => noise),
          ABOUT,
        ).outOfBag,
      ).toBeLessThan(0.05)
    }
  })

  test('has no such figure where nothing was left out, or nothing differs', () => {
    expect(
      randomForest()(
        rowsBy('same', 50, () => 4),
        ABOUT,
      ).outOfBag,
    ).toBeNull()
    expect(randomForest()(rowsBy('one', 1, isBoth), ABOUT).outOfBag).toBeNull()
  })
})

test.each<[string, () => unknown, string]>([
  ['rounds', () => boostedTrees({ rounds: 0 }), 'boosted trees take 1 to 10,000 rounds, not 0'],
  ['depth', () => boostedTrees({ depth: 13 }), 'trees are 1 to 12 questions deep, not 13'],
  ['rate', () => boostedTrees({ rate: 0 }), 'the rate of boosted trees is above 0 and at most 1, not 0'],
  [
    'least share',
    () => randomForest({ leastShare: 0.5 }),
    'the least share of trees is above 0 and below 0.5',
  ],
  ['trees', () => randomForest({ trees: 1.5 }), 'a forest has 1 to 10,000 trees, not 1.5'],
  [
    'features',
    () => randomForest({ featureShare: 2 }),
    'the share of features is above 0 and at most 1, not 2',
  ],
])('numbers out of range are refused: %s', (_, make, sentence) => expect(make).toThrow(sentence))
