import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shown } from '../../../src/host/expectedForm.ts'

test('a value in a message is as it is in JSON, and of a long one its beginning', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 90, size: 'max' }), (text) => {
      const json = JSON.stringify(text)
      expect(shown(text)).toBe(json.length <= 60 ? json : `${json.slice(0, 60)}…`)
    }),
  )
  expect(shown('x'.repeat(58))).toHaveLength(60)
  expect(shown('x'.repeat(59))).toBe(`"${'x'.repeat(59)}…`)
  expect([shown([1]), shown({}), shown(null), shown(undefined), shown(1.5)]).toEqual([
    'a list',
    'an object',
    'null',
    'nothing',
    '1.5',
  ])
})
