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
}

/** Also of an error: then without a role. */
interface Answer {
  readonly role?: SignedIn['role'] | null
  readonly message: string | null
}

/** The token is good for nothing. */
export class TokenRefused extends Error {}

/** @throws TokenRefused with a sentence; another error where the venue did not say. */
export async function recognize(token: string): Promise<SignedIn> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${venueAt()}/console/sign-in`, { headers })
  const unread = { message: `The venue answered with status ${response.status}.` }
  const { role = null, message }: Answer = await response.json().catch(() => unread)
  if (role !== null) return { role, token }
  const why = message ?? unread.message
  throw response.ok ? new TokenRefused(why) : new Error(why)
}
