import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shardOf } from '../../src/cluster/shardOf.ts'

test('the shard of a user is the first 32 bits, big-endian, of the hash of the id in lower case', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 1, max: 1_000 }), (userId, shards) => {
      const bits = Number.parseInt(createHash('sha256').update(userId).digest('hex').slice(0, 8), 16)
      expect(shardOf(userId, shards)).toBe(bits % shards)
      expect(shardOf(userId.toUpperCase(), shards)).toBe(bits % shards)
    }),
  )
})
