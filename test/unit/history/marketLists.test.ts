// Lists of an account by market: each in the order of creation, whatever ends first.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MarketLists } from '../../../src/history/marketLists.ts'

test('every list is in the order of creation, whatever the order in which things end', () => {
  const ends = fc.uniqueArray(fc.record({ sequence: fc.nat(500), market: fc.nat(3) }), {
    selector: ({ sequence }) => sequence,
    maxLength: 60,
  })
  fc.assert(
    fc.property(ends, (ended) => {
      const lists = new MarketLists((number) => ended[number]?.sequence as number)
      const kept = new Map<string, number[]>()
      for (const [number, { sequence, market }] of ended.entries()) {
        const marketId = `m${market}`
        lists.insert(marketId, number, sequence)
        const numbers = [...(kept.get(marketId) ?? []), number]
        kept.set(
          marketId,
          numbers.sort((a, b) => (ended[a]?.sequence as number) - (ended[b]?.sequence as number)),
        )
        for (const [id, expected] of kept) expect(lists.get(id)).toEqual(expected)
      }
      expect(lists.get('another')).toBeUndefined()
      // In the order in which their markets came.
      expect([...lists.lists()]).toEqual([...kept.values()])
    }),
    { numRuns: 60 },
  )
})
