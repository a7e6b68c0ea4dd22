import { expect, test } from 'vitest'
import { isNested, isOptional, partsOf } from '../../../src/terms/fieldKinds.ts'

test.each([
  ['price', 'price', null, false],
  ['rate >= 0', 'rate', '>= 0', false],
  ['quote > 0', 'quote', '> 0', false],
  ['leverage > 0?', 'leverage', '> 0', true],
  ['id?', 'id', null, true],
] as const)('%s is taken apart', (kind, stem, bound, optional) => {
  expect(partsOf(kind)).toStrictEqual({ stem, bound, isOptional: optional })
  expect(isOptional(kind)).toBe(optional)
})

test('a nested object is one, and always there', () => {
  expect([isNested({ at: 'instant?' }), isNested('instant?')]).toEqual([true, false])
  expect(isOptional({ at: 'instant?' })).toBe(false)
})
