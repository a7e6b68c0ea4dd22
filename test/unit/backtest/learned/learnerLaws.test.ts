// What holds of every learner of the package, however odd the rows: columns that never change, ties, one label alone, huge and tiny numbers.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boostedStumps,
  boostedTrees,
  calibrated,
  type Fit,
  type LearnedRow,
  logistic,
  naiveBayes,
  nearestNeighbours,
  perceptron,
  pipeline,
  principalComponents,
  randomForest,
  ridge,
  standardise,
  withoutOutliers,
} from '../../../../src/backtest/index.ts'

const ABOUT = { seed: 3, previous: null, at: 0 }

const OF_NUMBERS: Readonly<Record<string, Fit>> = {
  ridge: ridge(),
  stumps: boostedStumps({ rounds: 10 }),
  trees: boostedTrees({ rounds: 5 }),
  forest: randomForest({ trees: 5 }),
  neighbours: nearestNeighbours({ count: 5 }),
  network: perceptron({ rounds: 2, units: 3 }),
  components: pipeline([standardise(), principalComponents(), withoutOutliers()], ridge()),
}
const OF_LABELS: Readonly<Record<string, Fit>> = {
  ...OF_NUMBERS,
  logistic: logistic(),
  bayes: naiveBayes(),
  'Bayes without outliers': pipeline([withoutOutliers({ share: 0.1 })], naiveBayes()),
  Platt: calibrated(logistic()),
  isotonic: calibrated(boostedStumps({ rounds: 5 }), { by: 'isotonic' }),
}

const odd = fc.oneof(
  fc.constantFrom(0, 1, -1, 3, 1e9, 1e-9, 1e-60, 1e60, -1e60, 1e100, -1e100),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, min: -1e100, max: 1e100 }),
)
const oddRows = (label: fc.Arbitrary<number>) =>
  fc.integer({ min: 1, max: 3 }).chain((width) =>
    fc.record({
      rows: fc
        .array(fc.tuple(fc.array(odd, { minLength: width, maxLength: width }), label), {
          ...{ minLength: 44, maxLength: 80, size: 'max' },
        })
        .map((drawn) => drawn.map(([features, own], closeTime) => ({ closeTime, features, label: own }))),
      asked: fc.array(odd, { minLength: width, maxLength: width }),
    }),
  )

describe('of any rows', () => {
  test.each(Object.entries(OF_NUMBERS))('%s says a number, and of the same rows the same', (_, learner) => {
    fc.assert(
      fc.property(oddRows(odd), ({ rows, asked }) => {
        const said = learner(rows, ABOUT).predict(asked)
        expect(said).toSatisfy(Number.isFinite)
        expect(learner(rows, ABOUT).predict(asked)).toBe(said)
      }),
      { numRuns: 60 },
    )
  })
  test.each(Object.entries(OF_LABELS))(
    'of labels that are 0 or 1, or one of them alone, %s does too',
    (name, learner) => {
      const label = fc.boolean().chain((isMixed) => fc.constantFrom(...(isMixed ? [0, 1] : [1])))
      fc.assert(
        fc.property(oddRows(label), ({ rows, asked }) => {
          const said = learner(rows, ABOUT).predict(asked)
          expect(said).toSatisfy(Number.isFinite)
          if (!(name in OF_NUMBERS)) expect(said >= 0 && said <= 1).toBe(true)
        }),
        { numRuns: 60 },
      )
    },
  )
})

/** Rows on a grid of few values, so that features and distances tie. */
const tied = fc
  .array(
    fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 1 })),
    { minLength: 60, maxLength: 90, size: 'max' },
  )
  .map((drawn): LearnedRow[] =>
    drawn.map(([a, b, label], closeTime) => ({ closeTime, features: [a, b], label })),
  )
const grid = Array.from({ length: 25 }, (_, at) => [at % 5, Math.floor(at / 5)])
const saidOf = (learner: Fit, rows: readonly LearnedRow[], asked: readonly (readonly number[])[]) => {
  const model = learner(rows, ABOUT)
  return asked.map((features) => model.predict(features))
}
const changed = (rows: readonly LearnedRow[], change: (features: readonly number[]) => number[]) =>
  rows.map((row) => ({ ...row, features: change(row.features) }))

