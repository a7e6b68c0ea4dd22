// Steps before a learner, and the learners that look at distances, bell curves and units: closed forms, and the same of the same rows and seed.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Fit,
  type LearnedRow,
  naiveBayes,
  nearestNeighbours,
  perceptron,
  pipeline,
  principalComponents,
  ridge,
  type Step,
  standardise,
  withoutOutliers,
} from '../../../../src/backtest/index.ts'

const ABOUT = { seed: 7, previous: null, at: 0 }
const figure = fc.integer({ min: -1000, max: 1000 }).map((value) => value / 100)

const rowsOf = (width: number, least = 30) =>
  fc
    .array(fc.tuple(fc.array(figure, { minLength: width, maxLength: width }), figure), {
      minLength: least,
      maxLength: 80,
      size: 'max',
    })
    .map((pairs): LearnedRow[] =>
      pairs.map(([features, label], closeTime) => ({ closeTime, features, label })),
    )

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const column = (rows: readonly LearnedRow[], index: number) =>
  rows.map(({ features }) => features[index] ?? 0)

describe('steps', () => {
  test('standardised features have a mean of 0 and a deviation of 1', () => {
    fc.assert(
      fc.property(rowsOf(3), (rows) => {
        const { rows: made } = standardise()(rows)
        for (const index of [0, 1, 2]) {
          const values = column(made, index)
          if (new Set(column(rows, index)).size === 1) continue
          expect(mean(values)).toBeCloseTo(0, 8)
          expect(mean(values.map((value) => value * value))).toBeCloseTo(1, 8)
        }
      }),
    )
  })

  test('principal components do not vary together, the first most, and all of them keep every distance', () => {
    fc.assert(
      fc.property(rowsOf(3), (rows) => {
        const scaled = standardise()(rows).rows
        const { rows: made } = principalComponents({ share: 1 })(rows)
        const width = made[0]?.features.length ?? 0
        const spread = (i: number, j: number) =>
          mean(made.map(({ features }) => (features[i] ?? 0) * (features[j] ?? 0)))
        for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) expect(spread(i, j)).toBeCloseTo(0, 7)
        for (let i = 1; i < width; i++) expect(spread(i, i)).toBeLessThanOrEqual(spread(i - 1, i - 1) + 1e-9)
        const distance = (some: readonly LearnedRow[]) =>
          (some[0]?.features ?? []).reduce(
            (sum, value, index) => sum + (value - (some[1]?.features[index] ?? 0)) ** 2,
            0,
          )
        expect(distance(made)).toBeCloseTo(distance(scaled), 6)
      }),
    )
  })

  test('least squares foretell the same of the features and of all their components', () => {
    fc.assert(
      fc.property(rowsOf(3), fc.array(figure, { minLength: 3, maxLength: 3 }), (rows, asked) => {
        const [plain, turned] = [
          ridge(1e-10)(rows, ABOUT),
          pipeline([principalComponents({ share: 1 })], ridge(1e-10))(rows, ABOUT),
        ]
        if (new Set(column(rows, 0)).size < 10) return
        expect(turned.predict(asked)).toBeCloseTo(plain.predict(asked), 3)
      }),
    )
  })

  test('so many components are kept as hold the share, and features that say the same are one', () => {
    const rows = Array.from({ length: 50 }, (_, index) => ({
      closeTime: index,
      features: [index, 2 * index + 3, -index, (index * 17) % 13],
      label: 0,
    }))
    const widths = [{ share: 0.7 }, { share: 0.9999 }, { count: 1 }, { count: 9 }].map(
      (keep) => principalComponents(keep)(rows).rows[0]?.features.length,
    )
    expect(widths).toEqual([1, 2, 1, 4])
    // Two that vary alike and apart: one holds half, exactly.
    const corners = [
      [1, 1],
      [1, -1],
      [-1, 1],
      [-1, -1],
    ].map((features, closeTime) => ({
      ...{ closeTime, features, label: 0 },
    }))
    const half = [0.5, 0.500001].map(
      (held) => principalComponents({ share: held })(corners).rows[0]?.features.length,
    )
    expect(half).toEqual([1, 2])
  })

  test('the rows that lie farthest are left out, and features farther out are told the mean', () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({
      closeTime: index,
      features: [Math.sin(index), Math.cos(index * 1.7)],
      label: index % 5,
    }))
    const odd = { closeTime: 200, features: [50, -50], label: 1000 }
    const given: (readonly LearnedRow[])[] = []
    const learner: Fit = (some) => {
      given.push(some)
      return { predict: () => 5 }
    }
    const model = pipeline([withoutOutliers({ share: 0.005 })], learner)([...rows, odd], ABOUT)
    expect(given).toEqual([rows])
    expect(model.predict([0.1, 0.2])).toBe(5)
    expect(model.predict([50, -50])).toBeCloseTo(mean([...rows, odd].map(({ label }) => label)), 9)
  })

  test('with a share of 0 nothing is left out, however features are scaled and moved', () => {
    fc.assert(
      fc.property(rowsOf(2), fc.integer({ min: 1, max: 50 }), (rows, scale) => {
        const step = withoutOutliers({ share: 0 })(rows)
        expect(step.rows).toEqual(rows)
        for (const { features } of rows) expect(step.of(features)).toBe(features)
        const moved = rows.map((row) => ({
          ...row,
          features: row.features.map((value) => scale * value + 3),
        }))
        const left = (some: readonly LearnedRow[]) =>
          withoutOutliers({ share: 0.1 })(some).rows.map(({ closeTime }) => closeTime)
        if (new Set(column(rows, 0)).size > 20) expect(left(moved)).toEqual(left(rows))
      }),
    )
  })

  test('each has what the one before it made, of the rows as of what is asked later', () => {
    const adding =
      (amount: number): Step =>
      (rows) => {
        const of = (features: readonly number[]) => features.map((value) => value * 2 + amount)
        return { rows: rows.map((row) => ({ ...row, features: of(row.features) })), of }
      }
    const given: (readonly LearnedRow[])[] = []
    const learner: Fit = (rows) => {
      given.push(rows)
      return { predict: ([value = 0]) => value }
    }
    const model = pipeline([adding(1), adding(10)], learner)(
      [{ closeTime: 0, features: [3], label: 0 }],
      ABOUT,
    )
    expect(given[0]?.[0]?.features).toEqual([24])
    expect(model.predict([3])).toBe(24)
  })

  test.each([
    () => principalComponents({ share: 0 }),
    () => principalComponents({ count: 0 }),
    () => withoutOutliers({ share: 0.5 }),
    () => nearestNeighbours({ count: 0 }),
    () => perceptron({ units: 0 }),
    () => perceptron({ rounds: 0.5 }),
    () => perceptron({ rate: 1 }),
    () => perceptron({ penalty: -1 }),
  ])('numbers out of range are refused: %s', (make) => expect(make).toThrow(RangeError))
})

