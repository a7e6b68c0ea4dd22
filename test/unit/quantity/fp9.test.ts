import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FP9_MAX_LENGTH, FP9_PATTERN, formatFp9, ONE, parseFp9 } from '../../../src/index.ts'
import { isFp9 } from '../../../src/quantity/fp9.ts'

const LARGEST = 10n ** 40n - 1n
const SMALLEST = -(10n ** 39n) + 1n

/** Everything an fp9 string can hold, with its edges. */
const held = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, ONE, -ONE, LARGEST, SMALLEST),
  fc.bigInt({ min: SMALLEST, max: LARGEST }),
)

describe('A1: fp9 on the wire', () => {
  test('what is written reads back, and what is read is written the same', () => {
    fc.assert(
      fc.property(held, (value) => {
        const text = formatFp9(value)
        expect(parseFp9(text)).toBe(value)
        expect(BigInt(text).toString()).toBe(text)
        expect(new RegExp(FP9_PATTERN).test(text)).toBe(true)
      }),
    )
  })

  test.each([
    '-0',
    '01',
    '-01',
    '00',
    '1.0',
    '1.',
    '.1',
    '',
    ' ',
    ' 1',
    '1 ',
    '\n1',
    '1\n',
    '+1',
    '--1',
    '0x1f',
    '0b1',
    '0o7',
    '1e9',
    '1n',
    '1_000',
    'NaN',
    'Infinity',
    '-',
    '１',
    '1,000',
  ])('%j is refused', (text) => expect(parseFp9(text)).toBeUndefined())

  test.each([1, 1n, null, undefined, true, {}, ['1'], new String('1')])('%s is no string', (value) => {
    expect(parseFp9(value)).toBeUndefined()
  })

  test('40 characters are read, sign included, 41 are not', () => {
    expect(parseFp9('9'.repeat(FP9_MAX_LENGTH))).toBe(LARGEST)
    expect(parseFp9('9'.repeat(FP9_MAX_LENGTH + 1))).toBeUndefined()
    expect(parseFp9(`-${'9'.repeat(FP9_MAX_LENGTH - 1)}`)).toBe(SMALLEST)
    expect(parseFp9(`-${'9'.repeat(FP9_MAX_LENGTH)}`)).toBeUndefined()
  })

  test('any text is read only if it is what would be written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^-?[0-9 .]{0,45}$/)), (text) => {
        const value = parseFp9(text)
        return value === undefined || formatFp9(value) === text
      }),
    )
  })

  test('a program may pass exactly the integers an fp9 string can hold', () => {
    expect([LARGEST, SMALLEST, 0n].map(isFp9)).toEqual([true, true, true])
    expect([LARGEST + 1n, SMALLEST - 1n, 0, '0', null].map(isFp9)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
  })
})
