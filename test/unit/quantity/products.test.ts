import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as products from '../../../src/quantity/products.ts'
import { divideDown, divideUp } from '../../../src/quantity/rounding.ts'

const ONE = 10n ** 9n

const signed = fc.oneof(
  fc.bigInt({ min: -5n, max: 5n }),
  fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
)
const positive = fc.oneof(
  fc.bigInt({ min: 1n, max: 5n }),
  fc.constantFrom(ONE - 1n, ONE, ONE + 1n),
  fc.bigInt({ min: 1n, max: 10n ** 40n }),
)

/** ⌊a/b⌋ and ⌈a/b⌉ by their definition: the integers around the exact quotient. */
const isFloor = (quotient: bigint, a: bigint, b: bigint) => quotient * b <= a && a < (quotient + 1n) * b
const isCeiling = (quotient: bigint, a: bigint, b: bigint) => (quotient - 1n) * b < a && a <= quotient * b

describe('A2: the two divisions', () => {
  test('round toward −∞ and +∞, whatever the sign', () => {
    fc.assert(
      fc.property(signed, positive, (a, b) => {
        expect(isFloor(divideDown(a, b), a, b)).toBe(true)
        expect(isCeiling(divideUp(a, b), a, b)).toBe(true)
      }),
    )
  })

  test.each([
    [7n, 2n, 3n, 4n],
    [-7n, 2n, -4n, -3n],
    [6n, 2n, 3n, 3n],
    [-6n, 2n, -3n, -3n],
    [0n, 2n, 0n, 0n],
    [1n, 10n, 0n, 1n],
    [-1n, 10n, -1n, 0n],
  ])('%s / %s is %s down and %s up', (a, b, down, up) => {
    expect([divideDown(a, b), divideUp(a, b)]).toEqual([down, up])
  })
})

type Product = (...factors: bigint[]) => bigint

/** Every named product as the exact quotient it rounds: dividend, divisor, direction. */
const EXACT: Record<string, (...f: bigint[]) => [bigint, bigint, 'down' | 'up']> = {
  notionalDown: (size = 0n, price = 0n) => [size * price, ONE, 'down'],
  notionalUp: (size = 0n, price = 0n) => [size * price, ONE, 'up'],
  sizeDown: (notional = 0n, price = 0n) => [notional * ONE, price, 'down'],
  sizeUp: (notional = 0n, price = 0n) => [notional * ONE, price, 'up'],
  priceDown: (notional = 0n, size = 0n) => [notional * ONE, size, 'down'],
  priceUp: (notional = 0n, size = 0n) => [notional * ONE, size, 'up'],
  priceOfShareDown: (notional = 0n, size = 0n, share = 0n) => [notional * ONE * ONE, size * share, 'down'],
  priceOfShareUp: (notional = 0n, size = 0n, share = 0n) => [notional * ONE * ONE, size * share, 'up'],
  fractionDown: (amount = 0n, rate = 0n) => [amount * rate, ONE, 'down'],
  fractionUp: (amount = 0n, rate = 0n) => [amount * rate, ONE, 'up'],
  exposureDown: (margin = 0n, leverage = 0n) => [margin * leverage, ONE, 'down'],
  marginUp: (notional = 0n, leverage = 0n) => [notional * ONE, leverage, 'up'],
  leverageUp: (notional = 0n, margin = 0n) => [notional * ONE, margin, 'up'],
  rateOnExposureUp: (amount = 0n, leverage = 0n, rate = 0n) => [amount * leverage * rate, ONE * ONE, 'up'],
  proRataDown: (amount = 0n, part = 0n, whole = 0n) => [amount * part, whole, 'down'],
  proRataUp: (amount = 0n, part = 0n, whole = 0n) => [amount * part, whole, 'up'],
  shareDown: (amount = 0n, part = 0n, whole = 0n) => [amount * part, whole, 'down'],
  ratioDown: (part = 0n, whole = 0n) => [part * ONE, whole, 'down'],
  scaledRateUp: (rate = 0n, coefficient = 0n) => [rate * coefficient, ONE, 'up'],
  raisedPriceUp: (price = 0n, rate = 0n) => [price * (ONE + rate), ONE, 'up'],
  loweredPriceDown: (price = 0n, rate = 0n) => [price * (ONE - rate), ONE, 'down'],
  raisedFromDown: (price = 0n, rate = 0n) => [price * ONE, ONE + rate, 'down'],
  loweredFromUp: (price = 0n, rate = 0n) => [price * ONE, ONE - rate, 'up'],
  priceFractionDown: (price = 0n, rate = 0n) => [price * rate, ONE, 'down'],
}

describe('A2: every product multiplies first and divides once, in the direction of its name', () => {
  const comparisons = ['leavesRoom', 'isAtMostPriceOfShareUp', 'isAtLeastPriceOfShareDown']
  const named = Object.entries(products).filter(([name]) => !comparisons.includes(name))

  test('none is missing here', () => {
    expect(named.map(([name]) => name).sort()).toEqual(Object.keys(EXACT).sort())
  })

  test.each(named)('%s', (name, product) => {
    fc.assert(
      fc.property(signed, positive, positive, (first, second, third) => {
        // A rate below 1 where 1 − rate divides.
        const factors = name === 'loweredFromUp' ? [first, second % ONE] : [first, second, third]
        const [dividend, divisor, direction] = EXACT[name]?.(...factors) ?? [0n, 1n, 'down']
        const quotient = (product as Product)(...factors)
        expect((direction === 'down' ? isFloor : isCeiling)(quotient, dividend, divisor)).toBe(true)
        expect(name.toLowerCase().endsWith(direction)).toBe(true)
      }),
    )
  })

  test('E1: leavesRoom is the exact comparison mmr < (1 − s)/L − s', () => {
    // mmr·L < (1 − s) − s·L, all in units of 10⁻¹⁸
    const rate = fc.bigInt({ min: 0n, max: ONE - 1n })
    fc.assert(
      fc.property(rate, rate, positive, (mmr, spread, leverage) => {
        const exact = mmr * leverage < (ONE - spread) * ONE - spread * leverage
        expect(products.leavesRoom(mmr, spread, leverage)).toBe(exact)
      }),
    )
    expect(products.leavesRoom(10_000_000n, 0n, 100n * ONE)).toBe(false)
    expect(products.leavesRoom(9_999_999n, 0n, 100n * ONE)).toBe(true)
  })

  test('E1: whether a price is past a share of a notional is what the quotient says, at it and one unit either side', () => {
    fc.assert(
      fc.property(positive, positive, positive, (notional, size, share) => {
        const up = products.priceOfShareUp(notional, size, share)
        const down = products.priceOfShareDown(notional, size, share)
        for (const off of [-1n, 0n, 1n]) {
          expect(products.isAtMostPriceOfShareUp(up + off, notional, size, share)).toBe(off <= 0n)
          expect(products.isAtLeastPriceOfShareDown(down + off, notional, size, share)).toBe(off >= 0n)
        }
      }),
    )
  })
})
