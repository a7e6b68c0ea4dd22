// What is told of input that does not match: each path once, a missing field by its name, and no more than can be read.

import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { ValidationFault, validatorOf } from '../../../src/host/validation.ts'

const SCHEMA = Type.Object(
  { a: Type.String(), b: Type.Object({ c: Type.Number(), d: Type.Number() }) },
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

test('twenty of them at most, a hundred characters of each', () => {
  const many = Type.Object(
    Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, Type.String()])),
  )
  // Of fields that are wrong the checker itself tells eight.
  const lacking = (count: number) =>
    Object.fromEntries(Array.from({ length: 30 - count }, (_, at) => [`f${at}`, 'text']))
  expect(faultsOf(lacking(19), many)).toHaveLength(19)
  expect(faultsOf(lacking(20), many)).toHaveLength(20)
  expect(faultsOf(lacking(30), many)).toHaveLength(20)
  const long = 'n'.repeat(150)
  expect(faultsOf({ [long]: 1 }, Type.Object({ [long]: Type.String() }))).toEqual([long.slice(0, 100)])
})
