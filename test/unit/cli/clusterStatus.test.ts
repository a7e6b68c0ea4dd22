// Every shard is under its owner or under nobody's, and every commit is counted.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { statusJson, statusText } from '../../../src/cli/clusterStatus.ts'

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

test('a shard that cannot be opened is named with the reason and since when, whoever has it', () => {
  const trouble = {
    reason: 'StoreDamaged: commit 7 cannot be read: it is missing, the head is 9',
    since: 1_000,
  }
  const shard = { owner: 'a-1', wanted: null, epoch: 3, head: 9 }
  const view = {
    nodes: [{ name: 'a', life: 'a-1', address: 'http://a', draining: false, leaseMs: 1_000, renewals: 1 }],
    shards: [
      { ...shard, shard: 0 },
      { ...shard, shard: 1, trouble },
      { ...shard, shard: 2, owner: 'gone-1', trouble },
    ],
  }
  const since = '1970-01-01T00:00:01.000Z'
  expect(statusText(view).split('\n').slice(1)).toEqual([
    "nobody's: 2",
    `shard 1 cannot be opened, since ${since}: ${trouble.reason}`,
    `shard 2 cannot be opened, since ${since}: ${trouble.reason}`,
    '3 shards, 27 commits',
    '',
  ])
  const told = { epoch: 3, head: 9, trouble: { reason: trouble.reason, since } }
  expect(JSON.parse(statusJson(view))).toEqual({
    nodes: [{ name: 'a', address: 'http://a', draining: false }],
    shards: [
      { ...told, shard: 0, owner: 'a', trouble: null },
      { ...told, shard: 1, owner: 'a' },
      { ...told, shard: 2, owner: null },
    ],
  })
})
