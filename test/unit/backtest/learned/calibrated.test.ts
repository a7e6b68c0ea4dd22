// Probabilities that are bent to how often a one came: fitted on rows that the learner has not seen, the last in time.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calibrated, type Fit, type LearnedRow, logistic } from '../../../../src/backtest/index.ts'

const ABOUT = { seed: 0, previous: null, at: 0 }

const labelled = fc
  .array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 0, max: 1 })), {
    minLength: 60,
    maxLength: 200,
    size: 'max',
  })
  .map((pairs): LearnedRow[] =>
    pairs.map(([feature, label], closeTime) => ({ closeTime, features: [feature], label })),
  )

/** Says the feature, whatever it learned from, and tells whom it was given. */
function plain(given: (readonly LearnedRow[])[] = []): Fit {
  return (rows) => {
    given.push(rows)
    return { predict: ([feature = 0]) => feature }
  }
}

test('the learner has the first rows, the curve the last, and neither what lies between', () => {
  fc.assert(
    fc.property(
      labelled,
      fc.constantFrom('platt' as const, 'isotonic' as const),
      fc.double({ min: 0.2, max: 0.5, noNaN: true }),
      fc.integer({ min: 0, max: 20 }),
      (rows, by, share, gap) => {
        const given: (readonly LearnedRow[])[] = []
        const held = Math.round(share * rows.length)
        const model = calibrated(plain(given), { by, share, gap })(rows, ABOUT)
        expect(given).toEqual([rows.slice(0, rows.length - held - gap)])
        // Other labels of rows before the held ones change nothing of the curve.
        const other = rows.map((row, index) =>
          index < rows.length - held ? { ...row, label: 1 - row.label } : row,
        )
        const same = calibrated(plain(), { by, share, gap })(other, ABOUT)
        for (const feature of [-30, -3.5, 0, 7, 30])
          expect(same.predict([feature])).toBe(model.predict([feature]))
      },
    ),
  )
})

/** Of the likelihood of Platt's curve over the last half of the rows, by its level and by its slope. */
function slopesOf(rows: readonly LearnedRow[]): readonly [level: number, slope: number] {
  const held = rows.slice(rows.length - Math.round(rows.length / 2))
  const model = calibrated(plain(), { share: 0.5 })(rows, ABOUT)
  const ones = held.filter(({ label }) => label === 1).length
  const [high, low] = [(ones + 1) / (ones + 2), 1 / (held.length - ones + 2)]
  let [level, slope] = [0, 0]
  for (const { features, label } of held) {
    const off = (label === 1 ? high : low) - model.predict(features)
    level += off
    slope += off * (features[0] ?? 0)
  }
  return [level, slope]
}

test('Platt’s curve is where no other of its kind is likelier: both slopes of its likelihood are 0', () => {
  fc.assert(
    fc.property(labelled, (rows) => {
      const [level, slope] = slopesOf(rows)
      expect(Math.abs(level)).toBeLessThan(1e-4)
      expect(Math.abs(slope)).toBeLessThan(1e-2)
    }),
  )
})

test('and so it is where the ones are few and far out, of which a whole step of Newton’s goes too far', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 400 }),
      fc.integer({ min: 2, max: 6 }),
      fc.integer({ min: 1, max: 40 }),
      (zeros, ones, far) => {
        const half = [...Array(zeros).fill(0), ...Array(ones).fill(1)]
        const rows = [...half, ...half].map(
          (label, closeTime): LearnedRow => ({ closeTime, features: [far * label], label }),
        )
        const [level, slope] = slopesOf(rows)
        expect(Math.abs(level)).toBeLessThan(1e-4)
        expect(Math.abs(slope)).toBeLessThan(1e-2)
      },
    ),
  )
})

test('the isotonic curve is, at each thing said, the highest of the lowest means around it', () => {
  fc.assert(
    fc.property(labelled, (rows) => {
      const held = rows.slice(rows.length - Math.round(rows.length / 2))
      const model = calibrated(plain(), { by: 'isotonic', share: 0.5 })(rows, ABOUT)
      const said = [...new Set(held.map(({ features }) => features[0] ?? 0))].sort((a, b) => a - b)
      const mean = (from: number, to: number) => {
        const own = held.filter(({ features: [feature = 0] }) => feature >= from && feature <= to)
        return own.reduce((sum, { label }) => sum + label, 0) / own.length
      }
      for (const at of said) {
        const above = said.filter((to) => to >= at)
        const best = Math.max(
          ...said.filter((from) => from <= at).map((from) => Math.min(...above.map((to) => mean(from, to)))),
        )
        expect(model.predict([at])).toBeCloseTo(best, 12)
      }
    }),
    { numRuns: 40 },
  )
})

test('it never falls where more is said, and stays between 0 and 1', () => {
  fc.assert(
    fc.property(labelled, (rows) => {
      const model = calibrated(plain(), { by: 'isotonic' })(rows, ABOUT)
      const told = Array.from({ length: 90 }, (_, index) => model.predict([index / 2 - 22.5]))
      expect(told).toEqual([...told].sort((one, other) => one - other))
      expect(told.every((likely) => likely >= 0 && likely <= 1)).toBe(true)
    }),
  )
})

test('a learner that is too sure is brought back to what came', () => {
  // A one comes in seven of ten cases above 0 and in three below it; the learner says 1 and 0.
  const rows = Array.from({ length: 2000 }, (_, index) => {
    const isAbove = index % 2 === 0
    return {
      closeTime: index,
      features: [isAbove ? 1 : -1],
      label: (Math.floor(index / 2) * 7) % 10 < (isAbove ? 7 : 3) ? 1 : 0,
    }
  })
  const sure: Fit = () => ({ predict: ([feature = 0]) => (feature > 0 ? 1 : 0) })
  for (const by of ['platt', 'isotonic'] as const) {
    const model = calibrated(sure, { by })(rows, ABOUT)
    expect(model.predict([1])).toBeCloseTo(0.7, 2)
    expect(model.predict([-1])).toBeCloseTo(0.3, 2)
  }
})

test('the learner goes on from its own model before, not from the bent one', () => {
  const before: unknown[] = []
  const learner: Fit = (_, { previous }) => {
    before.push(previous)
    return { predict: () => 0.5 }
  }
  const rows = Array.from({ length: 60 }, (_, closeTime) => ({
    closeTime,
    features: [1],
    label: closeTime % 2,
  }))
  const first = calibrated(learner)(rows, ABOUT)
  calibrated(learner)(rows, { ...ABOUT, previous: first })
  expect(before[0]).toBeNull()
  expect(before[1]).not.toBe(first)
  expect(before[1]).toHaveProperty('predict')
})

describe('what cannot be calibrated', () => {
  test.each([{ share: 0 }, { share: 1 }, { gap: -1 }, { gap: 0.5 }])('%j is refused', (options) =>
    expect(() => calibrated(logistic(), options)).toThrow(RangeError),
  )
  test('too few rows, and labels that are neither 0 nor 1, are refused by the fit', () => {
    const rows = Array.from({ length: 39 }, (_, closeTime) => ({ closeTime, features: [1], label: 1 }))
    expect(() => calibrated(logistic(), { gap: 30 })(rows, ABOUT)).toThrow('39 rows are too few')
    expect(() => calibrated(logistic())([{ closeTime: 0, features: [1], label: 0.5 }], ABOUT)).toThrow(
      /0 or 1/,
    )
  })
})
