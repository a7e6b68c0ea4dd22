/**
 * What a token is good for, told to who signs in to the console with it: an answer and no refusal, because browsers write
 * refusals to their console. A wrong one counts against its address as it does on the operators' routes (K10).
 */
import type { FastifyRequest } from 'fastify'
import type { Authentication } from './authentication.ts'
import type { Clock } from './clock.ts'
import { type ErrorAnswer, wrongTokensRejection } from './errorAnswer.ts'
import type { WrongTokens } from './wrongTokens.ts'

export interface SignIn {
  /** Null: for nothing here. */
  readonly role: 'trader' | 'operator' | null
  /** What an operator is called in the log. */
  readonly name?: string
  /** Why it is good for nothing, in a sentence. */
  readonly message: string | null
}

export interface SignInTerms {
  readonly authentication: Authentication
  readonly wrongTokens: WrongTokens
  readonly clock: Clock
  /** Whom this address serves. */
  readonly serves: { readonly traders: boolean; readonly operators: boolean }
}

/** An error answer where its address has to wait. A trader's token is never held against the operators'. */
export function signInOf(
  { authentication, wrongTokens, clock, serves }: SignInTerms,
  { ip, headers: { authorization } }: FastifyRequest,
): SignIn | ErrorAnswer {
  const now = clock.now()
  if (serves.traders && authentication.principal(authorization, now) !== null)
    return { role: 'trader', message: null }
  if (serves.operators) {
    const wait = wrongTokens.wait(ip)
    if (wait > 0) return wrongTokensRejection('read', now, wait)
    const credential = authentication.operator(authorization)
    if (credential.operator !== null)
      return { role: 'operator', name: credential.operator.name, message: null }
    if (credential.presented) wrongTokens.add(ip)
  }
  return { role: null, message: authentication.refusal(authorization, now) }
}