test('of rows that lie as near the older ones are the neighbours', () => {
  fc.assert(
    fc.property(tied, fc.integer({ min: 1, max: 20 }), (rows, count) => {
      const own = rows.map((row, index) => ({ ...row, label: index }))
      const step = standardise()(own)
      const expected = grid.map((asked) => {
        const at = step.of(asked) ?? []
        const sorted = step.rows
          .map(({ features, label }) => ({
            label,
            distance: features.reduce((sum, value, index) => sum + (value - (at[index] ?? 0)) ** 2, 0),
          }))
          .sort((one, other) => one.distance - other.distance || one.label - other.label)
          .slice(0, count)
        return sorted.reduce((sum, { label }) => sum + label, 0) / count
      })
      const said = saidOf(nearestNeighbours({ count }), own, grid)
      for (const [index, value] of said.entries()) expect(value).toBeCloseTo(expected[index] ?? Number.NaN, 9)
    }),
    { numRuns: 60 },
  )
})

describe('no learner that looks at every feature minds', () => {
  const learners = {
    ridge: ridge(),
    logistic: logistic(),
    bayes: naiveBayes(),
    neighbours: nearestNeighbours({ count: 7 }),
    Platt: calibrated(ridge()),
  }
  const each = test.each(Object.entries(learners))

  each('a feature that never changes, wherever it stands: %s', (_, learner) => {
    fc.assert(
      fc.property(tied, fc.constantFrom(0, 1, 2), fc.constantFrom(0, 0.1, -7), (rows, place, value) => {
        const wider = (features: readonly number[]) => [
          ...[...features.slice(0, place), value],
          ...features.slice(place),
        ]
        const said = saidOf(learner, changed(rows, wider), grid.map(wider))
        for (const [index, plain] of saidOf(learner, rows, grid).entries())
          expect(said[index]).toBeCloseTo(plain, 9)
      }),
      { numRuns: 40 },
    )
  })

  each('in which unit a feature is: %s', (_, learner) => {
    fc.assert(
      fc.property(tied, fc.constantFrom(2 ** -30, 2 ** 30), (rows, unit) => {
        const inUnits = ([a = 0, b = 0]: readonly number[]) => [a * unit, b]
        const said = saidOf(learner, changed(rows, inUnits), grid.map(inUnits))
        for (const [index, plain] of saidOf(learner, rows, grid).entries())
          expect(said[index]).toBeCloseTo(plain, 9)
      }),
      { numRuns: 40 },
    )
  })
})

test('a feature that is the same in all ones and not in the zeros is much, and not everything', () => {
  const rows = Array.from({ length: 60 }, (_, closeTime) => {
    const label = closeTime % 2
    return { closeTime, features: [label === 1 ? 5 : closeTime / 6], label }
  })
  const [near, far] = saidOf(naiveBayes(), rows, [[5], [9]])
  expect(near).toBeGreaterThan(0.99)
  expect(near).toBeLessThan(1)
  expect(far).toBe(0)
})

describe('a curve that calibrates', () => {
  const said =
    (scale: number): Fit =>
    () => ({ predict: ([value = 0]) => scale * value })

  test('is of the same probabilities in whatever unit the learner speaks', () => {
    fc.assert(
      fc.property(tied, fc.constantFrom('platt' as const, 'isotonic' as const), (rows, by) => {
        const plain = saidOf(calibrated(said(1), { by }), rows, grid)
        for (const scale of [2 ** -40, 2 ** 40])
          for (const [index, value] of saidOf(calibrated(said(scale), { by }), rows, grid).entries())
            expect(value).toBeCloseTo(plain[index] ?? Number.NaN, 9)
      }),
      { numRuns: 40 },
    )
  })

  test('of a learner that says one thing only says how often a one came', () => {
    const rows = Array.from({ length: 400 }, (_, closeTime) => ({
      ...{ closeTime, features: [0], label: closeTime % 4 === 0 ? 1 : 0 },
    }))
    const silent: Fit = () => ({ predict: () => 0.9 })
    for (const by of ['platt', 'isotonic'] as const)
      expect(calibrated(silent, { by })(rows, ABOUT).predict([0])).toBeCloseTo(0.25, 2)
  })

  test('goes straight from one thing said to the next, and level beyond the last', () => {
    const rows = Array.from({ length: 80 }, (_, closeTime) => ({
      ...{ closeTime, features: [closeTime % 2], label: closeTime % 2 === 1 || closeTime % 8 === 0 ? 1 : 0 },
    }))
    const model = calibrated(said(1), { by: 'isotonic', share: 0.5 })(rows, ABOUT)
    const told = [-1, 0, 0.25, 0.5, 0.75, 1, 2].map((value) => model.predict([value]))
    for (const [index, expected] of [0.25, 0.25, 0.4375, 0.625, 0.8125, 1, 1].entries())
      expect(told[index]).toBeCloseTo(expected, 12)
  })

  test('wants ten rows to be bent by, and numbers', () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, closeTime) => ({
        closeTime,
        features: [closeTime],
        label: closeTime % 2,
      }))
    expect(() => calibrated(said(1))(rows(37), ABOUT)).toThrow('37 rows are too few')
    expect(calibrated(said(1))(rows(38), ABOUT).predict([3])).toBeLessThan(1)
    for (const by of ['platt', 'isotonic'] as const) {
      expect(() => calibrated(said(Number.NaN), { by })(rows(80), ABOUT)).toThrow(
        'the learner that is calibrated says NaN of a row, which is no number',
      )
      // What is no number stays none, so that the run ends with it instead of going on with a probability.
      const later: Fit = () => ({ predict: ([value = 0]) => (value > 1_000 ? Number.NaN : value) })
      expect(calibrated(later, { by })(rows(80), ABOUT).predict([2_000])).toBeNaN()
    }
  })
})

