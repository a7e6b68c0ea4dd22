// What is told of input that does not match: each path once, a missing field by its name, and no more than can be read.

import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { malformed } from '../../../src/host/errorAnswer.ts'
import { ValidationFault, validatorOf } from '../../../src/host/validation.ts'
import { PLACEMENTS } from '../../../src/resources/examples.ts'
import { placeOrderBody } from '../../../src/resources/order.ts'

const ORDER = placeOrderBody.schema

const SCHEMA = Type.Object(
  { a: Type.String(), b: Type.Object({ c: Type.Integer({ minimum: 0 }), d: Type.Integer({ minimum: 0 }) }) },
  { additionalProperties: false },
)
const faultsOf = (value: unknown, schema: Parameters<typeof validatorOf>[0] = SCHEMA) => {
  const { error } = validatorOf(schema)(value)
  expect(error).toBeInstanceOf(ValidationFault)
  expect(error?.statusCode).toBe(400)
  return error?.paths
}

test('what matches is given as it is', () => {
  const value = { a: '', b: { c: 1, d: 2 } }
  const validated = validatorOf(SCHEMA)(value)
  expect('value' in validated && validated.value).toBe(value)
  expect(validated.error).toBeUndefined()
})

test('faults are told by their paths', () => {
  expect(faultsOf(7)).toEqual(['body'])
  expect(faultsOf({})).toEqual(['a', 'b'])
  expect(faultsOf({ a: 1, b: { c: 1, d: 2 } })).toEqual(['a'])
  expect(faultsOf({ a: '', b: { c: 'x' } })).toEqual(['b.d', 'b', 'b.c'])
})

test('twenty of them at most', () => {
  const many = Type.Object(
    Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, Type.String()])),
  )
  // Of fields that are wrong the checker itself tells eight.
  const lacking = (count: number) =>
    Object.fromEntries(Array.from({ length: 30 - count }, (_, at) => [`f${at}`, 'text']))
  expect(faultsOf(lacking(19), many)).toHaveLength(19)
  expect(faultsOf(lacking(20), many)).toHaveLength(20)
  expect(faultsOf(lacking(30), many)).toHaveLength(20)
})

const toldOf = (value: unknown, schema: Parameters<typeof validatorOf>[0]) => {
  const { error } = validatorOf(schema)(value)
  return malformed(error?.faults ?? [], error?.paths).body
}

test('what was given is told, what is expected, and what is missing or not known', () => {
  const { message } = toldOf(
    { accountId: 'x', amount: 5, leverage: '1.5x', direction: 'up', colour: 'red' },
    ORDER,
  )
  const { properties } = ORDER as unknown as { properties: object }
  for (const words of [
    'marketId: is missing; expected: a uuid: 8-4-4-4-12 hexadecimal digits.',
    `colour: there is no such key here, only ${Object.keys(properties).join(', ')}.`,
    'accountId: is "x"; expected: a uuid: 8-4-4-4-12 hexadecimal digits.',
    'direction: is "up"; expected: "long", "short".',
  ])
    expect(message).toContain(` ${words}`)
  expect(toldOf({ colour: 'red' }, Type.Object({}, { additionalProperties: false })).message).toContain(
    ' colour: there is no such key here, nor any other.',
  )
  const leverage = { ...PLACEMENTS.limit.value, leverage: '1.5x' }
  expect(toldOf(leverage, ORDER)).toMatchObject({
    message:
      'The input does not have the documented form. leverage: is "1.5x"; expected: an fp9 integer as a string, such as "50000000000" for 50x.',
    details: ['leverage'],
  })
})

test('an object is not told for what is within it', () => {
  const { message, details } = toldOf({ a: '', b: { c: 'x' } }, SCHEMA)
  expect(details).toEqual(['b.d', 'b', 'b.c'])
  const expected = 'expected: a whole number, at least 0.'
  expect(message).toBe(
    `The input does not have the documented form. b.d: is missing; ${expected} b.c: is "x"; ${expected}`,
  )
})

test('an answer is short whatever is sent, and repeats no key', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (stray, text) => {
      const { message = '', details } = toldOf(
        { ...PLACEMENTS.limit.value, ...stray, accountId: `mtk_${text}` },
        ORDER,
      )
      expect(message.length).toBeLessThan(5_000)
      expect(details?.every((path) => path.length <= 100)).toBe(true)
      expect(message).not.toContain('mtk_')
    }),
  )
  const long = 'n'.repeat(150_000)
  expect(toldOf({ [long]: 1 }, ORDER).details).toContain(long.slice(0, 100))
  expect(toldOf({ ...PLACEMENTS.limit.value, accountId: long }, ORDER).message.length).toBeLessThan(5_000)
})
