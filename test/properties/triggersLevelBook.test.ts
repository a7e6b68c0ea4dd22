// The ordered book of levels against a sorted list.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LevelBook } from '../../src/collections/levelBook.ts'
import type { LevelEntry } from '../../src/collections/levelLeaf.ts'
import { runs } from './runs.ts'

/** Levels that collide, that differ only beyond the precision of a double, and that are ordinary. */
const level = fc.oneof(
  fc.bigInt({ min: 1n, max: 30n }),
  fc.bigInt({ min: 10n ** 30n, max: 10n ** 30n + 20n }),
  fc.bigInt({ min: 1n, max: 10n ** 40n - 1n }),
)

type Placing = Pick<LevelEntry, 'level' | 'rank' | 'sequence'>

/** Made for the book, which writes into it. */
const entryAt = (placing: Placing): LevelEntry => ({ ...placing, leaf: null, slot: 0 })

type Change =
  | { readonly what: 'add'; readonly placing: Placing }
  | { readonly what: 'remove' | 'reach'; readonly at: number }
  | { readonly what: 'move'; readonly at: number; readonly level: bigint }

const changes = fc.array(
  fc.oneof(
    { weight: 1_000, arbitrary: fc.record({ what: fc.constant('add'), placing: placing() }) },
    { weight: 600, arbitrary: fc.record({ what: fc.constant('remove'), at: fc.nat() }) },
    { weight: 200, arbitrary: fc.record({ what: fc.constant('move'), at: fc.nat(), level }) },
    { weight: 5, arbitrary: fc.record({ what: fc.constant('reach'), at: fc.nat() }) },
  ),
  { size: 'max', maxLength: 3_000 },
) as fc.Arbitrary<Change[]>

function placing(): fc.Arbitrary<Placing> {
  return fc.record({ level, rank: fc.nat({ max: 2 }), sequence: fc.nat() })
}

function nearestFirst(side: 'below' | 'above') {
  return (a: Placing, b: Placing) => {
    if (a.level !== b.level) return a.level < b.level === (side === 'above') ? -1 : 1
    return a.rank - b.rank || a.sequence - b.sequence
  }
}

/** One by one, because an entry leads to all that lie beside it. */
function expectSame(found: readonly LevelEntry[], expected: readonly LevelEntry[]): void {
  expect(found.map(keyOf)).toEqual(expected.map(keyOf))
  expect(found.every((entry, at) => entry === expected[at])).toBe(true)
}

const keyOf = ({ level, rank, sequence }: Placing) => `${level} ${rank} ${sequence}`

