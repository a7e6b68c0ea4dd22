// Which texts a field of a request may hold.

import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { validatorOf } from '../../src/host/validation.ts'
import { PageQuery, Uuid } from '../../src/resources/fields.ts'

const allows = (schema: TSchema): ((text: string) => boolean) => {
  const validate = validatorOf(schema)
  return (text) => validate(text).error === undefined
}

describe('a page is asked for in whole numbers within their bounds, and no others (I10)', () => {
  const isLimit = allows(PageQuery.properties.limit)
  const isOffset = allows(PageQuery.properties.offset)

  test('limits', () => {
    const allowed = Array.from({ length: 1_200 }, (_, number) => number).filter((n) => isLimit(`${n}`))
    expect(allowed).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  })

  test('offsets, around every number that shares its first digits with the largest', () => {
    const largest = BigInt(Number.MAX_SAFE_INTEGER)
    const near = Array.from({ length: 17 }, (_, zeros) => 10n ** BigInt(zeros)).flatMap((step) =>
      [-2n, -1n, 0n, 1n, 2n].flatMap((by) => [
        (largest / step + by) * step,
        (largest / step + by) * step - 1n,
        largest + by * step,
      ]),
    )
    const allowed = near.filter((number) => isOffset(`${number}`))
    expect(allowed).toEqual(near.filter((number) => number >= 0n && number <= largest))
    expect(allowed.length).toBeGreaterThan(50)
    expect(near.length - allowed.length).toBeGreaterThan(50)
    fc.assert(
      fc.property(fc.bigInt(-largest, 3n * largest), (number) => {
        expect(isOffset(`${number}`)).toBe(number >= 0n && number <= largest)
      }),
    )
  })

  test('zeros before them change nothing; anything else that is no digit makes them none', () => {
    const text = fc.constantFrom('1', '20', '100', '9007199254740991')
    const other = fc.constantFrom('-', '+', ' ', '.', 'e', 'x', ',', '٣')
    fc.assert(
      fc.property(text, fc.nat({ max: 40 }), other, fc.nat(), (digits, zeros, strange, at) => {
        const padded = '0'.repeat(zeros) + digits
        expect(isLimit(padded)).toBe(isLimit(digits))
        expect(isOffset(padded)).toBe(true)
        const cut = at % (padded.length + 1)
        const spoilt = padded.slice(0, cut) + strange + padded.slice(cut)
        expect([isLimit(spoilt), isOffset(spoilt)]).toEqual([false, false])
      }),
    )
  })
})

test('an id is 32 hexadecimal digits in either case, and dashes where they belong (A4)', () => {
  const isId = allows(Uuid)
  fc.assert(
    fc.property(fc.uuid(), fc.nat(35), fc.constantFrom('', '-', '0', 'g', 'G', ' '), (id, at, other) => {
      expect([isId(id), isId(id.toUpperCase())]).toEqual([true, true])
      const changed = id.slice(0, at) + other + id.slice(at + 1)
      const isDash = [8, 13, 18, 23].includes(at)
      expect(isId(changed)).toBe(isDash ? other === '-' : other === '0')
      expect([isId(`${id} `), isId(` ${id}`)]).toEqual([false, false])
    }),
  )
})
