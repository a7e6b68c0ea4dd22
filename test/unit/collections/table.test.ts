import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namesOf, tableOf } from '../../../src/collections/table.ts'

test('a table has a row for each name, in their order', () => {
  // Names that look like numbers would be put first.
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,6}$/))
  fc.assert(
    fc.property(names, (given) => {
      const table = tableOf(given, (name) => `row of ${name}`)
      expect(namesOf(table)).toEqual(given)
      for (const name of given) expect(table[name]).toBe(`row of ${name}`)
    }),
  )
})