describe.each(['below', 'above'] as const)('a book of levels that fire %s', (side) => {
  const isReachedAt =
    ({ level }: LevelEntry) =>
    (entry: LevelEntry) =>
      side === 'above' ? entry.level <= level : entry.level >= level

  test('keeps every entry in the order in which the price reaches it', () => {
    fc.assert(
      fc.property(changes, (script) => {
        const book = new LevelBook<LevelEntry>(side)
        const model = new Map<string, LevelEntry>()
        for (const change of script) {
          if (change.what === 'add') {
            if (model.has(keyOf(change.placing))) continue
            const entry = entryAt(change.placing)
            book.insert(entry)
            model.set(keyOf(entry), entry)
          } else if (change.what === 'move') {
            const chosen = [...model.values()][change.at % model.size]
            if (chosen === undefined || model.has(keyOf({ ...chosen, level: change.level }))) continue
            // The entry itself comes back at another level, as that of a position does.
            book.remove(chosen)
            model.delete(keyOf(chosen))
            Object.assign(chosen, { level: change.level })
            book.insert(chosen)
            model.set(keyOf(chosen), chosen)
          } else {
            const chosen = [...model.values()][change.at % model.size]
            if (chosen === undefined) continue
            const left = change.what === 'remove' ? [chosen] : [...model.values()].filter(isReachedAt(chosen))
            if (change.what === 'remove') book.remove(chosen)
            else expectSame(book.takeReached(chosen.level), left.sort(nearestFirst(side)))
            for (const one of left) model.delete(keyOf(one))
          }
          expect(book.size).toBe(model.size)
        }
        const sorted = [...model.values()].sort(nearestFirst(side))
        expectSame(book.toArray(), sorted)
        expect(book.nearest === (sorted[0] ?? null)).toBe(true)
        for (const { level } of script.flatMap((change) => (change.what === 'add' ? [change.placing] : [])))
          expect(book.lastAt(level) === (sorted.findLast((one) => one.level === level) ?? null)).toBe(true)
      }),
      { ...runs(12), endOnFailure: true },
    )
  })

  test('the nearest is known after every change, down to the last', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(placing(), { selector: keyOf, minLength: 200, maxLength: 900, size: 'max' }),
        (placings) => {
          const all = placings.map(entryAt)
          const book = new LevelBook<LevelEntry>(side)
          for (const one of all) book.insert(one)
          for (const expected of [...all].sort(nearestFirst(side))) {
            expect(book.nearest === expected).toBe(true)
            book.remove(expected)
          }
          expect(book.nearest).toBeNull()
          expect(() => book.remove(all[0] as LevelEntry)).toThrow(ReferenceError)
        },
      ),
      runs(20),
    )
  })

  test('many at one level lie in order, however they come', () => {
    const entries = Array.from({ length: 3_000 }, (_, sequence) =>
      entryAt({ level: sequence % 1_000 === 7 ? 99n : 100n, rank: sequence % 3, sequence }),
    )
    const book = new LevelBook<LevelEntry>(side)
    for (const one of entries) book.insert(one)
    for (const one of entries.sort(nearestFirst(side))) {
      expect(book.nearest === one).toBe(true)
      book.remove(one)
    }
    expect([book.nearest, book.size]).toEqual([null, 0])
  })

  test.each([-1n, 1n])('of many at one level each can leave for the next, %s', (step) => {
    // So many that branches are split too, between entries of one level.
    const book = new LevelBook<LevelEntry>(side)
    const entries = Array.from({ length: 6_000 }, (_, sequence) =>
      entryAt({ level: 100n, rank: 0, sequence }),
    )
    for (const one of entries) book.insert(one)
    for (const one of [...entries.slice(3_000), ...entries.slice(0, 3_000)]) {
      book.remove(one)
      Object.assign(one, { level: one.level + step })
      book.insert(one)
    }
    expectSame(book.toArray(), entries)
  })

  test('the last at a level is known down to the first, whatever lies behind it', () => {
    const book = new LevelBook<LevelEntry>(side)
    const entries = Array.from({ length: 300 }, (_, sequence) => entryAt({ level: 100n, rank: 0, sequence }))
    for (const one of entries) book.insert(one)
    for (let sequence = 0; sequence < 5; sequence++)
      book.insert(entryAt({ level: side === 'above' ? 101n : 99n, rank: 0, sequence }))
    for (const one of entries.reverse()) {
      expect(book.lastAt(100n) === one).toBe(true)
      book.remove(one)
    }
    expect(book.lastAt(100n)).toBeNull()
  })

  test('one that leaves out of what was put in order leaves the rest in order', () => {
    const furthestFirst = Array.from({ length: 9 }, (_, at) => BigInt(at + 1))
    if (side === 'above') furthestFirst.reverse()
    for (const leaving of furthestFirst.keys()) {
      const book = new LevelBook<LevelEntry>(side)
      const entries = furthestFirst.map((level, sequence) => entryAt({ level, rank: 0, sequence }))
      for (const entry of entries) book.insert(entry)
      expectSame([book.nearest as LevelEntry], entries.slice(-1))
      book.remove(entries[leaving] as LevelEntry)
      const left = entries.filter((_, at) => at !== leaving).sort(nearestFirst(side))
      for (const entry of left) {
        expect(keyOf(book.nearest as LevelEntry)).toBe(keyOf(entry))
        book.remove(book.nearest as LevelEntry)
      }
      expect(book.nearest).toBe(null)
    }
  })

  test('a walk stops where it is told to', () => {
    const book = new LevelBook<LevelEntry>(side)
    for (let n = 1; n <= 500; n++) book.insert(entryAt({ level: BigInt(n), rank: 0, sequence: n }))
    const seen: bigint[] = []
    book.walk(({ level }) => seen.push(level) < 100)
    expect(seen).toHaveLength(100)
  })
})
