// How long whoever asks for a hand-over waits for it, and what they are told.
import { expect, test } from 'vitest'
import { comesTo, ownedBy } from '../../src/cluster/comesTo.ts'
import type { ClusterView } from '../../src/cluster/membership.ts'

const node = { address: '', renewals: 0, leaseMs: 1_000, draining: false }
const shard = { wanted: null, epoch: 1, head: 0 }
const owned = (owner: string | null): ClusterView => ({
  nodes: [
    { ...node, name: 'a', life: 'a-2' },
    { ...node, name: 'b', life: 'b-1' },
  ],
  shards: [
    { ...shard, shard: 0, owner: 'b-1' },
    { ...shard, shard: 1, owner },
  ],
})

/** What is seen at each look, the last for ever, and what whoever waits for shard 1 at `b` is told; null: the database does not answer. */
async function told(seen: readonly (ClusterView | null)[], patienceMs: number) {
  let [now, looks] = [0, 0]
  const membership = {
    look: async () => {
      const view = seen[Math.min(looks++, seen.length - 1)]
      if (view == null) throw new Error('the database does not answer')
      return view
    },
  }
  const clock = {
    monotonic: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  }
  const isSo = (view: ClusterView) => ownedBy(view, 'b').includes(1)
  const answer = await comesTo(membership, clock, isSo, patienceMs).catch((error: Error) => error.message)
  return { answer, now, looks }
}

test('a node owns what its present life does, and not what is said of a life before', () => {
  expect(ownedBy(owned('a-2'), 'a')).toEqual([1])
  expect(ownedBy(owned('a-1'), 'a')).toEqual([])
  expect(ownedBy(owned(null), 'b')).toEqual([0])
})

test('what is so already is told without a pause', async () => {
  expect(await told([owned('b-1')], 1_000)).toEqual({ answer: true, now: 0, looks: 1 })
})

test('it is looked for ten times a second until it is so, or the time is over', async () => {
  expect(await told([owned('a-2'), owned(null), owned('b-1')], 1_000)).toEqual({
    answer: true,
    now: 200,
    looks: 3,
  })
  // What comes about in the last moment is seen.
  const late = Array.from({ length: 10 }, () => owned('a-2'))
  expect(await told([...late, owned('b-1')], 1_000)).toEqual({ answer: true, now: 1_000, looks: 11 })
  expect(await told([owned('a-2')], 1_000)).toEqual({ answer: false, now: 1_000, looks: 11 })
})

test('a database that does not answer for a while says nothing, one that does not at the end is told', async () => {
  expect(await told([null, owned('a-2'), null, owned('b-1')], 1_000)).toMatchObject({
    answer: true,
    looks: 4,
  })
  expect(await told([owned('a-2'), null], 1_000)).toMatchObject({
    answer: 'the database does not answer',
    now: 1_000,
  })
})