describe('steps', () => {
  test('that leave nothing are told', () => {
    const none = () => ({ rows: [], of: (features: readonly number[]) => features })
    expect(() => pipeline([none], ridge())([{ closeTime: 0, features: [1], label: 1 }], ABOUT)).toThrow(
      'the steps before the learner leave it no rows',
    )
  })

  test('are before the learner alone: it goes on from its own model', () => {
    const before: unknown[] = []
    const learner: Fit = (_, { previous }) => {
      before.push(previous)
      return { predict: () => 0 }
    }
    const rows = [1, 2, 3].map((value) => ({ closeTime: value, features: [value], label: value }))
    const first = pipeline([standardise()], learner)(rows, ABOUT)
    pipeline([standardise()], learner)(rows, { ...ABOUT, previous: first })
    expect(before[0]).toBeNull()
    expect(before[1]).not.toBe(first)
    expect(before[1]).toHaveProperty('predict')
  })

  const heights = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 93, 50]
  const leftOut = (share: number, features: (value: number) => number[]) => {
    const rows = heights.map((value, closeTime) => ({ closeTime, features: features(value), label: 0 }))
    const kept = withoutOutliers({ share })(rows).rows
    return heights.filter((_, row) => !kept.some(({ closeTime }) => closeTime === row))
  }
  test('leave out no more rows than the share, the farthest first', () => {
    expect([0.06, 0.1, 0.12, 0.13].map((share) => leftOut(share, (value) => [value]))).toEqual([
      ...[[], [93], [93], [93, 50]],
    ])
  })
  test('leave out the same rows where two features say the same', () => {
    expect(leftOut(0.1, (value) => [value, 2 * value, -value])).toEqual([93])
  })

  test('turn features so that the largest part of each axis is above 0', () => {
    const feature = fc.integer({ min: -1_000, max: 1_000 })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(feature, feature, feature), { minLength: 20, maxLength: 40, size: 'max' }),
        (drawn) => {
          const rows = drawn.map((features, closeTime) => ({ closeTime, features, label: 0 }))
          const columns = [0, 1, 2].map((column) => drawn.map((own) => own[column] ?? 0))
          const mean = columns.map((own) => own.reduce((sum, value) => sum + value, 0) / own.length)
          const deviation = columns.map((own, column) =>
            Math.sqrt(own.reduce((sum, value) => sum + (value - (mean[column] ?? 0)) ** 2, 0) / own.length),
          )
          const { of } = principalComponents({ count: 3 })(rows)
          // One deviation of a feature alone: its part of every axis.
          const parts = [0, 1, 2].map((column) =>
            of(mean.map((value, index) => (index === column ? value + (deviation[index] ?? 0) : value))),
          )
          for (const axis of [0, 1, 2]) {
            const own = parts.map((part) => part?.[axis] ?? 0)
            const largest = Math.max(...own.map(Math.abs))
            expect(own.some((part) => part > largest * (1 - 1e-6))).toBe(true)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
