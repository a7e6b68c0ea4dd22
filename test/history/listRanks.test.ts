// Which entries a page shows, whatever is active, replaced or in another chunk: what a plain list would show.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHUNK, leaveOut, newList, ranksOfPage, shown, withBit } from '../../src/history/listRanks.ts'

const fate = fc.constantFrom('ended', 'ended', 'active', 'replaced')

test('pages are stretches of what has ended, newest first', () => {
  let [beyond, holed] = [0, 0]
  const list = fc.record({
    fates: fc.array(fate, { minLength: 1, maxLength: 40 }),
    created: fc.oneof(
      fc.integer({ min: 1, max: 3 * CHUNK }),
      fc.constantFrom(1, CHUNK, CHUNK + 1, 2 * CHUNK),
    ),
    limit: fc.integer({ min: 1, max: 100 }),
    tenths: fc.integer({ min: 0, max: 10 }),
  })
  fc.assert(
    fc.property(list, ({ fates, created, limit, tenths }) => {
      const ranked = newList(1)
      const holes = new Map<number, Uint8Array>()
      const ended: number[] = []
      for (let rank = 0; rank < created; rank++) {
        ranked.created += 1
        const became = fates[rank % fates.length]
        if (became === 'active') ranked.active.set(rank + 1, rank)
        else if (became === 'ended') ended.unshift(rank)
        else {
          const chunk = leaveOut(ranked, rank)
          holes.set(chunk, withBit(holes.get(chunk), rank % CHUNK))
        }
      }
      const offset = Math.floor((tenths * ended.length) / 10)
      expect(shown(ranked)).toBe(ended.length)
      const page = ranksOfPage(ranked, { limit, offset }, (chunk) => holes.get(chunk))
      expect(page).toEqual(ended.slice(offset, offset + limit))
      if (Math.floor((page[0] ?? created) / CHUNK) < Math.floor((created - 1) / CHUNK)) beyond += 1
      if (ranked.replaced > 0 && page.length > 0) holed += 1
    }),
  )
  for (const reached of [beyond, holed]) expect(reached).toBeGreaterThan(5)
})
