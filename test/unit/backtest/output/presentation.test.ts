// Figures as people read them: no digit is lost or invented on the way, and units change at their thresholds.

import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  change,
  count,
  fineChange,
  moment,
  money,
  price,
  ratio,
  share,
  span,
} from '../../../../src/backtest/output/presentation.ts'

/** What a figure says, without its separators; a wrong place of one is no number. */
function said(text: string): Decimal {
  expect(text).toMatch(/^[+−]?\d{1,3}(,\d{3})*(\.\d+)?$/)
  return new Decimal(text.replace(/[+,]/g, '').replace('−', '-'))
}

const amounts = fc.oneof(
  fc.bigInt(-(10n ** 18n), 10n ** 18n),
  fc.bigInt(-20_000_000n, 20_000_000n),
  fc.integer({ min: -5, max: 5 }).map((thousands) => BigInt(thousands) * 1_000n * 10n ** 9n),
)
const exact = (value: bigint) => new Decimal(value.toString()).div(1e9)

test('a change that two decimals would hide is said to its last digit, any other as it is', () => {
  fc.assert(
    fc.property(fc.oneof(amounts, fc.bigInt(-6_000_000n, 6_000_000n)), (value) => {
      const text = fineChange(value)
      if (said(change(value)).isZero()) expect(said(text).eq(exact(value))).toBe(true)
      else expect(text).toBe(change(value))
      expect(said(text).isZero()).toBe(value === 0n)
    }),
  )
  expect([3_160_000n, -1n, 0n, 5_000_000n].map(fineChange)).toEqual([
    ...['+0.00316', '−0.000000001', '0.00', '+0.01'],
  ])
})

describe('amounts', () => {
  test('are said to the nearest cent', () => {
    fc.assert(
      fc.property(amounts, (value) => {
        const off = said(money(value)).minus(exact(value)).abs()
        expect(off.lte(0.005)).toBe(true)
        expect(money(value)).toMatch(/\.\d\d$/)
      }),
    )
  })

  test('have a sign only where something is left after rounding', () => {
    fc.assert(
      fc.property(amounts, (value) => {
        const sign = said(money(value)).isZero() ? '' : value > 0n ? '+' : '−'
        expect(change(value).replace(/[\d,.]/g, '')).toBe(sign)
        expect(change(value).replace('+', '')).toBe(money(value))
      }),
    )
    expect([change(0n), change(1n), change(-1n), change(5_000_000n)]).toEqual([
      '0.00',
      '0.00',
      '0.00',
      '+0.01',
    ])
  })

  test('prices keep every decimal, and have at least two', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.bigInt(1n, 10n ** 18n),
          fc.bigInt(1n, 10n ** 6n).map((units) => units * 10n ** 8n),
        ),
        (value) => {
          expect(said(price(value)).eq(exact(value))).toBe(true)
          expect(price(value)).toMatch(/\.(\d\d|\d+[1-9])$/)
        },
      ),
    )
    expect([price(1_234_500_000_000n), price(1_000_000_000n), price(1n)]).toEqual([
      '1,234.50',
      '1.00',
      '0.000000001',
    ])
  })
})

test('fractions, ratios and counts', () => {
  expect([share(0.1234), share(-12.5), share(0.1234, 1), share(0), share(-0.00001)]).toEqual([
    '12.34%',
    '−1,250.00%',
    '12.3%',
    '0.00%',
    '0.00%',
  ])
  expect([ratio(1.005), ratio(-1_234.567), count(43_200), count(999)]).toEqual([
    '1.00',
    '−1,234.57',
    '43,200',
    '999',
  ])
  expect([share(null), ratio(null)]).toEqual(['–', '–'])
})

test('a length of time is in the largest unit that fits', () => {
  const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
  expect(
    [0, second, minute - second, minute, hour - minute, hour, day - hour, day, 30 * day].map(span),
  ).toEqual(['0 s', '1 s', '59 s', '1 min', '59 min', '1.0 hours', '23.0 hours', '1.0 days', '30.0 days'])
})

test('an instant is said to the second', () =>
  expect(moment(Date.UTC(2026, 0, 7, 6, 36, 20, 999))).toBe('2026-01-07 06:36:20'))