test('the nearest neighbours are those of a sort over all rows', () => {
  fc.assert(
    fc.property(
      rowsOf(2),
      fc.integer({ min: 1, max: 90 }),
      fc.tuple(figure, figure),
      (rows, count, asked) => {
        const step = standardise()(rows)
        const own = step.of(asked) ?? []
        const sorted = step.rows
          .map(({ features, label }, row) => ({
            label,
            row,
            distance: features.reduce((sum, value, index) => sum + (value - (own[index] ?? 0)) ** 2, 0),
          }))
          .sort((one, other) => one.distance - other.distance || one.row - other.row)
        const expected = mean(sorted.slice(0, count).map(({ label }) => label))
        expect(nearestNeighbours({ count })(rows, ABOUT).predict(asked)).toBeCloseTo(expected, 9)
      },
    ),
  )
})

test('naive Bayes is the product of the densities of two bell curves a feature', () => {
  fc.assert(
    fc.property(rowsOf(2), fc.tuple(figure, figure), (numbers, asked) => {
      const rows = numbers.map((row, index) => ({ ...row, label: index % 3 === 0 ? 1 : 0 }))
      const density = (label: number) => {
        const own = rows.filter((row) => row.label === label)
        return asked.reduce((product, value, index) => {
          const values = column(own, index)
          const variance = mean(values.map((one) => (one - mean(values)) ** 2))
          return (
            product *
            (Math.exp(-((value - mean(values)) ** 2) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance))
          )
        }, own.length / rows.length)
      }
      const [zero, one] = [density(0), density(1)]
      if (!(zero + one > 1e-200) || !Number.isFinite(zero + one)) return
      expect(naiveBayes()(rows, ABOUT).predict(asked)).toBeCloseTo(one / (zero + one), 5)
    }),
  )
})

test('naive Bayes of one label alone is sure of it, and of others that are none it learns nothing', () => {
  const rows = [1, 2, 3].map((value) => ({ closeTime: value, features: [value], label: 1 }))
  expect(naiveBayes()(rows, ABOUT).predict([2])).toBe(1)
  expect(
    naiveBayes()(
      rows.map((row) => ({ ...row, label: 0 })),
      ABOUT,
    ).predict([2]),
  ).toBe(0)
  expect(() =>
    naiveBayes()(
      rows.map((row) => ({ ...row, label: 2 })),
      ABOUT,
    ),
  ).toThrow(/0 or 1/)
})

describe('a network', () => {
  const rows = Array.from({ length: 600 }, (_, index) => {
    const [x, y] = [Math.sin(index * 1.3), Math.sin(index * 2.9)]
    return { closeTime: index, features: [x, y], label: Math.abs(x) - 2 * y }
  })

  test('learns what no straight line is', () => {
    const model = perceptron({ rounds: 60 })(rows, ABOUT)
    const error = (predict: (features: readonly number[]) => number) =>
      mean(rows.map(({ features, label }) => (predict(features) - label) ** 2))
    expect(error((features) => model.predict(features))).toBeLessThan(0.01)
    expect(error((features) => ridge()(rows, ABOUT).predict(features))).toBeGreaterThan(0.05)
  })

  test('is the same of the same rows and seed, and another of another', () => {
    const said = (seed: number) => perceptron({ rounds: 3 })(rows, { ...ABOUT, seed }).predict([0.3, 0.4])
    expect(said(1)).toBe(said(1))
    expect(said(1)).not.toBe(said(2))
  })

  test('is as it was, to the last digit', () => {
    const model = perceptron({ units: 4, rounds: 2 })(rows.slice(0, 100), ABOUT)
    expect(model.predict([0.25, -0.5])).toMatchInlineSnapshot(`1.5832975335411645`)
  })

  test('says finite things of labels and features that never change', () => {
    const same = Array.from({ length: 40 }, (_, closeTime) => ({ closeTime, features: [3], label: 2 }))
    for (const learner of [
      perceptron(),
      nearestNeighbours(),
      pipeline([standardise(), withoutOutliers()], ridge()),
    ])
      expect(learner(same, ABOUT).predict([9])).toBeCloseTo(2, 9)
  })
})
