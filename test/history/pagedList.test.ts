// A page of a list is what a plain list would show, wherever it begins, whatever of it is still active, replaced, or not written yet;
// and it never asks for more rows than a chunk and a page.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHUNK } from '../../src/history/listRanks.ts'
import { PagedList, pageOf } from '../../src/history/pagedList.ts'
import { runs } from '../properties/runs.ts'
import { Chance } from '../store/traffic.ts'

interface Item {
  readonly sequence: number
  state: 'active' | 'unwritten' | 'row' | 'replaced'
}

test('pages are those of a plain list, and cost no more the further they are', () => {
  const reached = { later: 0, spanning: 0, unwritten: 0, far: 0 }
  fc.assert(
    fc.property(fc.nat(10_000), fc.constantFrom(50, CHUNK, 2 * CHUNK + 70, 5 * CHUNK), (seed, count) => {
      const chance = new Chance(seed + 1)
      let list = new PagedList<Item>()
      const items: Item[] = []
      const active: Item[] = []
      const unwritten: Item[] = []
      let sequence = 0
      for (let n = 0; n < count; n++) {
        sequence += 1 + chance.below(3)
        const item: Item = { sequence, state: 'active' }
        items.push(item)
        active.push(item)
        list.begin(sequence)
        while (active.length > 0 && chance.below(10) > active.length % 7) {
          const [ended] = active.splice(chance.below(active.length), 1) as [Item]
          ended.state = chance.below(5) === 0 ? 'replaced' : 'unwritten'
          if (ended.state === 'replaced') {
            list.endUnseen(ended.sequence)
            continue
          }
          list.end(ended.sequence)
          list.hold(ended)
          unwritten.push(ended)
        }
        if (chance.below(4) > 0) continue
        for (const written of unwritten.splice(0, chance.below(unwritten.length + 1))) {
          written.state = 'row'
          list.release(written.sequence)
        }
      }
      if (chance.below(2) === 0) {
        const saved = list.saved()
        const places = active.map((item) => list.placeOf(item.sequence))
        list = new PagedList<Item>(saved)
        for (const [index, item] of active.entries()) list.restore(item.sequence, places[index] as number)
        for (const item of unwritten) list.hold(item)
      }
      const shown = items.filter(({ state }) => state === 'unwritten' || state === 'row').toReversed()
      const rows = items.filter(({ state }) => state === 'row').toReversed()
      for (let look = 0; look < 40; look++) {
        const paging = { limit: 1 + chance.below(100), offset: chance.below(shown.length + 3) }
        const plan = list.page(paging)
        const read = rows.filter((row) => row.sequence < plan.below).slice(plan.skip, plan.skip + plan.rows)
        // Rows of an earlier phase would follow these: none may be asked for.
        expect(read.length).toBe(plan.rows)
        expect(plan.skip + plan.rows).toBeLessThan(CHUNK + 100)
        expect(pageOf(plan, read)).toEqual(shown.slice(paging.offset, paging.offset + paging.limit))
        expect(plan.totalCount).toBe(shown.length)
        if (Number.isFinite(plan.below)) reached.later += 1
        if (plan.entries.length > 0) reached.unwritten += 1
        if (paging.offset > 2 * CHUNK) reached.far += 1
        if (plan.skip + plan.rows > 0 && plan.entries.length > 0) reached.spanning += 1
      }
    }),
    runs(40),
  )
  for (const [what, times] of Object.entries(reached)) expect(times, what).toBeGreaterThan(0)
})
