// What a market, a phase and its open notional leave room for, at the bounds.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maximumLeverage } from '../../../../src/domain/formulas/maximumLeverage.ts'
import { fitsOpenNotional, maxOpenNotional } from '../../../../src/domain/formulas/openNotional.ts'
import type { Account } from '../../../../src/domain/state/account.ts'
import type { Market } from '../../../../src/domain/state/market.ts'

const few = fc.bigInt(0n, 6n)

test('I1: the leverage of an account in a phase is bounded by both, without a phase by the market alone', () => {
  fc.assert(
    fc.property(few, few, fc.constantFrom(null, 1, 2), (ofMarket, ofPhase, phase) => {
      const market = { parameters: { maxLeverage: ofMarket } } as Market
      const account = { phase, parameters: { maxLeverage: ofPhase } } as Account
      const expected = phase === null || ofMarket < ofPhase ? ofMarket : ofPhase
      expect(maximumLeverage(account, market)).toBe(expected)
    }),
  )
})

test('C5: open notional fits up to the bound of its own direction, the bound included', () => {
  let at = 0
  const bound = fc.option(few)
  fc.assert(
    fc.property(bound, bound, few, few, few, (maxLong, maxShort, long, short, more) => {
      const market = {
        quota: null,
        parameters: { maxOpenNotionalLong: maxLong, maxOpenNotionalShort: maxShort },
        ...{ openNotionalLong: long, openNotionalShort: short },
      } as Market
      expect([maxOpenNotional(market, 'long'), maxOpenNotional(market, 'short')]).toEqual([maxLong, maxShort])
      expect(fitsOpenNotional(market, 'long', more)).toBe(maxLong === null || long + more <= maxLong)
      expect(fitsOpenNotional(market, 'short', more)).toBe(maxShort === null || short + more <= maxShort)
      if (long + more === maxLong) at += 1
    }),
  )
  expect(at).toBeGreaterThan(0)
})

test('C5: a quota bounds what a maximum bounds, and nothing where there is none', () => {
  fc.assert(
    fc.property(fc.option(few), few, few, (maximum, long, short) => {
      const market = {
        parameters: { maxOpenNotionalLong: maximum, maxOpenNotionalShort: maximum },
        quota: { long, short },
      } as Market
      const least = (quota: bigint) => (maximum === null || maximum < quota ? maximum : quota)
      expect([maxOpenNotional(market, 'long'), maxOpenNotional(market, 'short')]).toEqual([
        least(long),
        least(short),
      ])
    }),
  )
})
