// 64-bit columns as doubles: the same integers, without a bigint per element.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  copyWords,
  setWords,
  sumOfWords,
  wordsAt,
  wordsOf,
} from '../../../../src/backtest/numbers/int64Words.ts'

const safe = fc.maxSafeInteger()
const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)

describe('columns of 64-bit integers', () => {
  test('a safe integer is read and written as itself', () => {
    fc.assert(
      fc.property(fc.array(safe), (values) => {
        const column = BigInt64Array.from(values, BigInt)
        const written = new BigInt64Array(values.length)
        for (const [row, value] of values.entries()) {
          expect(wordsAt(wordsOf(column), row)).toBe(value)
          setWords(wordsOf(written), row, value)
        }
        expect(written).toEqual(column)
      }),
    )
  })

  test('any other is read as the double nearest to it', () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(wordsAt(wordsOf(BigInt64Array.of(value)), 0)).toBe(Number(value))
      }),
    )
  })

  test('any is copied from any row to any other', () => {
    fc.assert(
      fc.property(fc.array(int64, { minLength: 1 }), fc.nat(), fc.nat(), (values, a, b) => {
        const [from, to] = [a % values.length, b % values.length]
        const copy = new BigInt64Array(values.length)
        copyWords(wordsOf(BigInt64Array.from(values)), from, wordsOf(copy), to)
        expect(Array.from(copy)).toEqual(values.map((_, row) => (row === to ? values[from] : 0n)))
      }),
    )
  })

  test('a part of a column is read at its own place', () => {
    expect(wordsAt(wordsOf(BigInt64Array.of(1n, 2n, 3n).subarray(1)), 1)).toBe(3)
  })

  test('a sum is exact', () => {
    fc.assert(
      fc.property(fc.array(int64), fc.nat(), fc.nat(), (values, a, b) => {
        const [from, to] = [a % (values.length + 1), b % (values.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ]
        const words = wordsOf(BigInt64Array.from(values))
        expect(sumOfWords(words, from, to)).toBe(
          values.slice(from, to).reduce((sum, value) => sum + value, 0n),
        )
      }),
    )
  })
})
