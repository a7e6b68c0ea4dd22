/** Which shard a user is on. */
import { createHash } from 'node:crypto'

/** What decides it: the first 32 bits, big-endian, of SHA-256 of the user id in lower case. */
export function shardBits(userId: string): number {
  return createHash('sha256').update(userId.toLowerCase()).digest().readUInt32BE(0)
}

/** {@link shardBits} modulo the number of shards. */
export function shardOf(userId: string, shards: number): number {
  return shardBits(userId) % shards
}
