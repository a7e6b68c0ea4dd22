/** What a client throws of an answer that is not the one it asked for. */
import type { ErrorBody } from './errorAnswer.ts'

/** An answer that is not the one asked for. Branch on `code`, never on the message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  readonly statusCode: number
  readonly body: ErrorBody
  /** Seconds to wait, when the rate limit refused. */
  readonly retryAfter: number | null

  constructor(body: ErrorBody, retryAfter: number | null) {
    super(`${body.error}: ${body.message}`)
    this.code = body.error
    this.statusCode = body.statusCode
    this.body = body
    this.retryAfter = retryAfter
  }
}

/** An answer that is not the one asked for, as what is thrown of it. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const retryAfter = response.headers.get('retry-after')
  return new ApiError(await errorBodyOf(response), retryAfter === null ? null : Number(retryAfter))
}

/** A proxy in between may answer with something else than the documented body. */
async function errorBodyOf(response: Response): Promise<ErrorBody> {
  const text = await response.text()
  try {
    const body = JSON.parse(text) as ErrorBody
    if (typeof body.error === 'string') return body
  } catch {
    // Not JSON: described below.
  }
  return { statusCode: response.status, error: 'unexpected_answer', message: text.slice(0, 200) }
}
