/** Where two answers differ. Ids may be others: what has to agree is which are the same. */
import type { Answer, Difference } from './exchange.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const EMITTED = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Which id of the model is which id of the host: one for one. */
export class Pairs {
  readonly #got = new Map<string, string>()
  readonly #expected = new Map<string, string>()

  /** An id that is the same on both sides. */
  same(id: string): void {
    this.#got.set(id, id)
    this.#expected.set(id, id)
  }

  /** Whether these two can be one thing; if neither has been seen, they are from here on. An id has its form (A4). */
  agree(expected: string, got: unknown): boolean {
    if (typeof got !== 'string') return false
    const paired = this.#got.get(expected)
    if (paired !== undefined || this.#expected.has(got)) return paired === got
    if (!EMITTED.test(got)) return false
    this.#got.set(expected, got)
    this.#expected.set(got, expected)
    return true
  }
}

/** What people read, what counts the commits of one host, what is a host's own wording. */
const NOT_COMPARED = new Set(['message', 'seq', 'details'])

/** Everything in which the answer of a host differs from the one expected. */
export function differencesOf(expected: Answer, got: Answer, pairs: Pairs): Difference[] {
  const found: Difference[] = []
  const tell = (path: string, one: unknown, other: unknown) =>
    found.push({ path, field: path.slice(path.lastIndexOf('.') + 1), expected: one, got: other })
  const look = (path: string, one: unknown, other: unknown): void => {
    if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length !== other.length) tell(`${path}.length`, one.length, other.length)
      for (let at = 0; at < Math.min(one.length, other.length); at += 1)
        look(`${path}.${at}`, one[at], other[at])
    } else if (isRecord(one) && isRecord(other)) {
      for (const field of Object.keys(one))
        if (!NOT_COMPARED.has(field)) look(`${path}.${field}`, one[field], other[field])
      if (isClosed(one))
        for (const field of Object.keys(other))
          if (!(field in one) && !NOT_COMPARED.has(field)) tell(`${path}.${field}`, undefined, other[field])
    } else if (typeof one === 'string' && UUID.test(one)) {
      if (!pairs.agree(one, other)) tell(path, one, other)
    } else if (one !== other) tell(path, one, other)
  }
  look('status', expected.status, got.status)
  look('headers', expected.headers, got.headers)
  look('body', expected.body, got.body)
  return found
}

/** Orders, positions, pages and errors have their fields and no others; the rest may say more (C13, I16). */
function isClosed(record: Record<string, unknown>): boolean {
  return 'trader' in record || 'totalCount' in record || 'statusCode' in record
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
