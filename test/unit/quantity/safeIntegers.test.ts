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

/** `a` to the power −1 modulo 10⁹, whose units have orders that divide 4·10⁸. */
function inverse(a: bigint, modulus: bigint): bigint {
  let [result, base] = [1n, a % modulus]
  for (let exponent = 399_999_999; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = (result * base) % modulus
    base = (base * base) % modulus
  }
  return result
}

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

  // size·price = whole·10⁹ + off: a price that shares no factor with 10⁹ has such sizes, 10⁹ apart.
  test('hold just beside a whole unit, where a rounded quotient lands on the wrong side of it', () => {
    const unit = 10n ** 9n
    const prices = fc.bigInt(2n ** 30n, 2n ** 40n).map((n) => 10n * (n / 10n) + 7n)
    let [above, below] = [0, 0]
    fc.assert(
      fc.property(prices, fc.bigInt(-3n, 3n), fc.bigInt(0n, 999n), (price, off, part) => {
        const least = (((off * inverse(price, unit)) % unit) + unit) % unit
        const size = least + unit * ((2n ** 51n * (1_000n + part)) / (price * 2_000n))
        const [down, up] = [notionalDown(size, price), notionalUp(size, price)]
        if (size > LARGEST || down >= 2n ** 51n - 1n) return
        expect(safeNotionalDown(Number(size), Number(price))).toBe(Number(down))
        expect(safeNotionalUp(Number(size), Number(price))).toBe(Number(up))
        const near = BigInt(Math.floor((Number(size) * Number(price)) / 1e9))
        if (near > down) above += 1
        if (near < down) below += 1
      }),
      { numRuns: 5_000 },
    )
    expect(above).toBeGreaterThan(10)
    expect(below).toBeGreaterThan(10)
  })

  test('an integer that doubles do not hold is NaN, and so is everything made of it', () => {
    expect(safeInteger(LARGEST)).toBe(Number.MAX_SAFE_INTEGER)
    expect(safeInteger(-LARGEST)).toBe(-Number.MAX_SAFE_INTEGER)
    expect(safeInteger(LARGEST + 1n)).toBeNaN()
    expect(safeNotionalDown(safeInteger(2n ** 60n), 1)).toBeNaN()
    expect(safeNotionalUp(1, Number.NaN)).toBeNaN()
  })
})
