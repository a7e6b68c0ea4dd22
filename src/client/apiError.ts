/** What a client throws of an answer that is not the one it asked for. */
import type { ErrorBody } from '../resources/errorBody.ts'

/** An answer that is not the one asked for. Branch on `code`, never on the message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** `unexpected_answer` where it is none of the API's: a proxy in between may say anything. */
  readonly code: string
  /** Of HTTP. */
  readonly statusCode: number
  readonly body: ErrorBody
  /** Seconds to wait, when the rate limit refused. */
  readonly retryAfter: number | null
  /** What was asked, such as `POST /orders`. */
  readonly request: string
  /** `X-Request-Id` of the answer, which the venue's log names too; null where it has none. */
  readonly requestId: string | null

  constructor(body: ErrorBody, answer: Answered) {
    super(`${body.error}: ${body.message}`)
    this.code = body.error
    this.statusCode = body.statusCode
    this.body = body
    this.request = answer.request
    this.requestId = answer.requestId
    this.retryAfter = answer.retryAfter
  }
}

/** What an answer says beside its body. */
interface Answered {
  readonly request: string
  readonly requestId: string | null
  readonly retryAfter: number | null
}

/** An answer that is not the one asked for, as what is thrown of it. `request`: what it answers. */
export function refusalOf({ status, headers }: Response, text: string, request: string): ApiError {
  return new ApiError(errorBodyOf(status, text), {
    request,
    requestId: headers.get('x-request-id'),
    retryAfter: secondsOf(headers.get('retry-after')),
  })
}

/** A date, which HTTP allows as well, counts as none. */
function secondsOf(retryAfter: string | null): number | null {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
}

function errorBodyOf(statusCode: number, text: string): ErrorBody {
  try {
    const body = JSON.parse(text) as ErrorBody | null
    if (typeof body?.error === 'string') return { ...body, statusCode }
  } catch {
    // Not JSON: described below.
  }
  return { statusCode, error: 'unexpected_answer', message: text.slice(0, 200) }
}
