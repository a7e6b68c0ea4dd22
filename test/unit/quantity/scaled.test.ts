// Products in 64 bits against the exact ones.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ONE } from '../../../src/index.ts'
import { divideDown, divideUp } from '../../../src/quantity/rounding.ts'
import { scaledDown, scaledUp } from '../../../src/quantity/scaled.ts'

/** Around whatever has an edge: zero, one, and what 31 to 65 bits hold. */
const edge = fc
  .tuple(
    fc.constantFrom(0n, ONE, 7n * ONE, ...[31n, 32n, 61n, 62n, 63n, 64n, 65n].map((bits) => 2n ** bits)),
    fc.bigInt({ min: -3n, max: 3n }),
  )
  .map(([middle, beside]) => middle + beside)
const anywhere = fc
  .integer({ min: 0, max: 70 })
  .chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) }))
const quantity = fc
  .tuple(fc.oneof(edge, anywhere), fc.constantFrom(1n, 1n, 1n, -1n))
  .map(([magnitude, sign]) => sign * magnitude)

const LARGEST = 2n ** 62n
const expectExact = (a: bigint, b: bigint) => {
  expect([a, b, scaledDown(a, b)]).toEqual([a, b, divideDown(a * b, ONE)])
  expect([a, b, scaledUp(a, b)]).toEqual([a, b, divideUp(a * b, ONE)])
}

test('is the exact product, rounded once, whatever is multiplied', () => {
  fc.assert(
    fc.property(quantity, quantity, (a, b) => expectExact(a, b)),
    { numRuns: 5_000 },
  )
})

test('is exact where the product is as large as 64 bits let it be, and where it is beyond', () => {
  const around = fc.bigInt({ min: -2n * ONE, max: 2n * ONE })
  fc.assert(
    fc.property(anywhere, around, (b, beside) => {
      const most = (LARGEST * ONE) / (b + 1n)
      expectExact(most + beside, b)
      expectExact(b, most + beside)
    }),
    { numRuns: 5_000 },
  )
})
