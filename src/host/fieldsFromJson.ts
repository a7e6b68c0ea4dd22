/**
 * From JSON to the objects of the command bus, along the engine's own table of fields: fp9 strings become bigints, ids
 * lower case, instants epoch milliseconds. What the values mean is the engine's to judge.
 */
import { parseFp9 } from '../quantity/fp9.ts'
import {
  type FieldKind,
  type FieldKinds,
  fieldsIn,
  isNested,
  isOptional,
  isQuantity,
  isSetName,
  type KindParts,
  partsOf,
  type Quantity,
  type Stem,
} from '../terms/fieldKinds.ts'
import { testOf } from '../terms/fieldValues.ts'
import { expectedForm, shown } from './expectedForm.ts'
import { parseInstant } from './instant.ts'
import { fp9Form } from './writtenQuantity.ts'

/** A field is missing, unknown or of another kind. */
export class FieldFault extends Error {
  override readonly name = 'FieldFault'
  /** Where, as `markets[0].spread`. */
  readonly path: string
  /** What is wrong there, without its path. */
  readonly fault: string

  constructor(path: string, fault: string) {
    super(`${path}: ${fault}`)
    this.path = path
    this.fault = fault
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** How quantities are written where an object comes from. */
export interface QuantityReader {
  /** Undefined where it is none. @throws FieldFault that says why */
  readonly read: (json: unknown, kind: KindParts, path: string) => bigint | undefined
  /** What it reads, for people. */
  readonly form: (quantity: Quantity) => string
}

/** Of the wire: fp9 integers and nothing else; their bounds are the engine's to judge. */
const FP9: QuantityReader = { read: parseFp9, form: fp9Form }

/**
 * An object with these fields and no others; `T` is the type whose fields `kinds` lists. `path` names it in faults, and
 * quantities are fp9 strings unless `quantities` reads others.
 *
 * @throws FieldFault
 */
export function objectFromJson<T = object>(
  json: unknown,
  kinds: FieldKinds,
  path: string,
  quantities: QuantityReader = FP9,
): T {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new FieldFault(path, `is ${shown(json)}, an object is expected`)
  const read: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(json)) {
    const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined
    if (kind === undefined) throw unknownKey(within(path, field), Object.keys(kinds))
    read[field] = valueFromJson(value, kind, within(path, field), quantities)
  }
  for (const [field, kind] of Object.entries(kinds))
    if (!(field in read) && !isOptional(kind))
      throw missingKey(within(path, field), expectedForm(kind, quantities.form))
  return read as T
}

export function unknownKey(path: string, known: readonly string[]): FieldFault {
  const which = known.length === 0 ? 'nor any other' : `only ${known.join(', ')}`
  return new FieldFault(path, `there is no such key here, ${which}`)
}

export function missingKey(path: string, expected: string): FieldFault {
  return new FieldFault(path, `is missing; expected: ${expected}`)
}

function within(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`
}

function valueFromJson(json: unknown, kind: FieldKind, path: string, quantities: QuantityReader): unknown {
  if (json === null && isOptional(kind)) return null
  if (isNested(kind)) return objectFromJson(json, fieldsIn(kind), path, quantities)
  const parts = partsOf(kind)
  const { stem } = parts
  const value = isQuantity(stem) ? quantities.read(json, parts, path) : readingOf(stem)(json)
  if (value === undefined) throw otherForm(path, json, expectedForm(kind, quantities.form))
  return value
}

export function otherForm(path: string, json: unknown, expected: string): FieldFault {
  return new FieldFault(path, `is ${shown(json)}; expected: ${expected}`)
}

/** Reads a value of this kind; undefined where it is of another. */
function readingOf(stem: Exclude<Stem, Quantity>): (json: unknown) => unknown {
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
