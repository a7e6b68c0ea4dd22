/** Whether a configuration has the form of its schema, and where not, what was expected there. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Check } from 'typebox/value'
import type { Quantity } from '../terms/fieldKinds.ts'
import { VenueFile } from './configurationSchema.ts'
import { anyOf } from './expectedForm.ts'
import { FieldFault, missingKey, otherForm, unknownKey } from './fieldsFromJson.ts'

/** A schema of the configuration, as the JSON that it is. */
export interface Schema {
  readonly type?: string
  readonly description?: string
  readonly default?: string
  /** What it may hold, in words. */
  readonly form?: string
  readonly quantity?: Quantity
  readonly writeOnly?: boolean
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Fields
}

type Fields = Readonly<Record<string, Schema>>

/** The schema of the whole. */
export const VENUE_SCHEMA = VenueFile as Schema

const venueFile = Compile(VenueFile)

/** @throws FieldFault for the first key that has another form. */
export function requireVenueFile(json: unknown): asserts json is VenueFile {
  if (!venueFile.Check(json)) throw faultIn(VENUE_SCHEMA, json, '')
}

/** The first fault of a value that has another form than its schema asks for. */
function faultIn(schema: Schema, json: unknown, path: string): FieldFault {
  const { form, writeOnly, items, properties } = sectionFor(schema, json, path)
  if (properties !== undefined && typeof json === 'object' && json !== null && !Array.isArray(json))
    return faultInFields(properties, json, path)
  if (items !== undefined && Array.isArray(json)) {
    const at = json.findIndex((item) => !Check(items as TSchema, item))
    return faultIn(items, json[at], `${path}[${at}]`)
  }
  if (writeOnly === true) return new FieldFault(path, `expected: ${form}`)
  return otherForm(path || 'the file', json, form as string)
}

function faultInFields(properties: Fields, json: object, path: string): FieldFault {
  const within = (field: string) => (path === '' ? field : `${path}.${field}`)
  for (const [field, value] of Object.entries(json)) {
    const schema = Object.hasOwn(properties, field) ? properties[field] : undefined
    if (schema === undefined) return unknownKey(within(field), Object.keys(properties))
    if (!Check(schema as TSchema, value)) return faultIn(schema, value, within(field))
  }
  const [field = '', schema] =
    Object.entries(properties).find(
      ([name, { anyOf }]) => anyOf === undefined && !Object.hasOwn(json, name),
    ) ?? []
  return missingKey(within(field), schema?.form ?? '')
}

/** What a value may be beside null: mostly one thing, of a feed one of several. */
export function sectionsOf({ anyOf: among, ...schema }: Schema): readonly Schema[] {
  return among === undefined ? [schema] : among.flatMap(sectionsOf).filter(({ type }) => type !== 'null')
}

/** Of several sections the one whose kind the value names. */
function sectionFor(schema: Schema, json: unknown, path: string): Schema {
  const among = sectionsOf(schema)
  const [only] = among
  if (among.length === 1) return only as Schema
  const kindOf = ({ properties }: Schema) => properties?.kind?.const
  const { kind } = (json ?? {}) as { readonly kind?: unknown }
  const named = among.find((one) => kindOf(one) === kind)
  if (named === undefined)
    throw otherForm(`${path}.kind`, kind, anyOf(among.map((one) => String(kindOf(one)))))
  return named
}
