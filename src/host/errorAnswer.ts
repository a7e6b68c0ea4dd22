/** How a rejection looks on the wire: the documented body, and the extras of its code (I16). */

import type { PlatformCommand } from '../events/command.ts'
import { formatInstant } from '../projections/wire.ts'
import { formatFp9 } from '../quantity/fp9.ts'
import type { ErrorBody } from '../resources/errorBody.ts'
import { ERRORS, type Rejection } from '../terms/errors.ts'
import type { OperatorRole } from './access.ts'
import { type Bucket, retryAfterSeconds, type TrippedWindow } from './rateLimit.ts'
import { MOST_WRONG } from './wrongTokens.ts'

/** An answer that is not the one asked for. */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
}

/** A rejection as an answer; `status` only where transport asks for another than the table's. */
export function errorAnswerOf(
  rejection: Rejection,
  status: number = ERRORS[rejection.code].status,
): ErrorAnswer {
  const { code, details, leverage, minLeverage, maxLeverage } = rejection
  const body: ErrorBody = {
    statusCode: status,
    message: messageOf(rejection),
    error: code,
    ...(details !== undefined && { details }),
    ...(leverage !== undefined && { leverage: formatFp9(leverage) }),
    ...(minLeverage !== undefined && { minLeverage: formatFp9(minLeverage) }),
    ...(maxLeverage !== undefined && { maxLeverage: formatFp9(maxLeverage) }),
  }
  return { status, headers: {}, body }
}

/** The same in a sentence of its own. */
export function saying(answer: ErrorAnswer, message: string): ErrorAnswer {
  return { ...answer, body: { ...answer.body, message } }
}

/** An operator asks for what their role does not reach (K10). */
export function beyondRole(what: string, needed: OperatorRole, held: OperatorRole): ErrorAnswer {
  const answer = errorAnswerOf({ code: 'api_key_not_allowed' })
  return saying(answer, `${what} needs the role ${needed}; this token has the role ${held}.`)
}

/** Something of a request that does not have its form. */
export interface Fault {
  /** Where, dotted. */
  readonly path: string
  /** What was given there, and what is expected. */
  readonly fault: string
}

/** Characters of a path that are repeated to the caller: the name of an unknown field can be long. */
const LONGEST_PATH = 100
/** Faults that are told in words; the paths of the others are told. */
const MOST_IN_WORDS = 5

/** `validation_failed`, with what is wrong in words; `paths` of all that is at fault, where that is more than `faults`. */
export function malformed(
  faults: readonly Fault[],
  paths: readonly string[] = faults.map(({ path }) => path),
): ErrorAnswer {
  const code = 'validation_failed'
  const answer = errorAnswerOf({ code, details: paths.map(shortened) })
  const words = faults.slice(0, MOST_IN_WORDS).map(({ path, fault }) => `${shortened(path)}: ${fault}.`)
  return { ...answer, body: { ...answer.body, message: [ERRORS[code].meaning, ...words].join(' ') } }
}

function shortened(path: string): string {
  return path.slice(0, LONGEST_PATH)
}

/** The sentence of the code, and for malformed input where the fault is. */
function messageOf({ code, details }: Rejection): string {
  const { meaning } = ERRORS[code]
  return details === undefined || details.length === 0 ? meaning : `${meaning} See: ${details.join(', ')}`
}

/** The same of a platform command. */
export function commandRefusal(command: PlatformCommand, rejection: Rejection): string {
  return command.type === 'unfreezeAccount' && rejection.code === 'challenge_closed'
    ? 'The account is not frozen.'
    : messageOf(rejection)
}

export function rateLimitRejection(tripped: TrippedWindow, now: number): ErrorAnswer {
  const { bucket, window, limit, retryAt } = tripped
  const rejection = errorAnswerOf({ code: 'api_key_rate_limit_exceeded' })
  return {
    ...rejection,
    headers: { 'retry-after': String(retryAfterSeconds(retryAt, now)) },
    body: { ...rejection.body, bucket, window, limit, retryAt: formatInstant(retryAt) },
  }
}

/** Twenty wrong operator tokens (K10); `wait` in milliseconds. */
export function wrongTokensRejection(bucket: Bucket, now: number, wait: number): ErrorAnswer {
  return rateLimitRejection(
    { bucket, window: 'minute', limit: MOST_WRONG, retryAt: Math.ceil(now + wait) },
    now,
  )
}

/** Statuses a request may be refused with for its size or kind, before anything is read from it. */
const TRANSPORT_STATUSES = new Set([411, 413, 414, 415, 417, 431])

/** What else there is to say of it, where the place alone leaves one guessing. */
const WHAT_TO_SEND: Readonly<Record<number, string>> = {
  413: 'The body is too long.',
  415: 'The body has to be JSON in UTF-8: send Content-Type: application/json.',
}

/** A request that could not be read at all. */
export function transportErrorAnswer(status: number, detail: string): ErrorAnswer {
  const answer = errorAnswerOf(
    { code: 'validation_failed', details: [detail] },
    TRANSPORT_STATUSES.has(status) ? status : 400,
  )
  const message = WHAT_TO_SEND[status] ?? answer.body.message
  return { ...answer, body: { ...answer.body, message } }
}

/** No node owns the shard just now; `unknown`: one had begun, and died before it could tell. */
export function shardUnavailable(leaseMs: number, unknown = false): ErrorAnswer {
  const message = unknown
    ? 'The outcome is unknown: repeat the request under its idempotency key.'
    : 'The request could not be taken up just now: repeat it.'
  const answer = errorAnswerOf({ code: 'shard_unavailable' })
  const headers = { 'retry-after': String(Math.ceil(leaseMs / 1_000)) }
  return { ...answer, headers, body: { ...answer.body, message } }
}

/** The host itself is at fault; nothing of why is told to the caller. */
export function internalError(): ErrorAnswer {
  const body = { statusCode: 500, message: 'The request could not be answered.', error: 'internal_error' }
  return { status: 500, headers: {}, body }
}
