/**
 * From JSON to the objects of the command bus, along the engine's own table of fields: fp9 strings become bigints, ids
 * lower case, instants epoch milliseconds. What the values mean is the engine's to judge.
 */
import { parseFp9 } from '../quantity/fp9.ts'
import {
  type FieldKind,
  type FieldKinds,
  isNested,
  isOptional,
  isQuantity,
  isSetName,
  partsOf,
  type Stem,
} from '../terms/fieldKinds.ts'
import { testOf } from '../terms/fieldValues.ts'
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
    read[field] = valueFromJson(value, kind, within(path, field))
  }
  for (const [field, kind] of Object.entries(kinds))
    if (!(field in read) && !isOptional(kind)) throw new FieldFault(within(path, field))
  return read as T
}

function within(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`
}

function valueFromJson(json: unknown, kind: FieldKind, path: string): unknown {
  if (isNested(kind)) return objectFromJson(json, kind, path)
  const parts = partsOf(kind)
  if (json === null && parts.isOptional) return null
  const value = readingOf(parts.stem)(json)
  if (value === undefined) throw new FieldFault(path)
  return value
}

/** Reads a value of this kind; undefined where it is of another. */
function readingOf(stem: Stem): (json: unknown) => unknown {
  if (isQuantity(stem)) return parseFp9
  if (isSetName(stem)) return asItIs(stem)
  switch (stem) {
    case 'id':
      return (json) =>
        typeof json === 'string' && UUID.test(json.toLowerCase()) ? json.toLowerCase() : undefined
    case 'digest':
      return (json) => (typeof json === 'string' ? asItIs(stem)(json.toLowerCase()) : undefined)
    case 'instant':
      return parseInstant
    case 'text':
    case 'key':
    case 'ms':
    case 'count':
    case 'flag':
    case 'categories':
      return asItIs(stem)
  }
}

/** What means the same in JSON and on the command bus. */
function asItIs(stem: Stem): (json: unknown) => unknown {
  const holds = testOf({ stem, bound: null, isOptional: false })
  return (json) => (holds(json) ? json : undefined)
}
