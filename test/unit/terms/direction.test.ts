import fc from 'fast-check'
import { expect, test } from 'vitest'
import { closeSide, increaseSide, isBetter } from '../../../src/terms/direction.ts'

test('a price is better where the direction gains, and never better than itself', () => {
  fc.assert(
    fc.property(fc.bigInt(-5n, 5n), fc.bigInt(-5n, 5n), (price, than) => {
      expect(isBetter('long', price, than)).toBe(price - than > 0n)
      expect(isBetter('short', price, than)).toBe(than - price > 0n)
    }),
  )
})

test('B1: a long is bought and sold again, a short sold and bought back', () => {
  expect([increaseSide('long'), closeSide('long')]).toEqual(['buy', 'sell'])
  expect([increaseSide('short'), closeSide('short')]).toEqual(['sell', 'buy'])
})
