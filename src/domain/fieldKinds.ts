/** Kinds of fields, and the check of an object against them. */
import { isFp9 } from '../quantity/fp9.ts'

/**
 * - `fp9`: any fp9 integer; `unsigned`: at least 0; `positive`: above 0
 * - `id`: text naming something; `text`: 1 to 255 characters; `key?`: the same, and empty means omitted (I4)
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

/** The path of the first field of `value` that is missing, unknown or of another kind; null when there is none. */
export function fieldFault(value: object, kinds: FieldKinds, discriminant?: string): string | null {
  const record = value as Record<string, unknown>
  for (const field in record) {
    if (field === discriminant) continue
    const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined
    if (kind === undefined) return field
    if (!isOfKind(record[field], kind)) return nestedFault(record[field], kind, field)
  }
  for (const field in kinds)
    if (record[field] === undefined && !isOfKind(undefined, kinds[field] as FieldKind)) return field
  return null
}

function nestedFault(value: unknown, kind: FieldKind, field: string): string {
  if (!isNested(kind) || typeof value !== 'object' || value === null) return field
  return `${field}.${fieldFault(value, kind)}`
}

function isNested(kind: FieldKind): kind is FieldKinds {
  return typeof kind === 'object' && !Array.isArray(kind)
}

function isOfKind(value: unknown, kind: FieldKind): boolean {
  if (typeof kind !== 'string') {
    if (isNested(kind)) return typeof value === 'object' && value !== null && fieldFault(value, kind) === null
    return kind.includes(value === undefined ? null : (value as string | null))
  }
  if (value === null || value === undefined) return kind.endsWith('?')
  switch (kind) {
    case 'fp9':
    case 'fp9?':
      return isFp9(value)
    case 'unsigned':
    case 'unsigned?':
      return isFp9(value) && value >= 0n
    case 'positive':
    case 'positive?':
      return isFp9(value) && value > 0n
    case 'id':
    case 'id?':
      return typeof value === 'string'
    case 'text':
    case 'text?':
      return typeof value === 'string' && value.length >= 1 && value.length <= 255
    case 'key?':
      return typeof value === 'string' && value.length <= 255
    case 'ms':
    case 'ms?':
    case 'count?':
      return Number.isSafeInteger(value) && (value as number) >= 0
    case 'flag':
    case 'flag?':
      return typeof value === 'boolean'
    case 'categories?':
      return Array.isArray(value) && value.every((category) => category === 'crypto' || category === 'rwa')
  }
}
