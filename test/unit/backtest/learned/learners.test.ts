// The learners of the package come to what their definitions say, however the features are scaled.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boostedStumps } from '../../../../src/backtest/learned/boostedStumps.ts'
import type { Fit, LearnedRow } from '../../../../src/backtest/learned/learning.ts'
import { logistic } from '../../../../src/backtest/learned/logistic.ts'
import { ridge } from '../../../../src/backtest/learned/ridge.ts'
import { correlation, sameSide, skill } from '../../../../src/backtest/learned/scores.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'

const ABOUT = { seed: 0, previous: null, at: 0 }

const rowsOf = (features: readonly (readonly number[])[], labels: readonly number[]): LearnedRow[] =>
  features.map((own, row) => ({ closeTime: row, features: own, label: labels[row] ?? 0 }))

const value = fc.integer({ min: -1_000, max: 1_000 }).map((whole) => whole / 100)
const data = (label: fc.Arbitrary<number>) =>
  fc.array(fc.tuple(value, value, label), { minLength: 8, maxLength: 60, size: 'max' }).map((drawn) =>
    rowsOf(
      drawn.map(([a, b]) => [a, b]),
      drawn.map(([, , own]) => own),
    ),
  )

const meanOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length

/** A column as a learner sees it. */
function standardised(rows: readonly LearnedRow[], column: number): number[] {
  const values = rows.map(({ features }) => features[column] as number)
  const mean = meanOf(values)
  const deviation = Math.sqrt(meanOf(values.map((one) => (one - mean) ** 2)))
  return values.map((one) => (deviation > 1e-9 ? (one - mean) / deviation : 0))
}

/** What a model that is linear in its features adds for a deviation of one of them. */
function slopeOf(
  rows: readonly LearnedRow[],
  column: number,
  predict: (features: readonly number[]) => number,
): number {
  const values = rows.map(({ features }) => features[column] as number)
  const deviation = Math.sqrt(meanOf(values.map((one) => (one - meanOf(values)) ** 2)))
  const at = [0, 0]
  const beside = at.map((one, index) => one + (index === column ? deviation : 0))
  return predict(beside) - predict(at)
}

describe('a ridge regression', () => {
  test('lies where the error and the penalty pull equally', () => {
    fc.assert(
      fc.property(data(value), fc.constantFrom(0.001, 0.1, 2), (rows, penalty) => {
        const { predict } = ridge(penalty)(rows, ABOUT)
        const errors = rows.map(({ features, label }) => label - predict(features))
        expect(meanOf(errors)).toBeCloseTo(0, 8)
        for (const column of [0, 1]) {
          const pull = meanOf(standardised(rows, column).map((one, row) => one * (errors[row] as number)))
          expect(pull).toBeCloseTo(penalty * slopeOf(rows, column, predict), 6)
        }
      }),
    )
  })

  test('takes a feature that never changes as nothing', () => {
    const rows = rowsOf(
      [
        [1, 0.1],
        [2, 0.1],
        [3, 0.1],
        [5, 0.1],
      ],
      [1, 2, 3, 5],
    )
    const { predict } = ridge(1e-9)(rows, ABOUT)
    expect(predict([4, 0.1])).toBeCloseTo(4, 6)
    expect(predict([4, 77])).toBe(predict([4, 0.1]))
  })
})

describe('a logistic regression', () => {
  test('lies where likelihood and penalty pull equally', () => {
    fc.assert(
      fc.property(data(fc.constantFrom(0, 1)), fc.constantFrom(0.01, 0.3), (rows, penalty) => {
        fc.pre(new Set(rows.map(({ label }) => label)).size === 2)
        const { predict } = logistic(penalty)(rows, ABOUT)
        const odds = (features: readonly number[]) => Math.log(predict(features) / (1 - predict(features)))
        const errors = rows.map(({ features, label }) => label - predict(features))
        expect(meanOf(errors)).toBeCloseTo(0, 5)
        for (const column of [0, 1]) {
          const pull = meanOf(standardised(rows, column).map((one, row) => one * (errors[row] as number)))
          expect(pull).toBeCloseTo(penalty * slopeOf(rows, column, odds), 5)
        }
      }),
    )
  })

  test('of labels that are all the same is sure of them, and finite', () => {
    const { predict } = logistic()(rowsOf([[1], [2], [3]], [1, 1, 1]), ABOUT)
    expect(predict([2])).toBeGreaterThan(0.99)
    expect(predict([1e9])).toBeLessThanOrEqual(1)
  })

  test('takes no other labels', () => {
    expect(() => logistic()(rowsOf([[1], [2]], [1, -1]), ABOUT)).toThrow(
      'a logistic regression learns labels that are 0 or 1, and not -1',
    )
  })
})

