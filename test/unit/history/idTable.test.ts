// Numbers by the words of their uuids: every id that was added is found, and no other, however many share their first digits.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IdTable } from '../../../src/history/idTable.ts'

const words = fc
  .tuple(
    fc.oneof(fc.nat(3), fc.nat(300), fc.integer({ min: 0, max: 2 ** 32 - 1 })),
    fc.nat(5),
    fc.nat(2),
    fc.nat(2),
  )
  .map((all) => Uint32Array.from(all))

test('ids and their numbers are those of a plain list', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 300 }), fc.array(words, { maxLength: 20 }), (added, others) => {
      const kept: Uint32Array[] = []
      const is = (number: number, of: Uint32Array) => String(kept[number]) === String(of)
      const table = new IdTable(is)
      const numberOf = (of: Uint32Array) => kept.findIndex((one) => String(one) === String(of))
      for (const id of added) {
        expect(table.get(id)).toBe(numberOf(id))
        if (numberOf(id) !== -1) continue
        kept.push(id)
        table.add(id, kept.length - 1)
      }
      for (const id of [...added, ...others]) expect(table.get(id)).toBe(numberOf(id))
      expect([...table.numbers()].sort((a, b) => a - b)).toEqual(kept.map((_, number) => number))
    }),
    { numRuns: 40 },
  )
})

test('a look-up asks of few whether they are it, however many there are', () => {
  let asked = 0
  const kept: number[] = []
  const table = new IdTable((number, [word = 0]) => {
    asked += 1
    return kept[number] === word
  })
  for (let number = 0; number < 5_000; number++) {
    kept.push(Math.imul(number, 2_654_435_761) >>> 0)
    table.add(Uint32Array.of(kept[number] as number), number)
  }
  for (const [number, word] of kept.entries()) expect(table.get(Uint32Array.of(word))).toBe(number)
  expect(asked).toBe(5_000)
})
