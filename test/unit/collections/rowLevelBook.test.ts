// Rows at levels against a sorted list.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RowLevelBook } from '../../../src/collections/rowLevelBook.ts'

/** Levels that collide, that differ only beyond the precision of a double, and that are ordinary. */
const level = fc.oneof(
  fc.bigInt({ min: 1n, max: 30n }),
  fc.bigInt({ min: 10n ** 30n, max: 10n ** 30n + 20n }),
  fc.bigInt({ min: 1n, max: 10n ** 15n }),
)

const changes = fc.array(
  fc.oneof(
    { weight: 1_000, arbitrary: fc.record({ what: fc.constant('add' as const), level }) },
    { weight: 700, arbitrary: fc.record({ what: fc.constant('remove' as const), at: fc.nat() }) },
    { weight: 60, arbitrary: fc.record({ what: fc.constant('near' as const) }) },
    { weight: 5, arbitrary: fc.record({ what: fc.constant('reach' as const), at: fc.nat() }) },
  ),
  { size: 'max', maxLength: 3_000 },
)

/** Rows from 0 on, each of which is used again once it has left. */
class Places {
  readonly levels = new Map<number, bigint>()
  readonly #leaves: number[] = []
  readonly #slots: number[] = []
  readonly leafOf = (row: number) => this.#leaves[row] as number
  readonly slotOf = (row: number) => this.#slots[row] as number
  readonly levelOf = (row: number) => this.levels.get(row) as bigint

  place(row: number, leaf: number, slot: number): void {
    this.#leaves[row] = leaf
    this.#slots[row] = slot
  }

  free(): number {
    let row = 0
    while (this.levels.has(row)) row += 1
    return row
  }
}

function takenAt(book: RowLevelBook, at: bigint) {
  const taken: { readonly row: number; readonly level: bigint }[] = []
  book.takeReached(at, (row, level) => taken.push({ row, level }))
  return taken
}

