/**
 * Which shard a request belongs to, from its token alone: those of the configuration are known to every node, and every
 * key that is drawn ends in the bits that decide its user's shard. So no request costs a trip to the database or to
 * another node before it is where it belongs; whether the token is good is decided there.
 */
import { shardOf } from '../../cluster/shardOf.ts'
import type { UserConfiguration } from '../configuration.ts'
import { hashOf, shardBitsOf } from '../secret.ts'

export class TokenShards {
  readonly #byHash = new Map<string, number>()
  readonly #shards: number

  constructor(users: readonly UserConfiguration[], shards: number) {
    this.#shards = shards
    for (const { id, sessionToken, apiKeys } of users) {
      const secrets = [...apiKeys.map(({ key }) => key), ...(sessionToken === null ? [] : [sessionToken])]
      for (const secret of secrets) this.#byHash.set(hashOf(secret), shardOf(id, shards))
    }
  }

  /** Null: it says nothing, and any shard can refuse it. */
  of(authorization: string | undefined): number | null {
    const secret = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
    if (secret === undefined) return null
    const bits = shardBitsOf(secret)
    return this.#byHash.get(hashOf(secret)) ?? (bits === null ? null : bits % this.#shards)
  }
}
