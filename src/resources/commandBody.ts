/** Bodies that carry the fields of a command: their schema and their reading, both from the table of commands. */
import type { TUnsafe } from 'typebox'
import {
  type FieldKind,
  type FieldKinds,
  isNested,
  isQuantity,
  type KindsOf,
  partsOf,
  type Stem,
} from '../terms/fieldKinds.ts'
import { type Documented, fieldSchemas } from './commandFields.ts'
import { closed } from './fields.ts'

/** What a body says for the fields of a command: quantities are fp9 strings. */
export type Said<Fields> = { readonly [Field in keyof Fields]: InJson<Fields[Field]> }
type InJson<Value> = Value extends bigint ? string : Value

export interface CommandBody<Fields, Body> {
  readonly schema: TUnsafe<Body>
  /** What is known of the command without its body, with what the body says, which the schema has let through. */
  readonly addTo: <Known extends object>(known: Known, body: Body) => Known & Fields
}

/** What the API description says of a body. */
interface BodyTerms {
  readonly title: string
  readonly description: string
  readonly examples: readonly object[]
  /** Where the meanings of its fields are. */
  readonly documented: Documented
  /** Of the fields that are called otherwise in the body. */
  readonly names?: Readonly<Record<string, string>>
}

export function commandBody<Fields, Body = Said<Fields>>(
  kinds: FieldKinds & KindsOf<Fields>,
  { documented, names = {}, title, description, examples }: BodyTerms,
): CommandBody<Fields, Body> {
  const schemas = Object.entries(fieldSchemas(kinds, documented))
  const schema = closed(
    Object.fromEntries(schemas.map(([field, schema]) => [names[field] ?? field, schema])),
    { title, description, examples: [...examples] },
  )
  const fields = Object.entries<FieldKind>(kinds)
  const read = fields.map(([field, kind]) => readingOf(field, kind))
  // Compiled, as the codecs are: an object whose fields are added in a loop takes six times as long.
  const parts = fields.map(([field], at) => {
    const said = names[field] ?? field
    return `${field}: b.${said} == null ? null : read[${at}](b.${said})`
  })
  const addTo = new Function('read', `return (known, b) => Object.assign({ ${parts.join(', ')} }, known)`)
  return {
    // Whoever names the body's type knows more of the schema than the compiler can of what a table gives.
    schema: schema as unknown as TUnsafe<Body>,
    addTo: addTo(read),
  }
}

/** What is made of a field of a kind where it was found valid. */
function readingOf(field: string, kind: FieldKind): (json: string) => unknown {
  if (isNested(kind)) throw new TypeError(`${field} is an object`)
  const stem: Stem = partsOf(kind).stem
  if (isQuantity(stem)) return BigInt
  return stem === 'id' ? (json) => json.toLowerCase() : (json) => json
}
