// Which values a field can hold, at the bounds of each kind.

import { describe, expect, test } from 'vitest'
import { CLOSED_SETS } from '../../../src/terms/closedSets.ts'
import { testOf } from '../../../src/terms/fieldValues.ts'

type Parts = Parameters<typeof testOf>[0]
const holds = (stem: Parts['stem'], more: Partial<Parts> = {}) =>
  testOf({ stem, bound: null, isOptional: false, ...more } as Parts)

const LARGEST = 2n ** 63n - 1n
const fits = (length: number) => 'x'.repeat(length)

const CASES: readonly [what: string, test: (value: unknown) => boolean, yes: unknown[], no: unknown[]][] = [
  ['a price', holds('price'), [0n, -1n, 1n, LARGEST], [0, '1', null, undefined]],
  ['a price of at least 0', holds('price', { bound: '>= 0' }), [0n, 1n], [-1n, 0, null]],
  ['a price above 0', holds('price', { bound: '> 0' }), [1n], [0n, -1n, 1, null]],
  ['a price or none', holds('price', { isOptional: true }), [0n, null, undefined], [0, '']],
  [
    'a price above 0 or none',
    holds('price', { bound: '> 0', isOptional: true }),
    [1n, null, undefined],
    [0n],
  ],
  ['an id', holds('id'), ['', 'any'], [1, null]],
  ['a text', holds('text'), [fits(1), fits(255)], ['', fits(256), 1, null]],
  ['a key', holds('key'), ['', fits(255)], [fits(256), 1]],
  [
    'a digest',
    holds('digest'),
    ['0123456789abcdef'.repeat(4)],
    ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), 'g'.repeat(64), `${'a'.repeat(64)}\n`, 1],
  ],
  ...(['instant', 'ms', 'count'] as const).map((stem): (typeof CASES)[number] => [
    stem,
    holds(stem),
    [0, 1, Number.MAX_SAFE_INTEGER],
    [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, Number.POSITIVE_INFINITY, 1n, '1'],
  ]),
  ['a flag', holds('flag'), [true, false], [0, 'true', null]],
  [
    'categories',
    holds('categories'),
    [[], ['crypto'], [...CLOSED_SETS.marketCategory]],
    [['crypto', 'other'], 'crypto', null],
  ],
  ['one of a closed set', holds('marketCategory'), [...CLOSED_SETS.marketCategory], ['', 'Crypto', null]],
]

describe.each(CASES)('%s', (_, test_, yes, no) => {
  test('holds what it can', () => expect(yes.filter((value) => !test_(value))).toEqual([]))
  test('and nothing else', () => expect(no.filter(test_)).toEqual([]))
})
