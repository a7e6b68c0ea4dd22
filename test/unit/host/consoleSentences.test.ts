// What the console says of what went wrong, and whether it may have been done all the same.

import { expect, test } from 'vitest'
import { ApiError, StreamEnded, VenueUnreachable } from '../../../src/client/index.ts'
import { mayBeDone, sentenceOf } from '../../../src/host/console/page/shared/sentences.ts'

function answered(
  statusCode: number,
  error: string,
  message: string,
  retryAfter: number | null = null,
): ApiError {
  const body = { error, message, statusCode }
  return new ApiError(body as ApiError['body'], { request: 'POST /orders', requestId: null, retryAfter })
}

test.each<[error: unknown, says: string, isUnsure: boolean]>([
  [answered(429, 'too_many_requests', 'slower', 7), 'Too many requests: try again in 7 s.', false],
  [answered(429, 'too_many_requests', 'slower'), 'Too many requests: try again in 1 s.', false],
  [answered(418, 'unexpected_answer', 'tea'), 'The venue answered with status 418.', true],
  [answered(502, 'unexpected_answer', 'bad gateway'), 'The venue answered with status 502.', true],
  [answered(400, 'insufficient_balance', 'the balance is too low'), 'The balance is too low.', false],
  [answered(499, 'validation_failed', 'Why not?'), 'Why not?', false],
  [answered(500, 'internal_error', 'a fault of ours'), 'A fault of ours.', true],
  [answered(409, 'idempotency_key_in_flight', 'it is under way…'), 'It is under way…', true],
  [
    new StreamEnded('session_expired'),
    'You were signed out: the token was revoked or refreshed, or has expired.',
    false,
  ],
  [
    new StreamEnded('api_trading_not_enabled'),
    'API keys may no longer be used for one of your accounts.',
    false,
  ],
  [
    new StreamEnded('too_many_streams'),
    'The console is open too often: a user may have 20 live connections. Close one and sign in again.',
    false,
  ],
  [new StreamEnded('archived'), 'The log no longer begins that early.', false],
  [new StreamEnded('of old age'), 'The stream has ended: of old age.', false],
  [new VenueUnreachable('http://venue', 'POST /orders', null), 'The venue does not answer.', true],
  [new TypeError('fetch failed'), 'The venue does not answer.', true],
  [new Error('out of luck'), 'Out of luck.', false],
  ['a word', 'a word', false],
])('%s', (error, says, isUnsure) => {
  expect(sentenceOf(error)).toBe(says)
  expect(mayBeDone(error)).toBe(isUnsure)
})
