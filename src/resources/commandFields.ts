/** The fields of commands as JSON schemas, from the table of commands: what they hold, and what they mean. */
import { type TSchema, Type } from 'typebox'
import { CLOSED_SETS } from '../terms/closedSets.ts'
import {
  type FieldKind,
  type FieldKinds,
  fieldsIn,
  isNested,
  isQuantity,
  isSetName,
  type KindParts,
  partsOf,
  type Quantity,
  type SetName,
  type Stem,
} from '../terms/fieldKinds.ts'
import {
  amount,
  base,
  closed,
  count,
  flag,
  instant,
  leverage,
  oneOf,
  optional,
  price,
  quote,
  rate,
  uuid,
} from './fields.ts'
import { MEANINGS } from './meanings.ts'

/** A command, or a part of one, whose fields have a meaning written down. */
export type Documented = keyof typeof MEANINGS

/** A schema for each field; fields that are left to choice may be null too (A6). */
export function fieldSchemas(kinds: FieldKinds, documented: Documented): Record<string, TSchema> {
  const meanings: Readonly<Record<string, string>> = MEANINGS[documented]
  return Object.fromEntries(
    Object.entries<FieldKind>(kinds).map(([field, kind]) => {
      const meaning = meanings[field]
      if (meaning === undefined) throw new TypeError(`nothing says what ${field} means`)
      return [field, fieldSchema(field, kind, meaning)]
    }),
  )
}

const TITLES = { market: 'MarketConfiguration', account: 'AccountConfiguration' } as const

function fieldSchema(field: string, kind: FieldKind, meaning: string): TSchema {
  if (isNested(kind)) return configurationSchema(field as keyof typeof TITLES, fieldsIn(kind))
  const parts = partsOf(kind)
  const schema = schemaOf(parts, meaning)
  return parts.isOptional ? optional(schema) : schema
}

function configurationSchema(documented: keyof typeof TITLES, kinds: FieldKinds): TSchema {
  const description = MEANINGS[documented]['']
  return closed(fieldSchemas(kinds, documented), { title: TITLES[documented], description })
}

const QUANTITIES: { readonly [Name in Quantity]: (meaning: string) => TSchema } = {
  quote,
  base,
  price,
  rate,
  leverage,
  amount,
}

const OTHERS: { readonly [Name in Exclude<Stem, Quantity | SetName>]: (meaning: string) => TSchema } = {
  id: uuid,
  instant,
  ms: (meaning) => count(meaning.includes('illiseconds') ? meaning : `${meaning} (milliseconds)`),
  count,
  flag,
  text: (description) => Type.String({ minLength: 1, maxLength: 255, description }),
  key: (description) => Type.String({ maxLength: 255, description }),
  digest: (description) => Type.String({ pattern: '^[0-9a-fA-F]{64}$', description }),
  categories: (description) =>
    Type.Array(oneOf(CLOSED_SETS.marketCategory, 'A category of markets.'), { description }),
}

function schemaOf({ stem }: KindParts, meaning: string): TSchema {
  if (isQuantity(stem)) return QUANTITIES[stem](meaning)
  return isSetName(stem) ? oneOf(CLOSED_SETS[stem].map(String), meaning) : OTHERS[stem](meaning)
}
