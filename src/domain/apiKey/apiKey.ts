/**
 * API keys as the log knows them (I6): never the secret, only its SHA-256. They are part of the state so that they
 * survive a restart; whether a key is good at a moment is asked by the host in front of the engine.
 */

/** A key that has been registered. Frozen: readers hold it as it is. */
export interface ApiKey {
  readonly id: string
  readonly userId: string
  readonly name: string
  /** Epoch ms. */
  readonly createdAt: number
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string
  /** The first characters of the secret, for people to recognize it by. */
  readonly prefix: string
  /** Epoch ms from which the key is no longer good (A5); null = never. */
  readonly expiresAt: number | null
  readonly revoked: boolean
  /** Whether it came from the configuration, which stays the truth about it (K11). Told by id and first hash. */
  readonly configured: boolean
}

/** Whether a key works at an instant: at exactly its expiry it is over (A5). */
export function isLive({ revoked, expiresAt }: ApiKey, at: number): boolean {
  return !revoked && (expiresAt === null || at < expiresAt)
}

/** The keys that are remembered, and the ones that are not revoked by their hash. */
export class ApiKeys {
  readonly #byId = new Map<string, ApiKey>()
  readonly #byHash = new Map<string, ApiKey>()
  readonly #ofUser = new Map<string, Map<string, ApiKey>>()

  get(id: string): ApiKey | undefined {
    return this.#byId.get(id)
  }

  /** The key with this hash, unless it is revoked or was refreshed since. */
  withHash(hash: string): ApiKey | undefined {
    return this.#byHash.get(hash)
  }

  /** In the order they were registered or came to their user, revoked ones included. */
  all(): IterableIterator<ApiKey> {
    return this.#byId.values()
  }

  /** Those of a user, in the same order. */
  ofUser(userId: string): Iterable<ApiKey> {
    return this.#ofUser.get(userId)?.values() ?? []
  }

  add(key: ApiKey): void {
    const kept = Object.freeze({ ...key })
    this.#byId.set(kept.id, kept)
    if (!kept.revoked) this.#byHash.set(kept.hash, kept)
    const theirs = this.#ofUser.get(kept.userId)
    if (theirs === undefined) this.#ofUser.set(kept.userId, new Map([[kept.id, kept]]))
    else theirs.set(kept.id, kept)
  }

  /** Replaces the secret: the old one is dead at once. */
  refresh(key: ApiKey, { hash, prefix, expiresAt }: Pick<ApiKey, 'hash' | 'prefix' | 'expiresAt'>): void {
    this.#byHash.delete(key.hash)
    this.add({ ...key, hash, prefix, expiresAt })
  }

  revoke(key: ApiKey): void {
    this.#byHash.delete(key.hash)
    this.add({ ...key, revoked: true })
  }

  /** A key that changes hands is the youngest of its new user. */
  amend(key: ApiKey, { userId, expiresAt }: Pick<ApiKey, 'userId' | 'expiresAt'>): void {
    if (userId !== key.userId) this.forget(key)
    this.add({ ...key, userId, expiresAt })
  }

  forget(key: ApiKey): void {
    this.#byId.delete(key.id)
    if (this.#byHash.get(key.hash)?.id === key.id) this.#byHash.delete(key.hash)
    const theirs = this.#ofUser.get(key.userId)
    theirs?.delete(key.id)
    if (theirs?.size === 0) this.#ofUser.delete(key.userId)
  }
}
