// Every shard is under its owner or under nobody's, and every commit is counted.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { statusText } from '../../../src/cli/clusterStatus.ts'

const LIVES = ['b-1', 'a-1', 'c-2']

test("each node has its line, by name, and each shard is told once: of who has it, or as nobody's", () => {
  const owners = fc.array(fc.constantFrom(...LIVES, 'gone-1', null), { maxLength: 8 })
  fc.assert(
    fc.property(owners, fc.nat(3), fc.boolean(), (owned, count, draining) => {
      const nodes = LIVES.slice(0, count).map((life) => ({
        ...{
          name: life[0] as string,
          life,
          address: `http://${life}`,
          draining,
          leaseMs: 1_000,
          renewals: 1,
        },
      }))
      const shards = owned.map((owner, shard) => ({
        shard,
        owner,
        wanted: null,
        epoch: 1,
        head: 10 ** shard,
      }))
      const of = (isIts: (owner: string | null) => boolean) =>
        shards.filter(({ owner }) => isIts(owner)).map(({ shard }) => shard)
      const free = of((owner) => !nodes.some(({ life }) => life === owner))
      const named = [...nodes].sort((a, b) => a.name.localeCompare(b.name))
      expect(statusText({ nodes, shards }).split('\n')).toEqual([
        ...named.map(
          ({ name, address, life }) =>
            `${name}  ${address}  ${draining ? 'draining' : 'serving'}  shards ${of((owner) => owner === life).join(' ') || 'none'}`,
        ),
        ...(free.length > 0 ? [`nobody's: ${free.join(' ')}`] : []),
        `${shards.length} shards, ${Number('1'.repeat(shards.length) || 0)} commits`,
        '',
      ])
    }),
  )
})
