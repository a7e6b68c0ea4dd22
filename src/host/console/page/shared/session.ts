// Who the reader is: their token, kept in this tab alone, and what it is good for.
import { ApiError, MarginTradingClient } from '../../../../client/index.ts'
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

/**
 * What a token is good for, found by using it. A trader's token is never shown to the operators' routes,
 * where wrong ones are counted.
 *
 * @throws ApiError where it is good for nothing.
 */
export async function recognize(token: string): Promise<SignedIn> {
  try {
    await new MarginTradingClient({ baseUrl: venueAt(), token }).accounts()
    return { role: 'trader', token }
  } catch (error) {
    if (!(error instanceof ApiError && error.statusCode === 401) || !(await isOperators(token))) throw error
    return { role: 'operator', token }
  }
}

async function isOperators(token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` }
  const { ok, status } = await fetch(`${venueAt()}/operator/health`, { headers })
  return ok || status === 503
}
