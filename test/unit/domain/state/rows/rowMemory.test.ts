import fc from 'fast-check'
import { expect, test } from 'vitest'
import { INTS, intsAt, WORDS, wordsAt } from '../../../../../src/domain/state/restingOrders/rowLayout.ts'
import { CHUNK, RowMemory } from '../../../../../src/domain/state/rows/rowMemory.ts'

const rounds = fc.array(fc.record({ takes: fc.nat({ max: 2_500 }), gives: fc.nat({ max: 2_500 }) }), {
  minLength: 2,
  maxLength: 7,
})

test('a row is one’s own until it is given back, and keeps what was written to it', () => {
  let [reused, emptied] = [0, 0]
  fc.assert(
    fc.property(rounds, fc.boolean(), (drawn, newestFirst) => {
      const memory = new RowMemory(WORDS)
      const taken: number[] = []
      const ever = new Set<number>()
      for (const { takes, gives } of drawn) {
        for (let n = 0; n < takes; n++) {
          const row = memory.take()
          if (ever.has(row)) reused += 1
          ever.add(row)
          const { ints, bigs } = memory.chunkOf(row)
          ints.fill(row, intsAt(row), intsAt(row) + INTS)
          bigs[wordsAt(row) + WORDS - 1] = BigInt(row)
          taken.push(row)
        }
        for (const row of newestFirst ? taken.splice(-gives, gives) : taken.splice(0, gives))
          memory.giveBack(row)
        if (taken.length === 0) emptied += 1
        expect(new Set(taken).size).toBe(taken.length)
        const overwritten = taken.filter((row) => {
          const { ints, bigs } = memory.chunkOf(row)
          const [first, last] = [intsAt(row), intsAt(row) + INTS - 3]
          return ints[first] !== row || ints[last] !== row || bigs[wordsAt(row) + WORDS - 1] !== BigInt(row)
        })
        expect(overwritten).toEqual([])
        expect(memory.room).toBeGreaterThanOrEqual(taken.length)
      }
      for (const row of taken) memory.giveBack(row)
      expect(memory.room).toBeLessThanOrEqual(CHUNK)
    }),
    { numRuns: 30 },
  )
  expect(reused).toBeGreaterThan(1_000)
  expect(emptied).toBeGreaterThan(0)
})

test('a small venue takes little', () => {
  const memory = new RowMemory(WORDS)
  expect(memory.room).toBe(0)
  for (let n = 0; n < 10; n++) memory.take()
  expect(memory.room).toBe(16)
})

test('one that comes and goes beside full chunks makes no memory and drops none', () => {
  const memory = new RowMemory(WORDS)
  for (let n = 0; n < 2 * CHUNK; n++) memory.take()
  const first = memory.take()
  const { ints } = memory.chunkOf(first)
  for (let n = 0; n < 3; n++) {
    memory.giveBack(first)
    expect(memory.take()).toBe(first)
    expect(memory.chunkOf(first).ints).toBe(ints)
  }
})
