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

/** A key that is remembered, and its place among all: whoever comes later has a higher one. */
export interface PlacedApiKey {
  readonly place: number
  readonly key: ApiKey
}

/** The keys that are remembered, and the ones that are not revoked by their hash. */
export class ApiKeys {
  readonly #byId = new Map<string, PlacedApiKey>()
  readonly #byHash = new Map<string, ApiKey>()
  readonly #ofUser = new Map<string, Map<string, ApiKey>>()
  #places = 0

  /** How many are remembered. */
  get size(): number {
    return this.#byId.size
  }

  /** The highest place there ever was. */
  get places(): number {
    return this.#places
  }

  get(id: string): ApiKey | undefined {
    return this.#byId.get(id)?.key
  }

  placeOf({ id }: ApiKey): number | undefined {
    return this.#byId.get(id)?.place
  }

  /** The key with this hash, unless it is revoked or was refreshed since. */
  withHash(hash: string): ApiKey | undefined {
    return this.#byHash.get(hash)
  }

  /** In the order they were registered or came to their user, revoked ones included. */
  *all(): Generator<ApiKey, void> {
    for (const { key } of this.#byId.values()) yield key
  }

  /** The same with their places, which ascend. Keys may come and leave on the way. */
  placed(): Iterable<PlacedApiKey> {
    return this.#byId.values()
  }

  /** Those of a user, in the same order. */
  ofUser(userId: string): Iterable<ApiKey> {
    return this.#ofUser.get(userId)?.values() ?? []
  }

  add(key: ApiKey): void {
    const kept = Object.freeze({ ...key })
    this.#byId.set(kept.id, { place: this.placeOf(kept) ?? ++this.#places, key: kept })
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
