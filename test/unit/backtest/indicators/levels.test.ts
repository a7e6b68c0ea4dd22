// Support and resistance: the last turn that the bars after it made known, and no bar earlier; and which of equal bars counts.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Candle, indicators } from '../../../../src/backtest/index.ts'

const candle = (middle: number): Candle => ({
  ...{ open: middle, close: middle, high: middle + 1, low: middle - 1, volume: 1 },
})

test('a turn is known with the last of the bars after it, and stays until the next', () => {
  const levels = indicators.supportResistance(2, 2)
  const told = [5, 6, 9, 6, 5, 3, 5, 6].map((middle) => levels.add(candle(middle)))
  expect(told).toEqual([
    ...[null, null, null, null],
    ...[{ resistance: 10 }, { resistance: 10 }, { resistance: 10 }],
    { resistance: 10, support: 2 },
  ])
})

test('they are the last ones of all that are above, or below, so many on either side', () => {
  const middles = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 12, maxLength: 40 })
  fc.assert(
    fc.property(
      middles,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (own, before, after) => {
        const levels = indicators.supportResistance(before, after)
        let told: { support?: number; resistance?: number } | null = null
        for (const middle of own) told = levels.add(candle(middle))
        const turns = (sign: number) =>
          own.filter((middle, index) => {
            if (index < before || index + after >= own.length) return false
            const others = [...own.slice(index - before, index), ...own.slice(index + 1, index + after + 1)]
            return others.every((other) => sign * other < sign * middle)
          })
        const [high, low] = [turns(1).at(-1), turns(-1).at(-1)]
        expect(told?.resistance).toBe(high === undefined ? undefined : high + 1)
        expect(told?.support).toBe(low === undefined ? undefined : low - 1)
      },
    ),
  )
})

test('of bars that are as high, or as low, the last one counts for Aroon', () => {
  const aroon = indicators.aroonOscillator(3)
  const told = [1, 2, 3, 4, 4].map((low) => aroon.add({ open: 5, close: 5, high: 6, low, volume: 1 }))
  expect(told.slice(3)).toEqual([100, 100])
  const flat = indicators.aroonOscillator(3)
  expect([5, 5, 5, 5].map((middle) => flat.add(candle(middle))).at(-1)).toBe(0)
})
