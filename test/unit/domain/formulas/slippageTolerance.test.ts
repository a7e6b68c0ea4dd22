// The limit of a size is itself allowed, and long and short are each other's opposite (C3).

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOutsideTolerance } from '../../../../src/domain/formulas/slippageTolerance.ts'
import { runs } from '../../../properties/runs.ts'

test('a long keeps to sizes from the limit on, a short to sizes up to it', () => {
  const limit = fc.bigInt({ min: 1n, max: 10n ** 18n })
  const beside = fc.constantFrom(-1n, 0n, 1n)
  fc.assert(
    fc.property(limit, beside, (expectedAmount, off) => {
      const size = expectedAmount + off
      expect(isOutsideTolerance({ direction: 'long', expectedAmount }, { size })).toBe(off < 0n)
      expect(isOutsideTolerance({ direction: 'short', expectedAmount }, { size })).toBe(off > 0n)
      for (const direction of ['long', 'short'] as const)
        expect(isOutsideTolerance({ direction, expectedAmount: 0n }, { size })).toBe(false)
    }),
    runs(50),
  )
})
