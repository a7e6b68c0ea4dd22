import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unitOf } from '../../../../src/backtest/feed/rowTime.ts'

/** What an epoch number can count: up to 5138, and from 1973 on. */
const RANGES = [
  ['s', 1e8],
  ['ms', 1e11],
  ['us', 1e14],
  ['ns', 1e17],
] as const

test('the unit of an epoch number is told by its size, from the first number of a range on', () => {
  for (const [unit, from] of RANGES)
    fc.assert(
      fc.property(fc.double({ min: from, max: from * 999, noNaN: true }), (epoch) => {
        expect(unitOf(epoch)).toBe(unit)
      }),
    )
  expect([unitOf(0), unitOf(1e8 - 1), unitOf(1e8), unitOf(1e11), unitOf(1e14), unitOf(1e17)]).toEqual([
    null,
    null,
    's',
    'ms',
    'us',
    'ns',
  ])
  expect([1e11 - 1, 1e14 - 1, 1e17 - 16, 1e20 - 16_384, 1e20].map(unitOf)).toEqual([
    's',
    'ms',
    'us',
    'ns',
    null,
  ])
})
