import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fp9OfDouble, fp9OfText, widenedFloat } from '../../../../src/backtest/feed/decimalText.ts'
import { formatDecimal, fp9 } from '../../../../src/quantity/decimal.ts'

const int64 = fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 1n)

describe('fp9 of decimal text', () => {
  test('is the inverse of printing a decimal', () => {
    fc.assert(fc.property(int64, (value) => fp9OfText(formatDecimal(value)) === value))
  })

  test('agrees with the parser that people use', () => {
    const text = fc.tuple(fc.nat(), fc.nat(999_999_999)).map(([whole, part]) => `${whole}.${part}`)
    fc.assert(fc.property(text, (value) => fp9OfText(value) === fp9(value)))
  })

  test.each([
    ['1.5', 1_500_000_000n],
    ['.5', 500_000_000n],
    ['5.', 5_000_000_000n],
    ['+2', 2_000_000_000n],
    ['-0.00004667', -46_670n],
    ['5.800000000000', 5_800_000_000n],
    ['1.2e-05', 12_000n],
    ['12E2', 1_200_000_000_000n],
  ])('%s', (text, value) => expect(fp9OfText(text)).toBe(value))

  test('prices that are multiplied by a power of ten are divided by it', () => {
    expect(fp9OfText('1674100', 'refuse', 4)).toBe(fp9('167.41'))
  })

  test.each([
    '',
    ' ',
    '.',
    '-',
    '1,5',
    '0x1f',
    '1_000',
    'NaN',
    'Infinity',
    '1.2.3',
    '9223372036.854775808',
    '1e400',
  ])('refuses "%s"', (text) => expect(() => fp9OfText(text)).toThrow(RangeError))

  test('a tenth decimal is refused, or rounded half away from zero', () => {
    expect(() => fp9OfText('0.1234567891')).toThrow(/more than nine decimals/)
    expect(fp9OfText('0.1234567895', 'round')).toBe(123_456_790n)
    expect(fp9OfText('-0.1234567895', 'round')).toBe(-123_456_790n)
    expect(fp9OfText('0.12345678949', 'round')).toBe(123_456_789n)
  })
})

describe('fp9 of a double', () => {
  const finite = fc.double({ min: -9e9, max: 9e9, noNaN: true })
  const rounded = (value: number) => new Decimal(value).toFixed(9, Decimal.ROUND_HALF_UP).replace('.', '')

  test('is its shortest decimal, rounded to nine decimals', () => {
    fc.assert(fc.property(finite, (value) => fp9OfDouble(value) === BigInt(rounded(value))))
  })

  test('gives back the price that a double was made from', () => {
    const cents = fc.nat(2_000_000_000)
    fc.assert(fc.property(cents, (value) => fp9OfDouble(value / 100) === BigInt(value) * 10_000_000n))
  })

  test('leaves out the noise of binary arithmetic', () => {
    expect(fp9OfDouble(0.1 + 0.2)).toBe(fp9('0.3'))
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300, -1e10])('refuses %d', (value) => {
    expect(() => fp9OfDouble(value)).toThrow(RangeError)
  })

  test('a 32-bit float is widened by its own shortest decimal', () => {
    fc.assert(
      fc.property(fc.nat(999_999), (value) => widenedFloat(Math.fround(value / 1000)) === value / 1000),
    )
  })
})
