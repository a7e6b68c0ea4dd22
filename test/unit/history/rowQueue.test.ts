// What waits for the history tables goes in whole commits, and the cursor says no more than what was written.

import { expect, test } from 'vitest'
import { CommitPast } from '../../../src/history/commitPast.ts'
import { RowQueue } from '../../../src/history/rowQueue.ts'
import type { RowStore } from '../../../src/store/rowStore.ts'

/** As if it became so many rows. */
class Large extends CommitPast {
  override get size(): number {
    return 300
  }
}

test('where more is durable than one write takes, the cursor stops before the first that is left', async () => {
  const tables: RowStore = {
    cursor: 0,
    write: async (_, upTo) => void Object.assign(tables, { cursor: upTo }),
  }
  const written: [commits: number[], upTo: number][] = []
  const queue = new RowQueue(tables, (commits, upTo) => written.push([commits.map(({ seq }) => seq), upTo]))
  for (const seq of [2, 4, 6, 9, 12]) queue.push(new Large({ seq, at: 0, events: [] }))
  queue.durable(10)
  await queue.flushed()
  expect(written).toEqual([
    [[2, 4], 5],
    [[6, 9], 10],
  ])
  queue.durable(20)
  await queue.flushed()
  expect(written.slice(2)).toEqual([[[12], 20]])
})
