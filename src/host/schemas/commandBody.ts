/** Bodies that carry the fields of a command: their schema and their reading, both from the table of commands. */
import { type TSchema, type TUnsafe, Type } from 'typebox'
import { CLOSED_SETS } from '../../terms/closedSets.ts'
import {
  type FieldKind,
  type FieldKinds,
  isNested,
  isQuantity,
  isSetName,
  type KindsOf,
  partsOf,
  type Stem,
} from '../../terms/fieldKinds.ts'
import { closed, Fp9, optional, Uuid } from './fields.ts'

/** What a body says for the fields of a command: quantities are fp9 strings. */
export type Said<Fields> = { readonly [Field in keyof Fields]: InJson<Fields[Field]> }
type InJson<Value> = Value extends bigint ? string : Value

export interface CommandBody<Fields, Body> {
  readonly schema: TUnsafe<Body>
  /** What is known of the command without its body, with what the body says, which the schema has let through. */
  readonly addTo: <Known extends object>(known: Known, body: Body) => Known & Fields
}

/** `names`: of the fields that are called otherwise in the body. */
export function commandBody<Fields, Body = Said<Fields>>(
  kinds: FieldKinds & KindsOf<Fields>,
  names: Readonly<Record<string, string>> = {},
): CommandBody<Fields, Body> {
  const fields = Object.entries<FieldKind>(kinds).map(([field, kind]) => {
    if (isNested(kind)) throw new TypeError(`${field} is an object`)
    const { stem, isOptional } = partsOf(kind)
    const { schema, read } = carriedAs(stem)
    return { field, said: names[field] ?? field, schema: isOptional ? optional(schema) : schema, read }
  })
  const schema = closed(Object.fromEntries(fields.map(({ said, schema }) => [said, schema])))
  // Compiled, as the codecs are: an object whose fields are added in a loop takes six times as long.
  const parts = fields.map(
    ({ field, said }, at) => `${field}: b.${said} == null ? null : read[${at}](b.${said})`,
  )
  const addTo = new Function('read', `return (known, b) => Object.assign({ ${parts.join(', ')} }, known)`)
  return {
    // Whoever names the body's type knows more of the schema than the compiler can of what a table gives.
    schema: schema as unknown as TUnsafe<Body>,
    addTo: addTo(fields.map(({ read }) => read)),
  }
}

/** How a field of a kind is validated, and what is made of it where it was found valid. */
function carriedAs(stem: Stem): { readonly schema: TSchema; readonly read: (json: string) => unknown } {
  if (isQuantity(stem)) return { schema: Fp9, read: BigInt }
  if (isSetName(stem)) return { schema: Type.Enum([...CLOSED_SETS[stem]] as string[]), read: (json) => json }
  if (stem === 'id') return { schema: Uuid, read: (json) => json.toLowerCase() }
  throw new TypeError(`no body carries ${stem}`)
}
