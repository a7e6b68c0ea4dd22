import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IdMap } from '../../../src/collections/idMap.ts'
import { IdSpace } from '../../../src/domain/state/ids.ts'

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

/** Words that so many items may take. */
const roomFor = (size: number) => 40 * size + 4_096

test('room follows what is there, however it came and went', () => {
  let [grown, emptied] = [0, 0]
  const next = fc.record({
    adds: fc.nat({ max: 3_000 }),
    deletes: fc.nat({ max: 3_000 }),
    newest: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(next, { minLength: 3, maxLength: 6 }), (rounds) => {
      const ids = new IdMap<string>()
      const model = new Map<string, string>()
      let made = 0
      for (const { adds, deletes, newest } of rounds) {
        for (let n = 0; n < adds; n++) {
          const id = space.id(2, made++)
          ids.add(id, id)
          model.set(id, id)
        }
        const leaving = newest ? [...model.keys()].reverse() : [...model.keys()]
        for (const id of leaving.slice(0, deletes)) {
          ids.delete(id)
          model.delete(id)
          if (ids.room > roomFor(model.size)) expect(ids.room).toBeLessThanOrEqual(roomFor(model.size))
        }
        if (model.size > 2_000) grown += 1
        if (model.size === 0) emptied += 1
      }
      expect([...ids.values()]).toEqual([...model.values()])
    }),
    { numRuns: 20 },
  )
  for (const reached of [grown, emptied]) expect(reached).toBeGreaterThan(1)
})

test.each([1, 2, 4, 100])(
  'a hundred thousand of which %i are there at a time take no more room',
  (overlap) => {
    const ids = new IdMap<number>()
    const id = (n: number) => space.id(3, n)
    for (let n = 0; n < 100_000; n++) {
      ids.add(id(n), n)
      if (n >= overlap) ids.delete(id(n - overlap))
      if (ids.room > roomFor(overlap)) expect(ids.room).toBeLessThanOrEqual(roomFor(overlap))
    }
    expect([...ids.values()]).toEqual(Array.from({ length: overlap }, (_, n) => 100_000 - overlap + n))
  },
)

test('a walk meets everything that stays, whatever comes, leaves and is moved meanwhile', () => {
  const ids = new IdMap<number>()
  const name = (n: number) => `${((n * 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}-walk-${n}`
  for (let n = 0; n < 2_000; n++) ids.add(name(n), n)
  const room = ids.room
  const met: number[] = []
  for (const n of ids.values()) {
    met.push(n)
    if (met.length === 100) for (let gone = 0; gone < 1_900; gone++) ids.delete(name(gone))
  }
  expect(ids.room).toBeLessThan(room)
  expect(met.filter((n) => n >= 1_900)).toEqual(Array.from({ length: 100 }, (_, n) => 1_900 + n))
  expect(met).toEqual([...new Set(met)].sort((a, b) => a - b))
})
