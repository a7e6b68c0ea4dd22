// The entry price is the notional over the size, rounded against the trader (C6).

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entryPrice, ONE } from '../../../../src/index.ts'

const amount = fc.bigInt({ min: 1n, max: 10n ** 24n })

test.each(['long', 'short'] as const)('of a %s: the nearest price that is not in its favour', (direction) => {
  fc.assert(
    fc.property(amount, amount, (notional, size) => {
      const price = entryPrice({ direction, notional, size })
      const worth = (at: bigint) => at * size
      const exact = notional * ONE
      // A long that was entered higher, a short that was entered lower, has less to gain.
      if (direction === 'long') expect(worth(price) >= exact && worth(price - 1n) < exact).toBe(true)
      else expect(worth(price) <= exact && worth(price + 1n) > exact).toBe(true)
    }),
  )
})

test('a long and a short of the same size at the same notional differ by less than a unit of price', () => {
  expect(entryPrice({ direction: 'long', notional: 10n * ONE, size: 3n * ONE })).toBe(3_333_333_334n)
  expect(entryPrice({ direction: 'short', notional: 10n * ONE, size: 3n * ONE })).toBe(3_333_333_333n)
})