describe.each(['below', 'above'] as const)('a book of rows that fire %s', (side) => {
  const isAt = (at: bigint) => (one: bigint) => (side === 'above' ? one <= at : one >= at)
  const nearestFirst = (a: bigint, b: bigint) => (a === b ? 0 : a < b === (side === 'above') ? -1 : 1)
  const nearestOf = (levels: Iterable<bigint>) => [...levels].sort(nearestFirst)[0] ?? null

  test('knows the nearest, and gives what is reached', () => {
    let [reached, deep] = [0, 0]
    fc.assert(
      fc.property(changes, (script) => {
        const rows = new Places()
        const book = new RowLevelBook(side, rows)
        for (const change of script) {
          if (change.what === 'near') {
            expect(book.nearest).toBe(nearestOf(rows.levels.values()))
            continue
          }
          if (change.what === 'add') {
            const row = rows.free()
            rows.levels.set(row, change.level)
            book.insert(row, change.level)
          } else {
            const chosen = [...rows.levels.keys()][change.at % Math.max(rows.levels.size, 1)]
            if (chosen === undefined) continue
            const at = rows.levelOf(chosen)
            if (change.what === 'remove') {
              book.remove(chosen)
              rows.levels.delete(chosen)
            } else {
              const due = [...rows.levels].filter(([, own]) => isAt(at)(own))
              const taken = takenAt(book, at)
              expect(taken.map((one) => one.row).sort((a, b) => a - b)).toEqual(
                due.map(([row]) => row).sort((a, b) => a - b),
              )
              for (const one of taken) expect(one.level).toBe(rows.levelOf(one.row))
              reached += taken.length
              for (const [row] of due) rows.levels.delete(row)
            }
          }
          expect(book.size).toBe(rows.levels.size)
          deep = Math.max(deep, book.size)
        }
        expect(book.nearest).toBe(nearestOf(rows.levels.values()))
        for (const row of rows.levels.keys()) book.remove(row)
        expect([book.size, book.nearest]).toEqual([0, null])
      }),
      { numRuns: 12, endOnFailure: true },
    )
    expect(reached).toBeGreaterThan(500)
    expect(deep).toBeGreaterThan(150)
  })

  test('one whose rows move lies as if they had been put in anew, or says that it has to be', () => {
    const met = { followed: 0, strayed: 0 }
    const straying = fc.array(fc.record({ at: fc.nat(), level }), { maxLength: 2 })
    fc.assert(
      fc.property(
        fc.array(level, { minLength: 1, maxLength: 1_500, size: 'max' }),
        fc.bigInt({ min: 0n, max: 40n }),
        straying,
        (levels, step, strays) => {
          const rows = new Places()
          const book = new RowLevelBook(side, rows)
          for (const [row, one] of levels.entries()) {
            rows.levels.set(row, one)
            book.insert(row, one)
          }
          expect(book.rows().sort((a, b) => a - b)).toEqual([...levels.keys()])
          for (const [row, one] of levels.entries()) rows.levels.set(row, one + step)
          for (const { at, level: other } of strays) rows.levels.set(at % levels.length, other)
          const follows = book.follow()
          met[follows ? 'followed' : 'strayed'] += 1
          // Few have only one leaf.
          if (levels.length <= 64) expect(follows).toBe(true)
          if (!follows) return
          expect(book.nearest).toBe(nearestOf(rows.levels.values()))
          for (const [row, one] of levels.entries()) {
            const another = levels.length + row
            rows.levels.set(another, one + step + 1n)
            book.insert(another, one + step + 1n)
          }
          const middle = [...rows.levels.values()].sort(nearestFirst)[levels.length] as bigint
          const due = [...rows.levels].filter(([, own]) => isAt(middle)(own)).map(([row]) => row)
          const taken = takenAt(book, middle).map(({ row }) => row)
          expect(taken.sort((a, b) => a - b)).toEqual(due.sort((a, b) => a - b))
          for (const row of due) rows.levels.delete(row)
          expect(book.nearest).toBe(nearestOf(rows.levels.values()))
        },
      ),
      { numRuns: 40, endOnFailure: true },
    )
    expect(Math.min(met.followed, met.strayed)).toBeGreaterThan(2)
  })

  test('what is reached comes nearest first, but for what is at one double', () => {
    const rows = new Places()
    const book = new RowLevelBook(side, rows)
    for (let row = 0; row < 1_000; row++) {
      rows.levels.set(row, BigInt((row * 7_919) % 1_009))
      book.insert(row, rows.levelOf(row))
    }
    const taken = takenAt(book, side === 'above' ? 600n : 400n).map((one) => one.level)
    expect(taken.length).toBeGreaterThan(500)
    expect(taken).toEqual([...taken].sort(nearestFirst))
  })

  test('the nearest is known after every change, down to the last', () => {
    fc.assert(
      fc.property(fc.array(level, { minLength: 200, maxLength: 900, size: 'max' }), (levels) => {
        const rows = new Places()
        const book = new RowLevelBook(side, rows)
        for (const [row, one] of levels.entries()) {
          rows.levels.set(row, one)
          book.insert(row, one)
        }
        const inOrder = [...rows.levels].sort(([, a], [, b]) => nearestFirst(a, b))
        for (const [row, one] of inOrder) {
          expect(book.nearest).toBe(one)
          book.remove(row)
        }
        expect(book.nearest).toBeNull()
      }),
      { numRuns: 12, endOnFailure: true },
    )
  })

  test('many at one level stay beside each other, in room that follows them', () => {
    const rows = new Places()
    const book = new RowLevelBook(side, rows)
    for (let row = 0; row < 5_000; row++) {
      rows.levels.set(row, row < 4_000 ? 50n : BigInt(row))
      book.insert(row, rows.levelOf(row))
    }
    expect(book.room).toBeLessThan(4 * 5_000)
    for (let row = 0; row < 4_990; row++) book.remove(row)
    for (let row = 4_990; row < 5_000; row++) expect(rows.leafOf(row)).toBeGreaterThanOrEqual(0)
    expect(book.nearest).toBe(side === 'above' ? 4_990n : 4_999n)
    expect(book.room).toBeLessThan(10_000)
  })

  test('leaves that have gone have their numbers taken by others, however often the book is filled', () => {
    const rows = new Places()
    const book = new RowLevelBook(side, rows)
    const fill = () => {
      for (let row = 0; row < 1_000; row++) {
        rows.levels.set(row, BigInt(row))
        book.insert(row, rows.levelOf(row))
      }
      const leaves = Array.from({ length: 1_000 }, (_, row) => rows.leafOf(row))
      for (let row = 0; row < 1_000; row++) book.remove(row)
      return Math.max(...leaves)
    }
    const first = fill()
    expect(first).toBeGreaterThan(6)
    for (let again = 0; again < 20; again++) expect(fill()).toBeLessThanOrEqual(first + 1)
  })
})
