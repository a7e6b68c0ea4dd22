// A store in memory takes what goes on top of its head from whoever opened it last, whole commits and rows of a feed alike.

import { expect, test } from 'vitest'
import { MemoryStore, StoreConflict } from '../../../src/index.ts'
import { commitsOf, sampleCommit } from '../../../src/testing/index.ts'

const TICKS = {
  at: Float64Array.of(1_000, 2_000),
  indexPrice: BigInt64Array.of(5n, 6n),
  market: Uint16Array.of(0, 0),
  marketIds: ['b0000000-0000-4000-8000-000000000001'],
}

test.each([
  [
    'commits',
    (store: MemoryStore, head: number, epoch: number) =>
      store.appendNow([sampleCommit(head + 1)], head, epoch),
  ],
  [
    'a commit',
    (store: MemoryStore, head: number, epoch: number) => store.appendOne(sampleCommit(head + 1), head, epoch),
  ],
  [
    'rows of a feed',
    (store: MemoryStore, head: number, epoch: number) => store.appendTicks(TICKS, 0, 1, head, epoch),
  ],
] as const)('%s', async (_, append) => {
  const store = new MemoryStore()
  const { epoch: before } = await store.open()
  append(store, 0, before)
  const { epoch } = await store.open()
  expect(() => append(store, 1, before)).toThrow(StoreConflict)
  expect(() => append(store, 0, epoch)).toThrow(StoreConflict)
  expect(() => append(store, 2, epoch)).toThrow(StoreConflict)
  expect((await commitsOf(store)).map(({ seq }) => seq)).toEqual([1])
  append(store, 1, epoch)
  expect((await commitsOf(store)).map(({ seq }) => seq)).toEqual([1, 2])
})

test('commits that do not follow each other are refused, and none of them is kept', async () => {
  const store = new MemoryStore()
  const { epoch } = await store.open()
  for (const order of [
    [1, 3],
    [2, 1],
    [1, 1],
    [1, 2, 2],
  ]) {
    const commits = order.map((seq) => sampleCommit(seq))
    expect(() => store.appendNow(commits, 0, epoch), order.join()).toThrow(StoreConflict)
  }
  expect(await commitsOf(store)).toEqual([])
})
