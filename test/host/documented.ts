// What every answer of the host looks like, whatever was asked.

import { expect } from 'vitest'
import { ERRORS, type ErrorCode } from '../../src/terms/errors.ts'

const TRANSPORT = new Set([411, 413, 414, 415, 417, 431])
const BODY_KEYS = ['statusCode', 'message', 'error']
const EXTRA_KEYS: Partial<Record<ErrorCode, readonly string[]>> = {
  validation_failed: ['details'],
  invalid_leverage: ['leverage', 'minLeverage', 'maxLeverage'],
  api_key_rate_limit_exceeded: ['bucket', 'window', 'limit', 'retryAt'],
}

/** A success, or exactly the documented error body with the status of its code. */
export function expectDocumented(status: number, text: string): void {
  if (status === 200 || status === 201) return
  const body = JSON.parse(text)
  const entry = ERRORS[body.error as ErrorCode]
  expect(entry, text).toBeDefined()
  expect(body.statusCode).toBe(status)
  expect(typeof body.message).toBe('string')
  if (!(body.error === 'validation_failed' && TRANSPORT.has(status))) expect(status, text).toBe(entry.status)
  const allowed = [...BODY_KEYS, ...(EXTRA_KEYS[body.error as ErrorCode] ?? [])]
  expect(
    Object.keys(body).filter((key) => !allowed.includes(key)),
    text,
  ).toEqual([])
}
