/** Which shard a user is on. */
import { createHash } from 'node:crypto'

/** The first 32 bits, big-endian, of SHA-256 of the user id in lower case, modulo the number of shards. */
export function shardOf(userId: string, shards: number): number {
  return createHash('sha256').update(userId.toLowerCase()).digest().readUInt32BE(0) % shards
}
