/** A small client of the Margin Trading API: requests with a key, answers as values, patience where the venue asks for it. */

import { engineNames } from '../../projections/wire.ts'
import { parseFp9 } from '../../quantity/fp9.ts'
import type { ErrorCode, Rejection } from '../../terms/errors.ts'
import type { ActionResult } from '../strategy/strategy.ts'

/** The venue cannot be talked to: no connection, or an answer that is not the API's. */
export class LiveError extends Error {
  override readonly name = 'LiveError'
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Times a rate limit, or a lost connection, is waited out before a request is given up. */
const PATIENCE = 5
const LOST_MS = 1_000

/** What a client tells whoever watches it. */
export interface ApiListeners {
  /** It waits before it asks again, and why: a rate limit, or a connection that was lost. */
  readonly onWait?: (ms: number, why: string) => void
}

/** The Margin Trading API as a strategy asks it: with its key, its rate limits and its errors. */
export class TradingApi {
  readonly #url: string
  readonly #key: string
  readonly #sleep: (ms: number) => Promise<void>
  readonly #onWait: NonNullable<ApiListeners['onWait']>
  /** A venue that has never answered is not waited for: its address is wrong. */
  #reached = false

  /** `sleep` waits; a test may not want to. */
  constructor(
    url: string,
    key: string,
    sleep: (ms: number) => Promise<void>,
    { onWait = () => {} }: ApiListeners = {},
  ) {
    this.#onWait = onWait
    this.#url = url.replace(/\/+$/, '')
    this.#key = key
    this.#sleep = sleep
  }

  /**
   * A request, repeated after a rate limit. Where the connection is lost it is repeated as well if that cannot do anything
   * twice: a reading, or an order under an idempotency key, which the venue answers as it did the first time (I4).
   *
   * @throws LiveError where there is no answer, or none of the API's.
   */
  async send(
    method: Method,
    path: string,
    body?: object,
    idempotencyKey?: string,
  ): Promise<ActionResult<unknown>> {
    const { ok, status, text } = await this.#answered(method, path, body, idempotencyKey)
    const answer = parsed(text, status, path)
    return ok
      ? { ok: true, value: answer }
      : { ok: false, error: rejectionOf(refusalIn(answer, status, path)) }
  }

  /** What only fails when something is wrong with the key, the account or the venue. @throws LiveError */
  async read(path: string): Promise<unknown> {
    const { ok, status, text } = await this.#answered('GET', path)
    const answer = parsed(text, status, path)
    if (ok) return answer
    const { error, message } = refusalIn(answer, status, path)
    throw new LiveError(`${this.#url} refuses ${path} (${error})${message === '' ? '' : `: ${message}`}`)
  }

  /** The answer, once there is one that is not to be waited for. */
  async #answered(method: Method, path: string, body?: object, idempotencyKey?: string): Promise<Answer> {
    const isRepeatable = method === 'GET' || idempotencyKey !== undefined
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#fetch(method, path, body, idempotencyKey).catch(async (error: LiveError) => {
        if (!isRepeatable || !this.#reached || attempt >= PATIENCE) throw error
        const ms = LOST_MS * 2 ** (attempt - 1)
        this.#onWait(ms, error.message)
        await this.#sleep(ms)
        return null
      })
      if (answer === null) continue
      this.#reached = true
      const why = attempt < PATIENCE ? whyToWait(answer) : null
      if (why === null) return answer
      this.#onWait(answer.retryAfterMs, why)
      await this.#sleep(answer.retryAfterMs)
    }
  }

  /** One request with its whole answer: a connection that ends within the answer is lost as one that ends before it. */
  async #fetch(
    method: Method,
    path: string,
    body: object | undefined,
    idempotencyKey: string | undefined,
  ): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(idempotencyKey === undefined ? {} : { 'x-idempotency-key': idempotencyKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const content = body === undefined ? {} : { body: JSON.stringify(body, wireValue) }
    try {
      const response = await fetch(this.#url + path, { method, headers, ...content })
      const { ok, status } = response
      return { ok, status, retryAfterMs: retryAfterMs(response), text: await response.text() }
    } catch (cause) {
      const fate = method === 'GET' ? '' : `; whether ${method} ${path} was done is not known`
      throw new LiveError(`${this.#url} cannot be reached${fate}`, { cause })
    }
  }
}

/** Quantities travel as fp9 strings. */
function wireValue(_field: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

/** What came back, whole. */
interface Answer {
  readonly ok: boolean
  readonly status: number
  readonly retryAfterMs: number
  readonly text: string
}

/** A second where the venue names no number of seconds. */
function retryAfterMs({ headers }: Response): number {
  const seconds = headers.get('retry-after') ?? ''
  return /^\d+$/.test(seconds) ? 1_000 * Number(seconds) : 1_000
}

/** Why an answer is no answer yet: the venue limits requests, or the first one under the key is still being written. */
function whyToWait({ status, text }: Answer): string | null {
  if (status === 429) return 'rate limited'
  return status === 409 && text.includes('"idempotency_key_in_flight"') ? 'the order is being placed' : null
}

function parsed(text: string, status: number, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LiveError(`${path}: the answer is no JSON (status ${status})`, { cause })
  }
}

/** The body of a refusal. */
interface Refusal {
  readonly error: string
  /** For people; empty where it says nothing. */
  readonly message: string
  readonly details?: readonly string[]
}

function refusalIn(answer: unknown, status: number, path: string): Refusal {
  const { error, message, details } = (answer ?? {}) as Readonly<Record<string, unknown>>
  if (typeof error !== 'string') throw new LiveError(`${path}: status ${status} without an error code`)
  return {
    error,
    message: typeof message === 'string' ? message : '',
    ...(Array.isArray(details) && { details }),
  }
}

function rejectionOf({ error, details }: Refusal): Rejection {
  return { code: error as ErrorCode, ...(details !== undefined && { details }) }
}

/** Fields that are text however they look. */
const TEXTS = new Set(['baseAsset', 'ticker', 'status', 'reason', 'errorCode', 'closeReason'])
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** A record of the API as the engine has it: its own names, fp9 strings as integers, instants and durations as milliseconds. */
export function fromWire<T>(value: unknown): T {
  return revive(value, '') as T
}

function revive(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((item) => revive(item, field))
  if (typeof value === 'object' && value !== null) {
    const names = engineNames(value)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [names[key] ?? key, revive(item, key)]),
    )
  }
  if (typeof value !== 'string' || TEXTS.has(field)) return value
  if (INSTANT.test(value)) return Date.parse(value)
  const quantity = parseFp9(value)
  if (quantity === undefined) return value
  return field.endsWith('Ms') ? Number(quantity) : quantity
}
