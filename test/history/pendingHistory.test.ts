// What waits to be written: whole commits, in order, each once, none before it is durable, and found until it is written.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GatheredChanges } from '../../src/history/gatheredChanges.ts'
import type { HistoryTarget } from '../../src/history/historyTarget.ts'
import { PendingHistory } from '../../src/history/pendingHistory.ts'
import { LOOP_TURNS } from '../../src/store/lmdb/loopTurns.ts'

/** An index that keeps what it is told. */
class Told implements HistoryTarget {
  readonly removed = null
  readonly checked = Promise.resolve()
  readonly turns = LOOP_TURNS
  cursor = 0
  readonly ranks: number[] = []
  readonly createdUpTo = () => undefined
  readonly order = () => undefined
  readonly endOf = () => undefined
  readonly holes = () => undefined
  readonly eventsBefore = () => []
  readonly entry = ({ rank }: { readonly rank: number }) => this.ranks.find((told) => told === rank)

  async write(changes: readonly GatheredChanges[], cursor: number): Promise<void> {
    for (const { entries } of changes) for (const { key } of entries) this.ranks.push(key.rank)
    this.cursor = cursor
  }
}

test('everything durable is written, in order and once; what is not waits and is found', async () => {
  let [waited, severalAtOnce] = [0, 0]
  const commits = fc.array(fc.record({ entries: fc.nat({ max: 3 }), durable: fc.boolean() }), {
    minLength: 1,
    maxLength: 20,
  })
  await fc.assert(
    fc.asyncProperty(commits, fc.boolean(), async (drawn, all) => {
      const index = new Told()
      const pending = new PendingHistory(index)
      /** Of each rank, the commit that told it. */
      const told: number[] = []
      let durable = 0
      for (const [before, { entries, durable: isDurable }] of drawn.entries()) {
        const seq = before + 1
        for (let n = 0; n < entries; n++) pending.entry({ list: 1, rank: told.push(seq) - 1 }, seq)
        pending.completed(seq)
        // What is durable lags behind what is told, by a commit here and there.
        if (isDurable && before > durable) {
          durable = before
          pending.durable(durable)
        }
      }
      if (all) {
        durable = drawn.length
        pending.durable(durable)
      }
      await Promise.race([pending.flushed(), pending.failed])
      const written = told.filter((seq) => seq <= durable).length
      expect(index.ranks).toEqual(Array.from({ length: written }, (_, rank) => rank))
      expect(index.cursor).toBe(durable)
      for (const [rank, seq] of told.entries())
        expect(pending.entryOf({ list: 1, rank })).toBe(seq <= durable ? undefined : seq)
      if (written < told.length) waited += 1
      if (written > 3) severalAtOnce += 1
    }),
  )
  for (const reached of [waited, severalAtOnce]) expect(reached).toBeGreaterThan(10)
})
