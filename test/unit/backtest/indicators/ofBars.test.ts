// The indicators of whole bars, and the shapes of closes: each is what its formula, computed anew over all of the bars, says.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Candle } from '../../../../src/backtest/index.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { OWN_INDICATORS } from '../../../api/ownIndicators.ts'
import { madeBy } from '../../../api/packageIndicators.ts'
import { MORE_OF_BARS } from './moreOfBars.ts'
import { OF_BARS } from './ofBars.ts'

function candles(seed: string, count: number): Candle[] {
  const random = new Random(seed)
  let close = 100
  return Array.from({ length: count }, () => {
    const open = close
    close *= 1 + (random.uniform() - 0.5) / 20
    const [high, low] = [Math.max(open, close) + random.uniform(), Math.min(open, close) - random.uniform()]
    return { open, high, low, close, volume: random.uniform() }
  })
}

const FORMULAS = { ...OF_BARS, ...MORE_OF_BARS }

/** What needs many bars before it says anything. */
const COUNT = 330

const made = Object.values(OWN_INDICATORS)
  .flat()
  .filter(([, text]) => text in FORMULAS)
  .map(([what, text, of]) => ({ what, text, of }))

test.each(made)('$what, $text, is its formula over all of the bars', ({ text, of }) => {
  fc.assert(
    fc.property(fc.string(), (seed) => {
      const bars = candles(seed, COUNT)
      const one = madeBy(text)
      const lines = FORMULAS[text]?.(bars) ?? []
      let seen = 0
      for (const [bar, candle] of bars.entries()) {
        const value = one.add(of === undefined ? candle.close : of === 'candle' ? candle : candle[of])
        const needed = one.getRequiredInputs?.() ?? Number.NaN
        if (bar + 1 < needed) {
          expect(value).toBeNull()
          continue
        }
        const told: readonly unknown[] = typeof value === 'object' ? Object.values(value ?? {}) : [value]
        expect(told).toHaveLength(lines.length)
        for (const [index, own] of told.entries()) {
          expect(Math.abs(Number(own) - (lines[index]?.[bar] ?? Number.NaN))).toBeLessThan(1e-6)
          seen += 1
        }
      }
      expect(seen).toBeGreaterThan(50)
    }),
    { numRuns: 2 },
  )
})
