import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Roster } from '../../../src/collections/roster.ts'

/** `add` adds the next item; a number takes away the item at that part of the way through those present. */
const moves = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.constant('add' as const) }, fc.nat({ max: 999 })),
  {
    size: 'max',
    maxLength: 300,
  },
)

test('a roster holds what a map by sequence holds, oldest first', () => {
  let deleted = 0
  fc.assert(
    fc.property(moves, (drawn) => {
      const roster = new Roster<{ sequence: number }>()
      const model = new Map<number, { sequence: number }>()
      drawn.forEach((move, sequence) => {
        if (move === 'add') {
          const item = { sequence }
          roster.add(item)
          model.set(sequence, item)
        } else if (model.size > 0) {
          const item = [...model.values()][Math.floor((move * model.size) / 1000)] as { sequence: number }
          expect(roster.delete(item)).toBe(true)
          expect(roster.delete(item)).toBe(false)
          model.delete(item.sequence)
          deleted += 1
        }
        expect(roster.size).toBe(model.size)
      })
      expect([...roster]).toEqual([...model.values()])
    }),
  )
  expect(deleted).toBeGreaterThan(1_000)
})

test('few that come and go are walked oldest first, and one that was never here does not leave', () => {
  const few = fc.array(fc.constantFrom('add', 'oldest', 'newest'), { size: 'max', maxLength: 40 })
  const sizes = new Set<number>()
  fc.assert(
    fc.property(few, (drawn) => {
      const roster = new Roster<{ sequence: number }>()
      const model: { sequence: number }[] = []
      drawn.forEach((move, sequence) => {
        const item = move === 'add' ? { sequence } : move === 'oldest' ? model.shift() : model.pop()
        if (item !== undefined && move === 'add') model.push(item)
        if (item !== undefined)
          expect(move === 'add' ? roster.add(item) : roster.delete(item)).toBe(
            move === 'add' ? undefined : true,
          )
        expect([...roster]).toEqual(model)
        expect(roster.size).toBe(model.length)
        expect(roster.delete({ sequence })).toBe(false)
        sizes.add(model.length)
      })
    }),
  )
  for (const size of [0, 1, 2, 3, 4]) expect(sizes).toContain(size)
})

test('the oldest of many leave, and the rest stay', () => {
  const items = Array.from({ length: 10_000 }, (_, sequence) => ({ sequence }))
  const roster = new Roster<{ sequence: number }>()
  for (const item of items) roster.add(item)
  for (const item of items.slice(0, 9_990)) roster.delete(item)
  expect([...roster]).toEqual(items.slice(9_990))
})
