/**
 * From JSON to the objects of the command bus, along the engine's own table of fields: fp9 strings become bigints, ids
 * lower case, instants epoch milliseconds. What the values mean is the engine's to judge.
 */
import type { FieldKind, FieldKinds } from '../domain/commands/fieldKinds.ts'
import { parseFp9 } from '../quantity/fp9.ts'
import { parseInstant } from './instant.ts'

/** A field is missing, unknown or of another kind. */
export class FieldFault extends Error {
  override readonly name = 'FieldFault'
  /** Where, as `markets[0].spread`. */
  readonly path: string

  constructor(path: string) {
    super(`not understood: ${path}`)
    this.path = path
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * An object with these fields and no others; `T` is the type whose fields `kinds` lists. `path` names it in faults.
 *
 * @throws FieldFault
 */
export function objectFromJson<T = object>(json: unknown, kinds: FieldKinds, path: string): T {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new FieldFault(path)
  const read: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(json)) {
    const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined
    if (kind === undefined) throw new FieldFault(within(path, field))
    read[field] = valueFromJson(value, kind, field, within(path, field))
  }
  for (const [field, kind] of Object.entries(kinds))
    if (!(field in read) && !isOptional(kind)) throw new FieldFault(within(path, field))
  return read as T
}

function within(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`
}

function isOptional(kind: FieldKind): boolean {
  if (typeof kind === 'string') return kind.endsWith('?')
  return Array.isArray(kind) && kind.includes(null)
}

function valueFromJson(json: unknown, kind: FieldKind, field: string, path: string): unknown {
  if (typeof kind === 'object' && !Array.isArray(kind)) return objectFromJson(json, kind as FieldKinds, path)
  if (json === null && isOptional(kind)) return null
  const value = scalarFromJson(json, kind as string | readonly (string | null)[], field)
  if (value === undefined) throw new FieldFault(path)
  return value
}

/** Undefined where the value is not of its kind. */
function scalarFromJson(
  json: unknown,
  kind: string | readonly (string | null)[],
  field: string,
): string | bigint | number | boolean | readonly string[] | undefined {
  if (typeof kind !== 'string') return typeof json === 'string' && kind.includes(json) ? json : undefined
  switch (kind.replace('?', '')) {
    case 'fp9':
    case 'unsigned':
    case 'positive':
      return parseFp9(json)
    case 'id':
      return typeof json === 'string' && UUID.test(json.toLowerCase()) ? json.toLowerCase() : undefined
    case 'text':
      return typeof json === 'string' && json.length >= 1 && json.length <= 255 ? json : undefined
    case 'digest':
      return typeof json === 'string' && /^[0-9a-f]{64}$/i.test(json) ? json.toLowerCase() : undefined
    case 'ms':
    case 'count':
      return field.endsWith('At') ? parseInstant(json) : wholeNumber(json)
    case 'flag':
      return typeof json === 'boolean' ? json : undefined
    case 'categories':
      return Array.isArray(json) && json.every((item) => item === 'crypto' || item === 'rwa')
        ? json
        : undefined
    default:
      return undefined
  }
}

function wholeNumber(json: unknown): number | undefined {
  return Number.isSafeInteger(json) && (json as number) >= 0 ? (json as number) : undefined
}