describe('boosted stumps', () => {
  test('never fit worse with another round, and with one ask the best question there is', () => {
    fc.assert(
      fc.property(data(value), (rows) => {
        const errorOf = (learner: Fit) => {
          const { predict } = learner(rows, ABOUT)
          return meanOf(rows.map(({ features, label }) => (label - predict(features)) ** 2))
        }
        const one = errorOf(boostedStumps({ rounds: 1, rate: 1 }))
        expect(errorOf(boostedStumps({ rounds: 2, rate: 1 }))).toBeLessThanOrEqual(one + 1e-9)
        // Up to 32 rows every one is a quantile, so that every question can be asked.
        if (rows.length > 32) return
        const split = (column: number, threshold: number) => {
          const sides = [true, false].map((isLow) =>
            rows.filter(({ features }) => (features[column] as number) <= threshold === isLow),
          )
          const means = sides.map((side) => meanOf(side.map(({ label }) => label)))
          return sides.some((side) => side.length === 0)
            ? Number.POSITIVE_INFINITY
            : sides
                .flatMap((side, index) => side.map(({ label }) => (label - (means[index] as number)) ** 2))
                .reduce((sum, square) => sum + square, 0) / rows.length
        }
        const best = Math.min(
          ...rows.flatMap(({ features }) =>
            [0, 1].map((column) => split(column, features[column] as number)),
          ),
        )
        if (best < Number.POSITIVE_INFINITY) expect(one).toBeCloseTo(best, 8)
      }),
    )
  })

  test('find a step that no straight line has', () => {
    const xs = Array.from({ length: 200 }, (_, x) => [x])
    const rows = rowsOf(
      xs,
      xs.map(([x = 0]) => (x > 60 && x < 140 ? 1 : -1)),
    )
    const { predict } = boostedStumps()(rows, ABOUT)
    expect([predict([30]) < -0.8, predict([100]) > 0.8, predict([180]) < -0.8]).toEqual([true, true, true])
  })

  test('of labels that are all the same say these', () => {
    expect(boostedStumps()(rowsOf([[1], [2], [3]], [4, 4, 4]), ABOUT).predict([9])).toBe(4)
  })
})

test.each<[string, () => Fit, string]>([
  ['ridge', () => ridge(0), 'the penalty of a ridge regression is above 0, not 0'],
  ['logistic', () => logistic(-1), 'the penalty of a logistic regression is above 0, not -1'],
  ['rounds', () => boostedStumps({ rounds: 0 }), 'boosted stumps take 1 to 10,000 rounds, not 0'],
  ['rate', () => boostedStumps({ rate: 2 }), 'the rate of boosted stumps is above 0 and at most 1, not 2'],
  [
    'share',
    () => boostedStumps({ leastShare: 0.5 }),
    'the least share of boosted stumps is above 0 and below 0.5',
  ],
])('numbers out of range are refused: %s', (_, make, sentence) => {
  expect(make).toThrow(sentence)
})

describe('scores', () => {
  const random = new Random('scores')
  const drawn = () => Array.from({ length: 400 }, () => random.uniform() - 0.5)

  test('of the labels themselves are the best there is, of the opposite the worst, of a coin about nothing', () => {
    const labels = drawn()
    const opposite = labels.map((label) => -label)
    const all = (made: readonly number[]) =>
      [correlation, skill, sameSide()].map((score) => score(made, labels, 0))
    expect(all(labels)).toEqual([expect.closeTo(1, 10), 1, 1])
    expect(all(opposite)).toEqual([expect.closeTo(-1, 10), expect.closeTo(-3, 10), 0])
    expect(Math.abs(correlation(drawn(), labels, 0) ?? 1)).toBeLessThan(0.15)
    expect(skill(drawn(), labels, 0)).toBeLessThan(-0.7)
    expect(skill(new Array(400).fill(0), labels, 0)).toBe(0)
  })

  test('tell nothing of too little', () => {
    expect([correlation([1], [1], 1), skill([1], [1], 1), sameSide()([1], [0], 0)]).toEqual([
      null,
      null,
      null,
    ])
    expect([correlation([], [], 0), skill([], [], 0), sameSide(0.5)([], [], 0)]).toEqual([null, null, null])
  })
})
