// Pages of a history list are those of an array that everything was pushed to, and cost the same wherever they lie.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CHUNK,
  leaveOut,
  newList,
  type RankedList,
  ranksOfPage,
  shown,
  withBit,
} from '../../../src/history/listRanks.ts'

/** A list of so many ranks, of which some are left out and some active; what it shows, newest first. */
function listOf(created: number, replaced: ReadonlySet<number>, active: ReadonlySet<number>) {
  const list: RankedList = newList(1)
  const holes = new Map<number, Uint8Array>()
  const shows: number[] = []
  for (let rank = 0; rank < created; rank++) {
    list.created += 1
    if (replaced.has(rank)) {
      const chunk = leaveOut(list, rank)
      holes.set(chunk, withBit(holes.get(chunk), rank % CHUNK))
    } else if (active.has(rank)) list.active.set(rank + 1, rank)
    else shows.push(rank)
  }
  shows.reverse()
  const asked: number[] = []
  const page = (offset: number, limit: number) =>
    ranksOfPage(list, { offset, limit }, (chunk) => {
      asked.push(chunk)
      return holes.get(chunk)
    })
  return { list, shows, page, asked }
}

const nobody: ReadonlySet<number> = new Set()

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK - 1])(
  'the first and the last of every chunk are on a page, of %i',
  (created) => {
    for (const replaced of [nobody, new Set([1])]) {
      const { shows, page, list } = listOf(created, replaced, nobody)
      expect(shown(list)).toBe(shows.length)
      const found: number[] = []
      for (let offset = 0; offset < created + 100; offset += 100) found.push(...page(offset, 100))
      expect(found).toEqual(shows)
    }
  },
)

test('any page is that of the array', () => {
  const reached = { acrossChunks: 0, emptyChunks: 0 }
  const edge = fc.constantFrom(0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK, 3 * CHUNK)
  const ranks = fc.array(fc.oneof(edge, fc.nat(4 * CHUNK)), { maxLength: 60 }).map((list) => new Set(list))
  fc.assert(
    fc.property(
      fc.oneof(edge, fc.nat(4 * CHUNK)),
      ranks,
      ranks,
      fc.option(fc.nat(3)),
      fc.array(fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 100 })), { minLength: 3, maxLength: 8 }),
      (created, replaced, active, gone, pages) => {
        // A whole chunk may be gone.
        if (gone !== null) for (let rank = gone * CHUNK; rank < (gone + 1) * CHUNK; rank++) replaced.add(rank)
        const { shows, page } = listOf(created, replaced, active)
        if (gone !== null && created > (gone + 1) * CHUNK) reached.emptyChunks += 1
        for (const [hundredth, limit] of pages) {
          const offset = Math.floor((hundredth * shows.length) / 100)
          const expected = shows.slice(offset, offset + limit)
          expect(page(offset, limit)).toEqual(expected)
          const [first, last] = [expected[0], expected.at(-1)]
          if (
            first !== undefined &&
            last !== undefined &&
            Math.floor(first / CHUNK) !== Math.floor(last / CHUNK)
          )
            reached.acrossChunks += 1
        }
      },
    ),
  )
  expect(reached.acrossChunks).toBeGreaterThan(3)
  expect(reached.emptyChunks).toBeGreaterThan(3)
})

test('the oldest page after replaced orders reads as few chunks as the newest', () => {
  const replaced = new Set(Array.from({ length: 200 }, (_, n) => n * CHUNK + (n % CHUNK)))
  const { shows, page, asked } = listOf(200 * CHUNK, replaced, new Set([5, 199 * CHUNK]))
  for (const offset of [0, shows.length >> 1, shows.length - 100]) {
    asked.length = 0
    expect(page(offset, 100)).toEqual(shows.slice(offset, offset + 100))
    expect(asked.length).toBeLessThanOrEqual(2)
  }
})
