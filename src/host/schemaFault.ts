/** What is wrong with a part of a request, in words: what was given, and what its schema expects there. */
import type { TSchema } from 'typebox'
import { isQuantity, type Stem } from '../terms/fieldKinds.ts'
import { anyOf, JSON_FORMS } from './expectedForm.ts'
import { FieldFault, missingKey, otherForm, unknownKey } from './fieldsFromJson.ts'
import { fp9Form } from './writtenQuantity.ts'

/** A schema of a request, as the JSON that it is. */
interface Schema {
  readonly title?: string
  readonly type?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly (string | number)[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly minimum?: number
  readonly maxItems?: number
}

/** Where a path leads: the schema there, none for a field that is not known, and the object that the last step was made from. */
interface Place {
  readonly schema: Schema | undefined
  readonly value: unknown
  readonly parent: Schema | null
  readonly isMissing: boolean
}

/** The fault of a value at these keys, empty for the whole of it. A key that stands in another place is not repeated. */
export function faultAt(schema: TSchema, value: unknown, keys: readonly string[]): FieldFault {
  const path = keys.join('.') || 'body'
  const { schema: expected, value: given, parent, isMissing } = placeOf(schema as Schema, value, keys)
  if (expected === undefined) return unknownKey(path, Object.keys(parent?.properties ?? {}))
  const form = formOf(expected)
  if (isMissing) return missingKey(path, form)
  if (isKey(given)) return new FieldFault(path, `expected: ${form}`)
  return otherForm(path, given, form)
}

function placeOf(schema: Schema, value: unknown, keys: readonly string[]): Place {
  let place: Place = { schema, value, parent: null, isMissing: false }
  for (const key of keys) {
    const parent = place.schema && containerIn(place.schema)
    const isMissing =
      typeof place.value !== 'object' || place.value === null || !Object.hasOwn(place.value, key)
    place = {
      schema: parent?.items ?? own(parent?.properties, key),
      value: isMissing ? undefined : (place.value as Readonly<Record<string, unknown>>)[key],
      parent: parent ?? null,
      isMissing,
    }
  }
  return place
}

function own(fields: Schema['properties'] = {}, name: string): Schema | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** Of what a value may be, what has parts. */
function containerIn(schema: Schema): Schema | undefined {
  return [schema, ...(schema.anyOf ?? [])].find(
    ({ items, properties }) => (items ?? properties) !== undefined,
  )
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('mtk_')
}

/** What fits a schema, for people; null, where it may be, is not told. */
function formOf(schema: Schema): string {
  const { title = '', type, description, const: only, enum: words, anyOf: among } = schema
  if (among !== undefined)
    return among
      .filter((one) => one.type !== 'null')
      .map(formOf)
      .join(', or ')
  const stem = title.toLowerCase() as Stem
  if (isQuantity(stem)) return fp9Form(stem)
  if (title === 'Uuid') return JSON_FORMS.id
  if (title === 'Instant') return JSON_FORMS.instant
  if (words !== undefined) return anyOf(words)
  if (only !== undefined) return JSON.stringify(only)
  switch (type) {
    case 'boolean':
      return JSON_FORMS.flag
    case 'integer':
      return `a whole number, at least ${schema.minimum}`
    case 'array':
      return `a list of at most ${schema.maxItems} items`
    case 'object':
      return 'an object'
    default:
      return textForm(description)
  }
}

/** What a pattern or a length asks of a text is what the first sentence of its description says. */
function textForm(description = 'A text.'): string {
  const [sentence = ''] = description.split(/\.(?: |$)/)
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}
