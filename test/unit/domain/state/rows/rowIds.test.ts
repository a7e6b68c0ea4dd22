// Rows by the first word of their ids against a list, also while one table takes over from another.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ID, WORDS } from '../../../../../src/domain/state/restingOrders/rowLayout.ts'
import { RowIds } from '../../../../../src/domain/state/rows/rowIds.ts'
import { RowMemory } from '../../../../../src/domain/state/rows/rowMemory.ts'

class Ids {
  readonly memory = new RowMemory(WORDS)
  readonly ids = new RowIds(this.memory)
  /** By row. */
  readonly hashes = new Map<number, number>()

  add(hash: number): void {
    const row = this.memory.take()
    this.memory.chunkOf(row).ints[this.memory.intsAt(row) + ID] = hash
    this.ids.add(row)
    this.hashes.set(row, hash)
  }

  remove(which: number): void {
    const row = [...this.hashes.keys()][which % this.hashes.size]
    if (row === undefined) return
    const hash = this.hashes.get(row) as number
    this.ids.remove(row)
    this.hashes.delete(row)
    // Before its memory is another's: what is still there then would be found for good, and fill the table.
    expect(this.found(hash)).not.toContain(row)
    this.memory.giveBack(row)
  }

  found(hash: number): Set<number> {
    const rows = new Set<number>()
    let steps = 0
    for (let row = this.ids.first(hash); row >= 0; row = this.ids.next(hash)) {
      rows.add(row)
      // Each of them is found twice at most.
      if (++steps > 2 * (this.hashes.size + 1)) throw new Error(`hash ${hash} is found without end`)
    }
    return rows
  }

  expectSame(): void {
    expect(this.ids.size).toBe(this.hashes.size)
    const byHash = new Map<number, number[]>()
    for (const [row, hash] of this.hashes) byHash.set(hash, [...(byHash.get(hash) ?? []), row])
    for (const [hash, rows] of byHash) expect([...this.found(hash)].sort()).toEqual(rows.sort())
  }

  /** Whether two tables are there. */
  get isMoving(): boolean {
    return (this.ids.room & (this.ids.room - 1)) !== 0
  }
}

const hash = fc.oneof(
  fc.integer(),
  fc.nat({ max: 300 }),
  fc.integer().map((high) => high << 10),
)
const rounds = fc.array(
  fc.record({
    hashes: fc.array(hash, { size: 'max', maxLength: 500 }),
    leaving: fc.array(fc.nat(), { size: 'max', maxLength: 500 }),
  }),
  { minLength: 2, maxLength: 6 },
)

test('finds what is there, whatever came, left and came again', () => {
  let moving = 0
  fc.assert(
    fc.property(rounds, (drawn) => {
      const both = new Ids()
      for (const { hashes, leaving } of drawn) {
        for (const one of hashes) {
          both.add(one)
          if (!both.isMoving) continue
          moving += 1
          both.remove(one >>> 1)
          both.add(one)
          both.expectSame()
        }
        both.expectSame()
        for (const which of leaving) {
          both.remove(which)
          if (!both.isMoving) continue
          moving += 1
          both.expectSame()
        }
        both.expectSame()
      }
    }),
    { numRuns: 25, endOnFailure: true },
  )
  expect(moving).toBeGreaterThan(100)
})

test('a larger table takes over a little at a time, and so does a smaller one', () => {
  const both = new Ids()
  let [growing, shrinking] = [0, 0]
  for (let n = 0; n < 20_000; n++) {
    both.add(Math.imul(n, 0x9e3779b1))
    if (both.isMoving) growing += 1
  }
  both.expectSame()
  for (const [row] of [...both.hashes]) {
    both.ids.remove(row)
    both.hashes.delete(row)
    if (both.isMoving) shrinking += 1
  }
  // Each table is taken over in as many steps as it has sixty-fourths.
  for (const steps of [growing, shrinking]) expect(steps).toBeGreaterThan(400)
  expect(both.found(0)).toEqual(new Set())
  expect(both.ids.room).toBeLessThanOrEqual(1_024)
})
