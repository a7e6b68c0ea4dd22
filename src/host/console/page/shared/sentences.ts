// What went wrong, in a sentence.
import { ApiError, StreamEnded, VenueUnreachable } from '../../../../client/index.ts'
import type { ErrorCode } from '../../../../terms/errors.ts'

const ENDINGS: Readonly<Record<string, string>> = {
  session_expired: 'You were signed out: the token was revoked or refreshed, or has expired.',
  api_trading_not_enabled: 'API keys may no longer be used for one of your accounts.',
  too_many_streams:
    'The console is open too often: a user may have 20 live connections. Close one and sign in again.',
  archived: 'The log no longer begins that early.',
}

export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return ofAnswer(error)
  if (error instanceof StreamEnded) return ENDINGS[error.reason] ?? `The stream has ended: ${error.reason}.`
  if (error instanceof VenueUnreachable || error instanceof TypeError) return 'The venue does not answer.'
  return error instanceof Error ? sentence(error.message) : String(error)
}

/**
 * Whether what was asked may have been done although the venue did not say so: no answer, one of whatever stands between, or one
 * that says the first attempt is not over.
 */
export function mayBeDone(error: unknown): boolean {
  if (error instanceof ApiError)
    return error.statusCode >= 500 || error.code === 'unexpected_answer' || error.code === IN_FLIGHT
  return error instanceof VenueUnreachable || error instanceof TypeError
}

const IN_FLIGHT: ErrorCode = 'idempotency_key_in_flight'

function ofAnswer({ statusCode, code, body, retryAfter }: ApiError): string {
  if (statusCode === 429) return `Too many requests: try again in ${retryAfter ?? 1} s.`
  if (code === 'unexpected_answer') return `The venue answered with status ${statusCode}.`
  return sentence(body.message)
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(first) ? first : `${first}.`
}
