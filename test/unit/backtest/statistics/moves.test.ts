// The deepest falls and the largest rises: against every pair of points, none over another, and as mirror images.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deepestFalls, largestRises, type Move } from '../../../../src/backtest/statistics/moves.ts'

const prices = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 40, size: 'max' })

/** The deepest fall among all pairs of a stretch; null where nothing falls. */
function deepestOf(series: readonly number[], from: number, to: number): number | null {
  let deepest: number | null = null
  for (let early = from; early <= to; early++)
    for (let late = early + 1; late <= to; late++) {
      const left = (series[late] ?? 0) / (series[early] ?? 0)
      if (left < 1 && left < (deepest ?? 1)) deepest = left
    }
  return deepest
}

const leftOf = (series: readonly number[], { from, to }: Move) => (series[to] ?? 0) / (series[from] ?? 0)

test('each is the deepest of what those before it left, to the end of all falls', () => {
  fc.assert(
    fc.property(prices, (series) => {
      const falls = deepestFalls(series, 100)
      let stretches: (readonly [from: number, to: number])[] = [[0, series.length - 1]]
      for (const fall of falls) {
        const deepest = Math.min(...stretches.map(([from, to]) => deepestOf(series, from, to) ?? 1))
        expect(leftOf(series, fall)).toBe(deepest)
        const own = stretches.find(([from, to]) => from <= fall.from && fall.to <= to)
        expect(own).toBeDefined()
        stretches = stretches.flatMap((stretch) =>
          stretch === own ? [[stretch[0], fall.from] as const, [fall.to, stretch[1]] as const] : [stretch],
        )
      }
      expect(stretches.every(([from, to]) => deepestOf(series, from, to) === null)).toBe(true)
    }),
  )
})

test('none overlaps another, and fewer are the first of more', () => {
  fc.assert(
    fc.property(prices, fc.integer({ min: 1, max: 6 }), (series, most) => {
      const falls = deepestFalls(series, 100)
      const inTime = [...falls].sort((one, other) => one.from - other.from)
      for (const [index, { from }] of inTime.entries())
        if (index > 0) expect(from).toBeGreaterThanOrEqual(inTime[index - 1]?.to ?? 0)
      expect(deepestFalls(series, most)).toEqual(falls.slice(0, most))
    }),
  )
})

test('rises are the falls of one over the price, and what only rises has no fall', () => {
  fc.assert(
    fc.property(prices, (series) => {
      // Powers of two are turned over without rounding.
      const powers = series.map((power) => 2 ** power)
      expect(largestRises(powers, 9)).toEqual(
        deepestFalls(
          powers.map((price) => 1 / price),
          9,
        ),
      )
      const ascending = [...series].sort((one, other) => one - other)
      expect(deepestFalls(ascending, 9)).toEqual([])
    }),
  )
})

test('of equal falls the first, from the last moment at its peak to the first at its trough', () => {
  expect(deepestFalls([10, 10, 5, 5, 10, 5], 2)).toEqual([
    { from: 1, to: 2 },
    { from: 4, to: 5 },
  ])
})
