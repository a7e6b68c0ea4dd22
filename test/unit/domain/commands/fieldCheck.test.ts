// What a field of each kind may hold, up to both of its edges.

import { describe, expect, test } from 'vitest'
import { FieldCheck } from '../../../../src/domain/commands/fieldCheck.ts'
import { type FieldKind, isOptional, orNull } from '../../../../src/terms/fieldKinds.ts'

const LARGEST = 10n ** 40n - 1n

const KINDS: [kind: FieldKind, held: unknown[], refused: unknown[]][] = [
  ['amount', [-1n, 0n, LARGEST], [1, '1', LARGEST + 1n, null]],
  ['rate >= 0', [0n, 1n, LARGEST], [-1n, 0, LARGEST + 1n]],
  ['price > 0', [1n, LARGEST], [0n, -1n, 1]],
  ['id', ['', 'x'], [1, null]],
  ['text', ['x', 'x'.repeat(255)], ['', 'x'.repeat(256), 1]],
  ['key?', ['', 'x'.repeat(255)], ['x'.repeat(256), 1]],
  [
    'digest?',
    ['0123456789abcdef'.repeat(4)],
    ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), 'g'.repeat(64), 1],
  ],
  ['ms', [0, 1, Number.MAX_SAFE_INTEGER], [-1, 0.5, 2 ** 53, Number.NaN, 1n, '1']],
  ['count?', [0, 1], [-1, 0.5, 1n]],
  ['flag', [true, false], [0, 'true', null]],
  ['categories?', [[], ['crypto'], ['rwa', 'crypto']], [['cash'], ['crypto', 'cash'], 'crypto', {}]],
  ['instant', [0, 253_402_300_799_999], [-1, 0.5, '2026-01-01T00:00:00Z']],
  ['direction', ['long', 'short'], ['up', null, 0]],
  ['sizeMode?', ['quote', 'base'], ['both', 0]],
]

const faultOf = (kind: FieldKind, value: unknown) => new FieldCheck({ field: kind }).fault({ field: value })

describe('fields', () => {
  test.each(KINDS)('%j', (kind, held, refused) => {
    for (const value of held) expect([value, faultOf(kind, value)]).toEqual([value, null])
    for (const value of refused) expect([value, faultOf(kind, value)]).toEqual([value, 'field'])
    for (const nothing of [{}, { field: undefined }, ...(isOptional(kind) ? [{ field: null }] : [])])
      expect(new FieldCheck({ field: kind }).fault(nothing)).toBe(isOptional(kind) ? null : 'field')
  })

  test('a field that is not known is named, the discriminant aside', () => {
    const check = new FieldCheck({ a: 'flag?' })
    expect(check.fault({ a: true, b: 1 })).toBe('b')
    expect(check.fault({ type: 'x', a: true }, 'type')).toBeNull()
    expect(check.fault({ type: 'x', a: true })).toBe('type')
  })

  test('a fault inside a nested object is named by its path, and one that is no object by its own name', () => {
    const check = new FieldCheck({ outer: { inner: 'price > 0', other: 'flag?' } })
    expect(check.fault({ outer: { inner: 1n } })).toBeNull()
    expect(check.fault({ outer: { inner: 0n } })).toBe('outer.inner')
    expect(check.fault({ outer: { inner: 1n, more: 1 } })).toBe('outer.more')
    expect(check.fault({ outer: {} })).toBe('outer.inner')
    for (const outer of [null, 7, 'x', true]) expect(check.fault({ outer })).toBe('outer')
    expect(check.fault({})).toBe('outer')
  })

  test('a nested object that may be null is looked into where it is there', () => {
    const check = new FieldCheck({ outer: orNull({ inner: 'price > 0' }) })
    for (const outer of [null, { inner: 1n }]) expect(check.fault({ outer })).toBeNull()
    expect(check.fault({ outer: { inner: 0n } })).toBe('outer.inner')
    expect(check.fault({ outer: 7 })).toBe('outer')
  })
})
