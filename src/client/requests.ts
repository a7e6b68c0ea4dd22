/** Requests with a token: their answers, and the patience that was asked for. */
import { ApiError, refusalOf } from './apiError.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * What is waited out. A rate limit always is, for as long as the venue says; a lost connection and a venue that is away
 * (502, 503, 504) only where asking again cannot do anything twice: a reading, an order under an idempotency key, which the
 * venue answers as it did the first time (I4), or closing everything, which then finds nothing.
 */
export interface RetryOptions {
  /** Times a request is sent at most; at least 1, default 5. */
  readonly attempts?: number
  /** After so long without an answer a request counts as lost, ms; default 30 s, also where nothing is repeated. */
  readonly answerMs?: number
  /** Waits so many ms; default: by the clock. */
  readonly wait?: (ms: number) => Promise<void>
  /** Told before each wait how many ms it takes, and why. */
  readonly onWait?: (ms: number, why: string) => void
  /** Once it has fired nothing is sent again, and an answer that is still out is waited for three seconds more at most. Default: never. */
  readonly giveUp?: AbortSignal
}

/** There was no answer, and what was asked may have been done or not. The cause is what `fetch` threw. */
export class VenueUnreachable extends Error {
  override readonly name = 'VenueUnreachable'
  /** What was asked, such as `POST /orders`. */
  readonly request: string

  constructor(baseUrl: string, request: string, cause: unknown) {
    const fate = request.startsWith('GET ') ? '' : `; whether ${request} was done is not known`
    super(`${baseUrl} cannot be reached${fate}`, { cause })
    this.request = request
  }
}

class NoAnswer extends Error {
  override readonly name = 'NoAnswer'

  constructor(ms: number) {
    super(`no answer within ${ms / 1_000} s`)
  }
}

/** What goes with a request. */
interface Sent {
  readonly body?: object
  readonly idempotencyKey?: string
  /** Which version of what it changes it is for. */
  readonly version?: number
  /** Whether asking again cannot do anything twice. */
  readonly isRepeatable: boolean
  /** Not sent again later than so many ms after it was first; without it as often as attempts say. */
  readonly withinMs?: number
}

/** The wait after a connection was lost for the first time, ms; each that follows is twice as long, up to the longest. */
const [LOST_MS, LONGEST_LOST_MS] = [1_000, 16_000]
/** The wait where a venue limits requests and names no number of seconds, ms. */
const LIMITED_MS = 1_000
const AWAY = new Set([502, 503, 504])

/** After so long without an answer a request is lost, ms. */
const ANSWER_MS = 30_000

/** The same of an answer that is out when patience is given up, ms. */
const GIVEN_UP_MS = 3_000

/** A timer of more fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647

type Patience = Required<Omit<RetryOptions, 'giveUp'>> & Pick<RetryOptions, 'giveUp'>

/** Asks once where no patience was asked for. */
const NO_PATIENCE: Patience = {
  attempts: 1,
  answerMs: ANSWER_MS,
  wait: async () => {},
  onWait: () => {},
}

const PATIENCE: Patience = {
  attempts: 5,
  answerMs: ANSWER_MS,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  onWait: () => {},
}

export class Requests {
  readonly baseUrl: string
  readonly token: string
  readonly #fetch: typeof fetch
  readonly #retry: Patience
  /** A venue that has never answered is not waited for: its address is wrong. */
  #isKnown = false

  constructor(baseUrl: string, token: string, send: typeof fetch, retry: RetryOptions | null) {
    this.baseUrl = baseUrl.replace(/\/+$/, '')
    this.token = token
    // A browser's own refuses to be called as a method of anything else.
    this.#fetch = (input, init) => send(input, init)
    this.#retry = retry === null ? NO_PATIENCE : { ...PATIENCE, ...retry }
  }

  /** The body of the answer. @throws ApiError, VenueUnreachable */
  async send(method: Method, at: string, sent: Sent): Promise<unknown> {
    const { isRepeatable, withinMs = Number.POSITIVE_INFINITY } = sent
    let left = withinMs
    for (let attempt = 1; ; attempt++) {
      const sentAt = performance.now()
      try {
        return await this.#once(method, at, sent)
      } catch (error) {
        left -= performance.now() - sentAt
        const pause = attempt < this.#retry.attempts ? this.#pauseAfter(error, attempt, isRepeatable) : null
        if (pause === null || pause.ms > left) throw error
        left -= pause.ms
        if (this.#isGivenUp) throw error
        this.#retry.onWait(pause.ms, pause.why)
        await this.#retry.wait(pause.ms)
        if (this.#isGivenUp) throw error
      }
    }
  }

  /** An answer without end, read by whoever asks. @throws ApiError, and what `fetch` throws */
  async open(at: string, signal: AbortSignal): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}` }
    const response = await this.#fetch(this.baseUrl + at, { headers, signal })
    if (response.ok) return response
    throw refusalOf(response, await response.text(), `GET ${at}`)
  }

  /** A connection that ends within the answer is lost as one that ends before it. */
  async #once(method: Method, at: string, { body, idempotencyKey, version }: Sent): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'x-idempotency-key': idempotencyKey }),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    }
    const giving = new AbortController()
    const init = {
      method,
      headers,
      signal: giving.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const request = `${method} ${at}`
    let response: Response
    let text: string
    // A timer that keeps the process: Node's own of `AbortSignal.timeout` does not, and where a connection was closed before a word
    // was said `fetch` never settles on Node 20. A bot would end without one.
    const within = (ms: number) => setTimeout(() => giving.abort(new NoAnswer(ms)), ms)
    const answerMs = Math.min(this.#retry.answerMs, LONGEST_TIMER_MS)
    const lastMs = Math.min(answerMs, GIVEN_UP_MS)
    let lost = within(this.#isGivenUp ? lastMs : answerMs)
    const hurry = () => {
      clearTimeout(lost)
      lost = within(lastMs)
    }
    this.#retry.giveUp?.addEventListener('abort', hurry)
    try {
      response = await this.#fetch(this.baseUrl + at, init)
      text = await response.text()
    } catch (cause) {
      throw new VenueUnreachable(this.baseUrl, request, cause)
    } finally {
      clearTimeout(lost)
      this.#retry.giveUp?.removeEventListener('abort', hurry)
    }
    this.#isKnown = true
    if (!response.ok) throw refusalOf(response, text, request)
    try {
      return JSON.parse(text)
    } catch {
      throw refusalOf(response, text, request)
    }
  }

  get #isGivenUp(): boolean {
    return this.#retry.giveUp?.aborted === true
  }

  /** How long to wait and why; null where there is nothing to wait for. */
  #pauseAfter(error: unknown, attempt: number, isRepeatable: boolean): { ms: number; why: string } | null {
    const ms = Math.min(LOST_MS * 2 ** (attempt - 1), LONGEST_LOST_MS)
    if (error instanceof VenueUnreachable)
      return isRepeatable && this.#isKnown ? { ms, why: error.message } : null
    if (!(error instanceof ApiError)) return null
    const { statusCode, code, retryAfter } = error
    const named = retryAfter === null ? LIMITED_MS : retryAfter * 1_000
    if (statusCode === 429) return { ms: named, why: 'rate limited' }
    if (code === 'idempotency_key_in_flight') return { ms: named, why: 'the order is being placed' }
    return isRepeatable && AWAY.has(statusCode)
      ? { ms, why: `the venue is away (status ${statusCode})` }
      : null
  }
}
