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

/** @throws Error with a sentence, where it is good for nothing. */
export async function recognize(token: string): Promise<SignedIn> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${venueAt()}/console/sign-in`, { headers })
  const unread = { message: `The venue answered with status ${response.status}.` }
  const { role = null, message }: Answer = await response.json().catch(() => unread)
  if (role === null) throw new Error(message ?? unread.message)
  return { role, token }
}
