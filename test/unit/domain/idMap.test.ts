import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IdMap } from '../../../src/domain/idMap.ts'
import { IdSpace } from '../../../src/domain/ids.ts'

const space = new IdSpace('ids')
const spread = Array.from({ length: 400 }, (_, index) => space.id(1, index))
/** Ids that begin alike share their place in the table. */
const alike = spread.map((id) => `0000${'01'.at(Number(`0x${id[0]}`) % 2)}000${id.slice(8)}`)

const moves = fc.array(fc.record({ adds: fc.boolean(), which: fc.nat({ max: 399 }) }), {
  size: 'max',
  maxLength: 600,
})

test('finds, forgets and lists what a map would, whatever shares a place in the table', () => {
  let [found, missed, crowded] = [0, 0, 0]
  fc.assert(
    fc.property(moves, fc.boolean(), (drawn, isCrowded) => {
      const ids = new IdMap<number>()
      const model = new Map<string, number>()
      for (const [item, { adds, which }] of drawn.entries()) {
        const id = (isCrowded ? alike : spread)[which] as string
        if (adds && !model.has(id)) {
          ids.add(id, item)
          model.set(id, item)
        } else if (!adds) expect(ids.delete(id)).toBe(model.delete(id))
        expect(ids.size).toBe(model.size)
      }
      for (const id of [...spread, ...alike]) {
        expect(ids.get(id)).toBe(model.get(id))
        if (model.has(id)) found += 1
        else missed += 1
      }
      if (isCrowded) crowded += model.size
      expect([...ids.values()]).toEqual([...model.values()])
    }),
  )
  for (const reached of [found, missed, crowded]) expect(reached).toBeGreaterThan(1_000)
})

test('any text may be asked for', () => {
  const ids = new IdMap<number>()
  ids.add(spread[0] as string, 1)
  for (const text of ['', 'x', '0'.repeat(1_000), 'ÿ€😀', spread[1] as string])
    expect(ids.get(text)).toBeUndefined()
})

test('one that comes and goes a hundred thousand times takes no more room', () => {
  const ids = new IdMap<number>()
  ids.add(space.id(2, 0), 0)
  for (let n = 0; n < 100_000; n++) {
    const id = space.id(3, n)
    ids.add(id, n)
    ids.delete(id)
  }
  expect([...ids.values()]).toEqual([0])
})
