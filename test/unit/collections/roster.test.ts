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

test('the oldest of many leave, and the rest stay', () => {
  const items = Array.from({ length: 10_000 }, (_, sequence) => ({ sequence }))
  const roster = new Roster<{ sequence: number }>()
  for (const item of items) roster.add(item)
  for (const item of items.slice(0, 9_990)) roster.delete(item)
  expect([...roster]).toEqual(items.slice(9_990))
})
