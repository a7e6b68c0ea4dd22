/**
 * How one field is stored. A schema is a list of these, and is compiled once into a function that writes and one that
 * reads: a loop over field descriptions at run time costs five times as much.
 */
import type { ByteReader, ByteWriter } from './bytes.ts'

type Presence = 'required' | 'nullable' | 'optional'

/** How a value of type T is stored. Invariant in T: a list of values must name every one of them. */
export interface Field<T, P extends Presence = 'required'> {
  readonly presence: P
  /** The statement that writes the value of an expression. */
  readonly write: (expression: string, constants: unknown[]) => string
  /** The expression that reads a value. */
  readonly read: (constants: unknown[]) => string
  readonly holds?: (value: T) => T
}

type FieldFor<V> = undefined extends V
  ? Field<NonNullable<V>, 'optional'>
  : null extends V
    ? Field<NonNullable<V>, 'nullable'>
    : Field<V>

/** A field for every property of T. */
export type Fields<T> = { readonly [K in keyof T]-?: FieldFor<T[K]> }

function plain<T>(method: string): Field<T> {
  return {
    presence: 'required',
    write: (expression) => `w.${method}(${expression})`,
    read: () => `r.${method}()`,
  }
}

/** An id: a uuid mostly, and mostly one that was just written. */
export const id = plain<string>('id')
export const text = plain<string>('text')
/** A quantity of any size. */
export const integer = plain<bigint>('integer')
/** A whole number from 0 to 2^53 − 1: sequences, times, durations. */
export const count = plain<number>('count')
export const flag = plain<boolean>('flag')

/** One of these values. New ones are added at the end: their place is what is stored. */
export function oneOf<const T extends string | number | null>(...values: readonly T[]): Field<T> {
  return {
    presence: 'required',
    write: (expression, constants) => `w.choice(k[${constants.push(values) - 1}], ${expression})`,
    read: (constants) => `r.choice(k[${constants.push(values) - 1}])`,
  }
}

/** Any number of these values. */
export function listOf<const T extends string>(...values: readonly T[]): Field<readonly T[]> {
  return {
    presence: 'required',
    write: (expression, constants) => `w.choices(k[${constants.push(values) - 1}], ${expression})`,
    read: (constants) => `r.choices(k[${constants.push(values) - 1}])`,
  }
}

/** A nested object. */
export function object<T extends object>(fields: Fields<T>): Field<T> {
  const codec = compile<T>(fields as unknown as Fields<object>)
  return {
    presence: 'required',
    write: (expression, constants) => `k[${constants.push(codec) - 1}].write(w, ${expression})`,
    read: (constants) => `k[${constants.push(codec) - 1}].read(r)`,
  }
}

/** The value or null. */
export function nullable<T>(field: Field<T>): Field<T, 'nullable'> {
  return { ...field, presence: 'nullable' }
}

/** The value, null, or not there at all; the three are told apart. */
export function optional<T>(field: Field<T>): Field<T, 'optional'> {
  return { ...field, presence: 'optional' }
}

export interface Codec<T> {
  write(writer: ByteWriter, value: T): void
  read(reader: ByteReader): T
  /** Everything the stored form depends on, as text: equal texts, equal forms. */
  readonly form: string
}

/** Two bits say whether a nullable or optional value is there, four values to the byte. */
const PER_BYTE = 4
const PRESENCE = 'const p = (x) => x === undefined ? 0 : x === null ? 1 : 2;'

/** Compiles fields into a codec. Objects that are read get `type` first, then the fields in their order. */
export function compile<T extends object>(fields: Fields<object>, type?: string): Codec<T> {
  const entries = Object.entries(fields as Record<string, Field<unknown, Presence>>)
  const constants: unknown[] = []
  const sparse = entries.filter(([, field]) => field.presence !== 'required').map(([name]) => name)
  const bits = (name: string) => {
    const index = sparse.indexOf(name)
    return `(p${index >> 2} >> ${(index & 3) << 1} & 3)`
  }
  const ordered = [
    ...entries.filter(([, field]) => field.presence !== 'optional'),
    ...entries.filter(([, field]) => field.presence === 'optional'),
  ]

  const write = presenceBytes(sparse).map((names) => {
    const parts = names.map((name, index) => `p(v.${name}) << ${index << 1}`)
    return `w.byte(${parts.join(' | ')});`
  })
  for (const [name, field] of ordered) {
    const statement = field.write(`v.${name}`, constants)
    write.push(field.presence === 'required' ? `${statement};` : `if (v.${name} != null) ${statement};`)
  }

  const literal = type === undefined ? [] : [`type: ${JSON.stringify(type)}`]
  const assigned: string[] = []
  for (const [name, field] of ordered) {
    const expression = field.read(constants)
    if (field.presence === 'required') literal.push(`${name}: ${expression}`)
    else if (field.presence === 'nullable')
      literal.push(`${name}: ${bits(name)} === 2 ? ${expression} : null`)
    else
      assigned.push(
        `if (${bits(name)} === 2) o.${name} = ${expression}; else if (${bits(name)} === 1) o.${name} = null;`,
      )
  }
  const presence = presenceBytes(sparse).map((_, index) => `const p${index} = r.byte();`)
  const read = [...presence, `const o = { ${literal.join(', ')} };`, ...assigned, 'return o;']

  return {
    write: new Function('k', `${PRESENCE} return function (w, v) { ${write.join('\n')} }`)(constants),
    read: new Function('k', `return function (r) { ${read.join('\n')} }`)(constants),
    form: `${read.join('\n')}\n${JSON.stringify(constants)}`,
  }
}

function presenceBytes(names: readonly string[]): string[][] {
  const bytes: string[][] = []
  for (let at = 0; at < names.length; at += PER_BYTE) bytes.push(names.slice(at, at + PER_BYTE))
  return bytes
}
