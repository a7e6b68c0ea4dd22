// Columns of numbers against a plain map, and what they take.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberColumn, PlaceColumn } from '../../../src/history/placeColumns.ts'

const PAGE = 4_096

const row = fc.oneof(
  fc.nat({ max: 5 }),
  fc.integer({ min: PAGE - 3, max: PAGE + 3 }),
  fc.nat({ max: 40_000 }),
)
/** Around what one, two and four bytes hold, and the largest there is. */
const value = fc.oneof(
  fc.constantFrom(0, 1, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER),
  fc.nat({ max: 300 }),
)

test('gives what was set last, and 0 where nothing was, whatever else came beside it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(row, value), { size: 'max', maxLength: 80 }), (moves) => {
      const column = new NumberColumn()
      const plain = new Map<number, number>()
      for (const [at, number] of moves) {
        column.set(at, number)
        plain.set(at, number)
        for (const beside of [at - 1, at, at + 1, at + PAGE])
          if (beside >= 0) expect([beside, column.at(beside)]).toEqual([beside, plain.get(beside) ?? 0])
      }
      for (const [at, number] of plain) expect(column.at(at)).toBe(number)
    }),
  )
})

test('a page takes as many bytes a row as its largest number needs, and none where all are 0', () => {
  const column = new NumberColumn()
  const rooms = [0, 255, 7, 256, 65_536, 2 ** 32, 3].map((number) => {
    column.set(9, number)
    return column.room / PAGE
  })
  expect(rooms).toEqual([0, 1, 1, 2, 4, 8, 8])
  column.set(3 * PAGE, 0)
  expect(column.room).toBe(8 * PAGE)
  expect(() => column.set(0, 2 ** 53)).toThrow(RangeError)
})

test('a place is its commit and which of its events it is', () => {
  const column = new PlaceColumn()
  column.set(5, 2 ** 40, 3)
  column.set(6, 7, 70_000)
  expect([column.at(5), column.at(6), column.at(7)]).toEqual([
    { seq: 2 ** 40, index: 3 },
    { seq: 7, index: 70_000 },
    { seq: 0, index: 0 },
  ])
})
