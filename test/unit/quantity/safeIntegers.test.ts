// Products in doubles say exactly what the products of bigints say, or nothing.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { notionalDown, notionalUp } from '../../../src/quantity/products.ts'
import { safeInteger, safeNotionalDown, safeNotionalUp } from '../../../src/quantity/safeIntegers.ts'

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER)

/** Small ones, large ones, and multiples of powers of ten, whose products are whole units. */
const quantity = fc.oneof(
  fc.bigInt(0n, LARGEST),
  fc.bigInt(0n, 10n ** 13n),
  fc
    .tuple(fc.bigInt(0n, 10n ** 6n), fc.integer({ min: 0, max: 9 }))
    .map(([n, zeros]) => n * 10n ** BigInt(zeros)),
)

describe('products in doubles', () => {
  test('are those of bigints up to 2^51, and NaN above', () => {
    fc.assert(
      fc.property(quantity, quantity, (size, price) => {
        const [down, up] = [notionalDown(size, price), notionalUp(size, price)]
        const isSaid = down < 2n ** 51n - 1n
        const safeDown = safeNotionalDown(Number(size), Number(price))
        const safeUp = safeNotionalUp(Number(size), Number(price))
        if (isSaid || !Number.isNaN(safeDown)) expect(safeDown).toBe(Number(down))
        if (isSaid || !Number.isNaN(safeUp)) expect(safeUp).toBe(Number(up))
        if (down > 2n ** 51n) expect([safeDown, safeUp]).toEqual([Number.NaN, Number.NaN])
      }),
      { numRuns: 20_000 },
    )
  })

  test('hold just beside a whole unit, where a rounded quotient lands on it', () => {
    const unit = 10n ** 9n
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 50n), fc.bigInt(-3n, 3n), (units, off) => {
        const size = units * unit + off
        if (size > LARGEST || size < 0n) return
        expect(safeNotionalDown(Number(size), 10 ** 9)).toBe(Number(notionalDown(size, unit)))
        expect(safeNotionalUp(Number(size), 10 ** 9)).toBe(Number(notionalUp(size, unit)))
      }),
      { numRuns: 5_000 },
    )
  })

  test('an integer that doubles do not hold is NaN, and so is everything made of it', () => {
    expect(safeInteger(LARGEST)).toBe(Number.MAX_SAFE_INTEGER)
    expect(safeInteger(-LARGEST)).toBe(-Number.MAX_SAFE_INTEGER)
    expect(safeInteger(LARGEST + 1n)).toBeNaN()
    expect(safeNotionalDown(safeInteger(2n ** 60n), 1)).toBeNaN()
    expect(safeNotionalUp(1, Number.NaN)).toBeNaN()
  })
})
