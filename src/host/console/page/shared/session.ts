// Who the reader is: their token, kept in this tab alone, and what it is good for.
import { venueAt } from './venueAddress.ts'

const KEPT_AS = 'margin-core-token'

export function keptToken(): string | null {
  return sessionStorage.getItem(KEPT_AS)
}

export function keepToken(token: string): void {
  sessionStorage.setItem(KEPT_AS, token)
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEPT_AS)
}

export interface SignedIn {
  readonly role: 'trader' | 'operator'
  readonly token: string
  /** What an operator is called in the log; of a trader empty. */
  readonly name: string
}

/** Also of an error: then without a role. */
interface Answer {
  readonly role?: SignedIn['role'] | null
  readonly name?: string
  readonly message: string | null
}

/** The token is good for nothing. */
export class TokenRefused extends Error {}

/** What a request can carry: a pasted text may hold spaces, quotes of a word processor or signs that nobody sees. */
const A_TOKEN = /^[!-~\u00a1-\u00ff]+$/
const NO_TOKEN = 'This is no token: there is a space in it, or a sign that tokens do not have.'

/** @throws TokenRefused with a sentence; another error where the venue did not say. */
export async function recognize(token: string): Promise<SignedIn> {
  if (!A_TOKEN.test(token)) throw new TokenRefused(NO_TOKEN)
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${venueAt()}/console/sign-in`, { headers })
  const unread = { message: `The venue answered with status ${response.status}.` }
  const { role = null, name = '', message }: Answer = await response.json().catch(() => unread)
  if (role !== null) return { role, token, name }
  const why = message ?? unread.message
  throw response.ok ? new TokenRefused(why) : new Error(why)
}
