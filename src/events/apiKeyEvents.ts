/** What can happen to an API key (I6). Hashes only: no event carries a secret. */

/** What every event of an API key says. */
export interface ApiKeyEventFields {
  /** The key. */
  readonly keyId: string
}

/** What is known of the secret of a key. */
export interface Secret {
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string
  /** The first characters of the secret. */
  readonly prefix: string
  /** Epoch ms; null = never. */
  readonly expiresAt: number | null
}

/** An API key became known (I6, K3). */
export interface ApiKeyRegistered extends ApiKeyEventFields, Secret {
  readonly type: 'apiKeyRegistered'
  /** Whose it is. */
  readonly userId: string
  /** What its owner calls it. */
  readonly name: string
}

/** The key has a new secret; the old one is dead (K3). */
export interface ApiKeyRefreshed extends ApiKeyEventFields, Secret {
  readonly type: 'apiKeyRefreshed'
}

/** An API key has ended (K3, K11). */
export interface ApiKeyRevoked extends ApiKeyEventFields {
  readonly type: 'apiKeyRevoked'
}

/** The configuration has given the key to another user, or another end (K11). */
export interface ApiKeyAmended extends ApiKeyEventFields {
  readonly type: 'apiKeyAmended'
  /** Whose it is from here on. */
  readonly userId: string
  /** Epoch ms; null = never. */
  readonly expiresAt: number | null
}

/** Nothing is kept of a key that was revoked or has expired (K3). */
export interface ApiKeyForgotten extends ApiKeyEventFields {
  readonly type: 'apiKeyForgotten'
}

/** What can happen to an API key. */
export type ApiKeyEvent = ApiKeyRegistered | ApiKeyRefreshed | ApiKeyRevoked | ApiKeyAmended | ApiKeyForgotten
