/** Who sends a request: an API key, an interactive session or the operator. */
import type { Caller } from '../domain/command.ts'
import type { Reader } from '../projections/reader.ts'
import { hashOf, sameHash } from './secret.ts'

/** The session of a user, as the operator configures it. */
export interface Session {
  readonly userId: string
  readonly token: string
}

/** A caller, and the key they came with; null for a session. */
export interface Principal extends Caller {
  readonly keyId: string | null
}

const BEARER = /^Bearer +(\S+) *$/i

function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
}

export class Authentication {
  readonly #read: Reader
  readonly #sessions: readonly { readonly userId: string; readonly hash: string }[]
  readonly #operator: string | null

  constructor(read: Reader, sessions: readonly Session[], operatorToken: string | null) {
    this.#read = read
    this.#sessions = sessions.map(({ userId, token }) => ({ userId, hash: hashOf(token) }))
    this.#operator = operatorToken === null ? null : hashOf(operatorToken)
  }

  /** A good key or session; null for anything else, whatever is wrong with it (I6). */
  principal(authorization: string | undefined, now: number): Principal | null {
    const secret = bearerOf(authorization)
    if (secret === undefined) return null
    const hash = hashOf(secret)
    return this.#byKey(hash, now) ?? this.#bySession(hash)
  }

  isOperator(authorization: string | undefined): boolean {
    const secret = bearerOf(authorization)
    return secret !== undefined && this.#operator !== null && sameHash(hashOf(secret), this.#operator)
  }

  #byKey(hash: string, now: number): Principal | null {
    const key = this.#read.apiKeyWithHash(hash)
    if (key === undefined || !sameHash(key.hash, hash)) return null
    if (key.expiresAt !== null && now >= key.expiresAt) return null
    return { userId: key.userId, apiKey: true, keyId: key.id }
  }

  #bySession(hash: string): Principal | null {
    const session = this.#sessions.find((candidate) => sameHash(candidate.hash, hash))
    return session === undefined ? null : { userId: session.userId, apiKey: false, keyId: null }
  }
}
