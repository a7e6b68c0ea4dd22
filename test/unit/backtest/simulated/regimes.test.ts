// Regimes: of equal size, the calmest first, by what was known when a row began, each market measured by its own changes.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { volatilityRegimes } from '../../../../src/backtest/simulated/regimes.ts'

const changes = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 5, maxLength: 60 })
const marketOf = (own: readonly number[], scale = 1) =>
  Float64Array.from(own, (change) => (scale * change) / 1_024)

test('a market that moves so many times as much, or down instead of up, has the same', () => {
  fc.assert(
    fc.property(
      changes,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: -6, max: 6 }),
      (own, window, power) => {
        const one = marketOf(own)
        const other = marketOf([...own].reverse())
        const regimes = volatilityRegimes([one, other], window)
        for (const sign of [1, -1])
          expect(volatilityRegimes([one, marketOf([...own].reverse(), sign * 2 ** power)], window)).toEqual(
            regimes,
          )
      },
    ),
  )
})

test('each is as large as the others, and none is calmer than the one before it', () => {
  fc.assert(
    fc.property(
      changes,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 4 }),
      (own, window, count) => {
        const { of, rows } = volatilityRegimes([marketOf(own)], window, count)
        const sizes = rows.map((each) => each.length)
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
        expect(rows.flatMap((each) => [...each]).sort((a, b) => a - b)).toEqual(
          own.slice(1).map((_, row) => row + 1),
        )
        // What was known when the row began: the mean of up to so many rows before it; of the first row, what is known of the second.
        const movedBefore = (row: number) => {
          const before = own.slice(Math.max(1, row - window), row)
          return before.reduce((sum, change) => sum + change, 0) / before.length
        }
        const known = own.map((_, row) => movedBefore(Math.max(2, row)))
        for (const [regime, each] of rows.entries())
          for (const row of each) {
            expect(of[row]).toBe(regime)
            for (const calmer of rows[regime - 1] ?? [])
              expect(known[calmer]).toBeLessThanOrEqual((known[row] as number) + 1e-9)
          }
      },
    ),
  )
})

test('where nothing moves all rows are alike, and are shared out as they come', () => {
  expect(volatilityRegimes([new Float64Array(7)], 2).rows.map((rows) => [...rows])).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ])
})
