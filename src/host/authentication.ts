/** Who sends a request: an API key, an interactive session or an operator. */

import type { Caller } from '../events/command.ts'
import type { Reader } from '../projections/reader.ts'
import type { KeyTerms } from './configuredKeys.ts'
import type { Operator, OperatorToken } from './operators.ts'
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

/** They say nothing of the path: one that is the operators' alone looks like one that is not there. */
const REFUSALS = {
  missing: 'There is no Authorization header; send Authorization: Bearer KEY.',
  malformed: 'The Authorization header does not have the form Bearer KEY.',
  unknown:
    'The Authorization header carries nothing that is good here: it is wrong, or was revoked or refreshed.',
  expired: 'The key has expired.',
} as const

/** What a request to the operator surface came with. */
export type OperatorCredential =
  | { readonly operator: Operator }
  /** Nothing that looks like a token, or one that is nobody's. */
  | { readonly operator: null; readonly presented: boolean }

/** Secrets are looked up by their SHA-256, so that a wrong one costs the same however many there are. */
export class Authentication {
  readonly #read: Pick<Reader, 'apiKeyWithHash'>
  readonly #unwrittenKeys: ReadonlyMap<string, KeyTerms | null>
  readonly #sessions = new Map<string, { readonly userId: string; readonly hash: string }>()
  readonly #operators = new Map<string, { readonly operator: Operator; readonly hash: string }>()

  /**
   * `unwrittenKeys`: by hash, API keys as they are whatever the log says; null: they have ended.
   *
   * @throws TypeError when one secret stands for two things, or two operators have one name (K10).
   */
  constructor(
    read: Pick<Reader, 'apiKeyWithHash'>,
    sessions: readonly Session[],
    operators: readonly OperatorToken[],
    unwrittenKeys: ReadonlyMap<string, KeyTerms | null> = new Map(),
  ) {
    this.#read = read
    this.#unwrittenKeys = unwrittenKeys
    const names = new Set<string>()
    for (const { name, role, token } of operators) {
      if (names.has(name)) throw new TypeError(`two operators are called ${name}`)
      names.add(name)
      this.#operators.set(this.#unused(token), { operator: { name, role }, hash: hashOf(token) })
    }
    for (const { userId, token } of sessions)
      this.#sessions.set(this.#unused(token), { userId, hash: hashOf(token) })
  }

  /** A good key or session; null for anything else, whatever is wrong with it (I6): {@link refusal} says what. */
  principal(authorization: string | undefined, now: number): Principal | null {
    const secret = bearerOf(authorization)
    if (secret === undefined) return null
    const hash = hashOf(secret)
    return this.#byKey(hash, now) ?? this.#bySession(hash)
  }

  /**
   * What is wrong with what a request came with, in a sentence. Whoever does not hold a secret learns nothing of it: that it has
   * expired is told to whoever has it, and of a wrong one the same as of one that is revoked.
   */
  refusal(authorization: string | undefined, now: number): string {
    if (authorization === undefined) return REFUSALS.missing
    const secret = bearerOf(authorization)
    if (secret === undefined) return REFUSALS.malformed
    const { expiresAt = null } = this.#keyWith(hashOf(secret)) ?? {}
    return expiresAt !== null && now >= expiresAt ? REFUSALS.expired : REFUSALS.unknown
  }

  /**
   * Whether what a request came with is still good for the same caller, to be asked again and again, by ten thousand streams each
   * second: of a secret that was let in its hash alone is looked up.
   */
  renewal(authorization: string | undefined, { userId }: Principal): (now: number) => boolean {
    const hash = hashOf(bearerOf(authorization) ?? '')
    return (now) => {
      const key = this.#termsOf(hash)
      return isInForce(key, now) ? key.userId === userId : this.#sessions.get(hash)?.userId === userId
    }
  }

  operator(authorization: string | undefined): OperatorCredential {
    const secret = bearerOf(authorization)
    if (secret === undefined) return { operator: null, presented: false }
    const hash = hashOf(secret)
    const found = this.#operators.get(hash)
    return found !== undefined && sameHash(found.hash, hash) ? found : { operator: null, presented: true }
  }

  #byKey(hash: string, now: number): Principal | null {
    const key = this.#keyWith(hash)
    if (!isInForce(key, now)) return null
    return { userId: key.userId, apiKey: true, keyId: key.id }
  }

  /** A key that is not revoked; it may have expired. */
  #keyWith(hash: string): KeyTerms | null {
    const key = this.#termsOf(hash)
    return key !== null && sameHash(key.hash, hash) ? key : null
  }

  #termsOf(hash: string): KeyTerms | null {
    const unwritten = this.#unwrittenKeys.get(hash)
    const key = unwritten === undefined ? this.#read.apiKeyWithHash(hash) : unwritten
    return key ?? null
  }

  #bySession(hash: string): Principal | null {
    const session = this.#sessions.get(hash)
    if (session === undefined || !sameHash(session.hash, hash)) return null
    return { userId: session.userId, apiKey: false, keyId: null }
  }

  /** The hash of a token that stands for nothing else yet. */
  #unused(token: string): string {
    const hash = hashOf(token)
    const taken =
      this.#sessions.has(hash) || this.#operators.has(hash) || this.#read.apiKeyWithHash(hash) !== undefined
    if (taken) throw new TypeError('one secret is used for two things')
    return hash
  }
}

function isInForce(key: KeyTerms | null, now: number): key is KeyTerms {
  return key !== null && (key.expiresAt === null || now < key.expiresAt)
}
