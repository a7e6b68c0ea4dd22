/** What a live run asks of its venue, and what is no answer of it. */
import { ApiError, type MarginTradingClient, VenueUnreachable } from '../../client/index.ts'
import { LiveError } from './liveError.ts'

/** The code of an answer that is none of the API's. */
const UNEXPECTED = 'unexpected_answer'

/** What only fails when something is wrong with the key, the account or the venue. @throws LiveError */
export async function askedOf<Answer>(client: MarginTradingClient, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    throw liveErrorOf(client, error)
  }
}

/** Whether the venue has said no, as against an answer that is none. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== UNEXPECTED
}

/** A failure of the client in the words of a run; anything else as it is. */
export function liveErrorOf({ baseUrl }: MarginTradingClient, error: unknown): unknown {
  if (error instanceof VenueUnreachable) return new LiveError(error.message, { cause: error })
  if (!(error instanceof ApiError)) return error
  const { request, code, statusCode, body } = error
  return isRefusal(error)
    ? new LiveError(`${baseUrl} refuses ${request} (${code}): ${body.message}`, { cause: error })
    : new LiveError(`${request}: the answer is none of the API's (status ${statusCode})`, { cause: error })
}
