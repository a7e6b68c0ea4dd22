// Who should own what, whoever is there and whatever was moved by hand.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ClusterView } from '../../src/cluster/membership.ts'
import { movesOf } from '../../src/cluster/share.ts'

const names = ['a', 'b', 'c', 'd']
const view: fc.Arbitrary<ClusterView> = fc
  .record({
    draining: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
    shards: fc.array(fc.tuple(fc.nat(4), fc.option(fc.nat(4))), { maxLength: 20 }),
  })
  .map(({ draining, shards }) => ({
    nodes: draining.map((drains, at) => ({
      name: names[at] as string,
      life: `${names[at]}-1`,
      address: '',
      renewals: 0,
      leaseMs: 1_000,
      draining: drains,
    })),
    shards: shards.map(([owner, wanted], shard) => ({
      shard,
      owner: owner < draining.length ? `${names[owner]}-1` : null,
      wanted: wanted === null ? null : (names[wanted] ?? 'gone'),
      epoch: 1,
      head: 0,
    })),
  }))

test('after the moves nobody has two more than another, but by hand; and there is nothing left to move', () => {
  fc.assert(
    fc.property(view, (before) => {
      const takers = before.nodes.filter(({ draining }) => !draining)
      const to = new Map(movesOf(before).map((move) => [move.shard, move.to]))
      const shards = before.shards.map((row) => ({ ...row, owner: to.get(row.shard) ?? row.owner }))
      expect(movesOf({ ...before, shards })).toEqual([])
      if (takers.length === 0) {
        expect(to.size).toBe(0)
        return
      }
      const byHand = ({ wanted }: { wanted: string | null }) => takers.some(({ name }) => name === wanted)
      for (const row of shards) {
        expect(takers.map(({ life }) => life)).toContain(row.owner)
        if (byHand(row)) expect(row.owner).toBe(`${row.wanted}-1`)
      }
      const counts = takers.map(({ life }) => shards.filter(({ owner }) => owner === life).length)
      if (!shards.some(byHand) && takers.length > 0)
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(2)
    }),
  )
})

test('every node comes to the same moves, in whatever order the database tells of nodes and shards', () => {
  fc.assert(
    fc.property(
      view.chain((before) =>
        fc.record({
          before: fc.constant(before),
          nodes: fc.shuffledSubarray([...before.nodes], { minLength: before.nodes.length }),
          shards: fc.shuffledSubarray([...before.shards], { minLength: before.shards.length }),
        }),
      ),
      ({ before, ...told }) => {
        expect(movesOf(told)).toEqual(movesOf(before))
      },
    ),
  )
})

test('shards that nobody has go to the nodes in turns, the first by name first', () => {
  for (const count of [1, 2, 3, 4]) {
    const nodes = names
      .slice(0, count)
      .map((name) => ({ name, life: `${name}-1`, address: '', renewals: 0, leaseMs: 1_000, draining: false }))
    const shards = Array.from({ length: 7 }, (_, shard) => ({
      shard,
      owner: null,
      wanted: null,
      epoch: 0,
      head: 0,
    }))
    expect(movesOf({ nodes, shards })).toEqual(
      shards.map(({ shard }) => ({ shard, from: null, to: `${names[shard % count]}-1` })),
    )
  }
})
