// A key says where its user is, and nothing else; one that says nothing is that of a single host.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shardOf } from '../../src/cluster/shardOf.ts'
import { newApiKey, newClusterKey, shardBitsOf } from '../../src/host/secret.ts'

test('every node sends a drawn key to the shard of its user, however their id is written', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 1, max: 64 }), fc.boolean(), (id, shards, upper) => {
      const key = newClusterKey(upper ? id.toUpperCase() : id)
      const bits = createHash('sha256').update(id).digest().readUInt32BE(0)
      expect(shardBitsOf(key)).toBe(bits)
      expect(shardOf(id, shards)).toBe(bits % shards)
      expect(key).toMatch(/^mtk_[\w-]{43}\.[0-9a-f]{8}$/)
    }),
  )
})

test('a key without a shard, and what only looks like one with it, say nothing', () => {
  expect(newApiKey()).toMatch(/^mtk_[\w-]{43}$/)
  for (const text of [
    newApiKey(),
    'mtk_a.0123456',
    'mtk_a.012345678',
    'mtk_a.0123456G',
    'usk_a.01234567',
    '',
  ])
    expect(shardBitsOf(text)).toBeNull()
})
