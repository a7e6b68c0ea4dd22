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
  /** A revoked key stays known, so that a configuration that still lists it does not bring it back. */
  readonly revoked: boolean
}

/** Every key ever registered, and the ones that are not revoked by their hash. */
export class ApiKeys {
  readonly #byId = new Map<string, ApiKey>()
  readonly #byHash = new Map<string, ApiKey>()

  get(id: string): ApiKey | undefined {
    return this.#byId.get(id)
  }

  /** The key with this hash, unless it is revoked or was refreshed since. */
  withHash(hash: string): ApiKey | undefined {
    return this.#byHash.get(hash)
  }

  /** In the order they were registered, revoked ones included. */
  all(): IterableIterator<ApiKey> {
    return this.#byId.values()
  }

  add(key: ApiKey): void {
    const kept = Object.freeze({ ...key })
    this.#byId.set(kept.id, kept)
    if (!kept.revoked) this.#byHash.set(kept.hash, kept)
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
}
