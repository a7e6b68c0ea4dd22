// Tasks in the entries of a queue: each once, in its place.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entriesOf, placesOf } from '../../../../src/backtest/workers/taskQueue.ts'

test('every task is in one entry, which tells where it belongs, and there are no more than 512', () => {
  fc.assert(
    fc.property(fc.oneof(fc.nat(1_100), fc.constantFrom(0, 1, 512, 513, 1_024, 1_025)), (count) => {
      const tasks = Array.from({ length: count }, (_, at) => `task ${at}`)
      const entries = entriesOf(tasks)
      expect(entries.length).toBeLessThanOrEqual(512)
      const sizes = entries.map((entry) => entry.tasks.length)
      expect(new Set(sizes.slice(0, -1)).size).toBeLessThanOrEqual(1)
      if (count <= 512) expect(sizes.every((size) => size === 1)).toBe(true)
      const places = placesOf(entries.toReversed())
      const told = entries.toReversed().flatMap((entry) => entry.tasks)
      expect(places.map((place) => tasks[place])).toEqual(told)
      expect(places.toSorted((a, b) => a - b)).toEqual([...tasks.keys()])
    }),
    { numRuns: 40 },
  )
})
