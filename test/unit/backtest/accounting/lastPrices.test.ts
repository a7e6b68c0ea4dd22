// The last price of a market is what was set last, either way it was set, and 0 before the first; as a double it is NaN where one could be another price.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LastPrices } from '../../../../src/backtest/accounting/lastPrices.ts'

const MARKETS = 3

test('of every market it is what was set last, to the last unit', () => {
  const price = fc.oneof(fc.bigInt(1n, 10n ** 6n), fc.bigInt(2n ** 53n - 3n, 2n ** 63n - 1n))
  const set = fc.record({ market: fc.nat(MARKETS - 1), price, asDouble: fc.boolean() })
  fc.assert(
    fc.property(fc.array(set), (sets) => {
      const prices = new LastPrices(MARKETS)
      const expected = new Array<bigint>(MARKETS).fill(0n)
      const safe = () =>
        expected.map((price) => (price > Number.MAX_SAFE_INTEGER ? Number.NaN : Number(price)))
      expect(expected.map((_, at) => prices.safeOf(at))).toEqual(safe())
      for (const { market, price, asDouble } of sets) {
        if (asDouble && price <= Number.MAX_SAFE_INTEGER) prices.setSafe(market, Number(price))
        else prices.set(market, price)
        expected[market] = price
        expect(expected.map((_, at) => prices.of(at))).toEqual(expected)
        expect(expected.map((_, at) => prices.safeOf(at))).toEqual(safe())
      }
      expect(expected.map((_, at) => prices.of(at))).toEqual(expected)
    }),
  )
})
