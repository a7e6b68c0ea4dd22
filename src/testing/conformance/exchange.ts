/**
 * Requests that can be put to any host. What a host names by itself, the ids of orders and positions, is written as the
 * place where it was answered: `{buy.id}` is the field `id` of the answer to the step labelled `buy`.
 */

/** Who asks: the operator, two traders that are different users where two keys were given, somebody without a key. */
export type Asker = 'operator' | 'trader' | 'other' | 'nobody'

/** One request. Texts may hold names in braces: of the stage (`{account}`), of earlier answers (`{buy.id}`). */
export interface Step {
  /** Names the answer for later steps. */
  readonly label: string
  readonly as: Asker
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Values, or a text that is sent as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Of a list, only what has an id of the stage in this field is compared: a host may hold other things beside it. */
  readonly among?: string
}

/** What a host answered. */
export interface Answer {
  /** Of HTTP. */
  readonly status: number
  /** Those that the interface says something about. */
  readonly headers: Readonly<Record<string, string>>
  /** Null where it is not JSON. */
  readonly body: unknown
}

/** A step, what the model of this package answers, what the host answered, and where they differ. */
export interface Exchange {
  readonly step: Step
  readonly expected: Answer
  readonly got: Answer
  readonly differences: readonly Difference[]
}

/** A place at which two answers differ. */
export interface Difference {
  /** Such as `body.0.margin`; `status` for the status of the answer. */
  readonly path: string
  /** The last name of the path. */
  readonly field: string
  readonly expected: unknown
  /** Undefined where there is nothing. */
  readonly got: unknown
}

/** What the names in braces stand for. */
export type Lookup = (name: string) => unknown

/** A value with all names in it replaced; a text that is nothing but a name becomes what it stands for. */
export function withNames(value: unknown, lookup: Lookup): unknown {
  if (typeof value === 'string') {
    const whole = /^\{([^{}"]+)\}$/.exec(value)?.[1]
    return whole === undefined ? textWithNames(value, lookup) : lookup(whole)
  }
  if (Array.isArray(value)) return value.map((item) => withNames(item, lookup))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, held]) => [field, withNames(held, lookup)]))
}

/** A text with the names in it replaced. */
export function textWithNames(text: string, lookup: Lookup): string {
  return text.replaceAll(/\{([\w.]+)\}/g, (_, name: string) => String(lookup(name)))
}

/** The place in a JSON value; undefined where there is none. */
export function placeIn(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (held, name) =>
      typeof held === 'object' && held !== null ? (held as Record<string, unknown>)[name] : undefined,
    value,
  )
}
