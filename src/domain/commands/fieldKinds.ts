/** Kinds of fields, and the check of an object against them. */
import { isFp9 } from '../../quantity/fp9.ts'

/**
 * - `fp9`: any fp9 integer; `unsigned`: at least 0; `positive`: above 0
 * - `id`: text naming something; `text`: 1 to 255 characters; `key?`: the same, and empty means omitted (I4)
 * - `digest`: 64 hexadecimal digits, lower case
 * - `ms`: a whole number of milliseconds, at least 0; `count`: a whole number, at least 0
 * - a list: one of its values; null in it makes the field optional
 * - an object: a nested object with these fields
 * - `?`: may be null or omitted
 */
export type FieldKind =
  | 'fp9'
  | 'fp9?'
  | 'unsigned'
  | 'unsigned?'
  | 'positive'
  | 'positive?'
  | 'id'
  | 'id?'
  | 'text'
  | 'text?'
  | 'key?'
  | 'digest?'
  | 'ms'
  | 'ms?'
  | 'count?'
  | 'flag'
  | 'flag?'
  | 'categories?'
  | readonly (string | null)[]
  | FieldKinds

export interface FieldKinds {
  readonly [field: string]: FieldKind
}

/** A kind for every field of a type: none can be forgotten. */
export type KindsOf<T> = { readonly [Field in keyof T]-?: FieldKind }

/** The check of an object against its kinds, prepared once because commands come by the million. */
export class FieldCheck {
  readonly #tests = new Map<string, FieldTest>()
  readonly #required: readonly string[]

  constructor(kinds: FieldKinds) {
    for (const [field, kind] of Object.entries(kinds)) this.#tests.set(field, testOf(kind))
    this.#required = Object.keys(kinds).filter((field) => !this.#tests.get(field)?.holds(undefined))
  }

  /** The path of the first field of `value` that is missing, unknown or of another kind; null when there is none. */
  fault(value: object, discriminant?: string): string | null {
    const record = value as Record<string, unknown>
    for (const field in record) {
      if (field === discriminant) continue
      const test = this.#tests.get(field)
      if (test === undefined) return field
      const given = record[field]
      if (!test.holds(given)) return test.nested === null ? field : nestedFault(given, test.nested, field)
    }
    for (const field of this.#required) if (record[field] === undefined) return field
    return null
  }
}

interface FieldTest {
  readonly holds: (value: unknown) => boolean
  /** The check of a nested object; null for plain kinds. */
  readonly nested: FieldCheck | null
}

function nestedFault(value: unknown, nested: FieldCheck, field: string): string {
  if (typeof value !== 'object' || value === null) return field
  return `${field}.${nested.fault(value)}`
}

function testOf(kind: FieldKind): FieldTest {
  if (typeof kind === 'string') return { holds: predicateOf(kind), nested: null }
  if (isList(kind)) return { holds: oneOf(kind), nested: null }
  const nested = new FieldCheck(kind)
  return {
    holds: (value) => typeof value === 'object' && value !== null && nested.fault(value) === null,
    nested,
  }
}

function isList(kind: readonly (string | null)[] | FieldKinds): kind is readonly (string | null)[] {
  return Array.isArray(kind)
}

function oneOf(values: readonly (string | null)[]): (value: unknown) => boolean {
  const known = new Set<unknown>(values)
  return (value) => known.has(value === undefined ? null : value)
}

function predicateOf(kind: Extract<FieldKind, string>): (value: unknown) => boolean {
  const optional = kind.endsWith('?')
  const holds = plainPredicateOf((optional ? kind.slice(0, -1) : kind) as PlainKind)
  return optional ? (value) => value === null || value === undefined || holds(value) : holds
}

type WithoutMark<Kind extends string> = Kind extends `${infer Plain}?` ? Plain : Kind

type PlainKind = WithoutMark<Extract<FieldKind, string>>

function plainPredicateOf(kind: PlainKind): (value: unknown) => boolean {
  switch (kind) {
    case 'fp9':
      return isFp9
    case 'unsigned':
      return (value) => isFp9(value) && value >= 0n
    case 'positive':
      return (value) => isFp9(value) && value > 0n
    case 'id':
      return (value) => typeof value === 'string'
    case 'text':
      return (value) => typeof value === 'string' && value.length >= 1 && value.length <= 255
    case 'key':
      return (value) => typeof value === 'string' && value.length <= 255
    case 'digest':
      return (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
    case 'ms':
    case 'count':
      return (value) => Number.isSafeInteger(value) && (value as number) >= 0
    case 'flag':
      return (value) => typeof value === 'boolean'
    case 'categories':
      return (value) => Array.isArray(value) && value.every((one) => one === 'crypto' || one === 'rwa')
  }
}
