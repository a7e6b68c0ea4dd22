import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDecimal, formatPercent, fp9, toDecimal } from '../../../src/index.ts'

describe('people’s decimals', () => {
  test.each([
    ['1.5', 1_500_000_000n],
    ['5%', 50_000_000n],
    ['0.1%', 1_000_000n],
    ['-0.000000001', -1n],
    ['0.0000001%', 1n],
    ['.5', 500_000_000n],
    ['5.', 5_000_000_000n],
    ['007', 7_000_000_000n],
    [' 1 ', 1_000_000_000n],
    ['-0', 0n],
    ['1.500000000000', 1_500_000_000n],
    ['123456789012345678901234567890.123456789', 123_456_789_012_345_678_901_234_567_890_123_456_789n],
  ])('%s is %s', (text, value) => expect(fp9(text)).toBe(value))

  test.each([
    '',
    ' ',
    '.',
    '-',
    '%',
    '1e3',
    '1,5',
    '0x1f',
    '+1',
    '1.2.3',
    '5%%',
    'NaN',
    'Infinity',
    '1 000',
    '1'.repeat(61),
  ])('%j is no decimal', (text) => expect(() => fp9(text)).toThrow(RangeError))

  test.each([
    [0.1, "fp9 reads text: write fp9('0.1') for fp9(0.1)"],
    [1e-7, "fp9 reads text: write fp9('0.0000001') for fp9(1e-7)"],
    [5n, "fp9 reads text: write fp9('5') for 5 whole units; 5n as it is means 5 of 10⁻⁹"],
    [Number.NaN, "fp9 reads text: a decimal such as fp9('1.5') or fp9('5%'), not number"],
    [null, "fp9 reads text: a decimal such as fp9('1.5') or fp9('5%'), not null"],
    [undefined, "fp9 reads text: a decimal such as fp9('1.5') or fp9('5%'), not undefined"],
  ])('%s is refused with what to write instead', (value, message) => {
    expect(() => fp9(value as unknown as string)).toThrow(new TypeError(message))
  })

  test.each(['0.0000000001', '1.0000000005', '0.00000001%'])('%s has more than nine decimals', (text) => {
    expect(() => fp9(text)).toThrow('more than nine decimals')
  })

  test('what is read is what decimal.js makes of it', () => {
    const digits = fc.stringMatching(/^[0-9]{0,14}$/)
    const texts = fc
      .tuple(fc.constantFrom('', '-'), digits, fc.constantFrom('', '.'), digits, fc.constantFrom('', '%'))
      .map(
        ([sign, whole, point, fraction, percent]) => `${sign}${whole}${point}${point && fraction}${percent}`,
      )
    const outcomes = { read: 0, 'not a decimal number': 0, 'more than nine decimals': 0 }
    fc.assert(
      fc.property(texts, (text) => {
        const [, number = ''] = /^(-?[0-9]*\.?[0-9]*)%?$/.exec(text) ?? []
        const expected = /[0-9]/.test(number)
          ? new Decimal(number).times(text.endsWith('%') ? 10_000_000 : 1_000_000_000)
          : null
        if (expected?.isInteger() === true) {
          outcomes.read++
          expect(fp9(text)).toBe(BigInt(expected.toFixed(0)))
        } else {
          const reason = expected === null ? 'not a decimal number' : 'more than nine decimals'
          outcomes[reason]++
          expect(() => fp9(text)).toThrow(`${reason}: ${text}`)
        }
      }),
      { numRuns: 400 },
    )
    expect(Object.values(outcomes).every((count) => count > 0)).toBe(true)
  })

  test('what is printed reads back exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 39n), max: 10n ** 39n }), (value) => {
        expect(fp9(formatDecimal(value))).toBe(value)
        expect(
          toDecimal(value)
            .toFixed(9)
            .replace('.', '')
            .replace(/^(-?)0+(?=\d)/, '$1'),
        ).toBe(value === 0n ? '0' : value.toString())
      }),
    )
  })

  test.each([
    [1_500_000_000n, undefined, '1.5'],
    [1_500_000_000n, 2, '1.50'],
    [1_005_000_000n, 2, '1.01'],
    [-1_005_000_000n, 2, '-1.01'],
    [1n, undefined, '0.000000001'],
    [10n ** 39n, undefined, `1${'0'.repeat(30)}`],
  ])('%s with %s decimals is %s', (value, decimals, text) =>
    expect(formatDecimal(value, decimals)).toBe(text),
  )

  test('a fraction as a percentage', () => {
    expect(formatPercent(50_000_000n)).toBe('5.00%')
    expect(formatPercent(1_000_000n, 1)).toBe('0.1%')
    expect(formatPercent(-333_333_333n)).toBe('-33.33%')
  })
})
