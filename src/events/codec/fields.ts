/**
 * How one field is stored. A schema is a list of these, and is compiled once into a function that writes and one that
 * reads: a loop over field descriptions at run time costs five times as much.
 */
import type { ByteReader } from './byteReader.ts'
import type { ByteWriter } from './byteWriter.ts'

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
    write: (expression, constants) => {
      const cases = values.map((value, index) => `case ${JSON.stringify(value)}: w.byte(${index}); break;`)
      const unknown = `default: w.choice(k[${constants.push(values) - 1}], ${expression})`
      return `switch (${expression}) { ${cases.join(' ')} ${unknown} }`
    },
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
  const codec = compile<T>(fields as Fields<object>)
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
  const optionals: OptionalField[] = []
  const assigned: string[] = []
  for (const [name, field] of ordered) {
    const expression = field.read(constants)
    if (field.presence === 'required') literal.push(`${name}: ${expression}`)
    else if (field.presence === 'nullable')
      literal.push(`${name}: ${bits(name)} === 2 ? ${expression} : null`)
    else {
      optionals.push({ name, expression, shift: sparse.indexOf(name) << 1 })
      assigned.push(
        `if (${bits(name)} === 2) o.${name} = ${expression}; else if (${bits(name)} === 1) o.${name} = null;`,
      )
    }
  }
  const presence = presenceBytes(sparse).map((_, index) => `const p${index} = r.byte();`)
  const read = [...presence, `const o = { ${literal.join(', ')} };`, ...assigned, 'return o;']
  const few = optionals.length > 0 && presence.length <= WORD

  return {
    write: new Function('k', `${PRESENCE} return function (w, v) { ${write.join('\n')} }`)(constants),
    read: few
      ? shapeReader(presence, literal, optionals, assigned, constants)
      : new Function('k', `return function (r) { ${read.join('\n')} }`)(constants),
    form: `${read.join('\n')}\n${JSON.stringify(constants)}`,
  }
}

interface OptionalField {
  readonly name: string
  /** Reads its value. */
  readonly expression: string
  /** Where its two bits are in the presence bytes, taken as one number. */
  readonly shift: number
}

/** Presence bytes that go into one number. */
const WORD = 4
/** Sets of fields for which there is a reader of its own. */
const SHAPES = 64

/**
 * A reader for each set of optional fields that is there, made when it is first met: an object that is made in one piece
 * takes a third of the time of one that fields are added to. Few sets are ever in use; the rest get their fields added.
 */
function shapeReader<T>(
  presence: readonly string[],
  literal: readonly string[],
  optionals: readonly OptionalField[],
  assigned: readonly string[],
  constants: readonly unknown[],
): (reader: ByteReader) => T {
  const bytes = presence.map((_, index) => `p${index}`)
  const made = (body: string) =>
    new Function('k', `return function (r, ${bytes.join(', ')}) { ${body} }`)(constants)
  const known = new Map<number, unknown>()
  const rest = made(`const o = { ${literal.join(', ')} }; ${assigned.join('\n')} return o;`)
  const shapeOf = (present: number) => {
    if (known.has(present)) return known.get(present)
    if (known.size === SHAPES) return rest
    const there = optionals.flatMap(({ name, expression, shift }) => {
      const bits = (present >> shift) & 3
      return bits === 2 ? [`${name}: ${expression}`] : bits === 1 ? [`${name}: null`] : []
    })
    const shape = made(`return { ${[...literal, ...there].join(', ')} };`)
    known.set(present, shape)
    return shape
  }
  const word = bytes.map((byte, index) => `${byte} << ${index << 3}`).join(' | ')
  return new Function(
    'shapeOf',
    `let present = 0; let shape = shapeOf(0);
    return function (r) {
      ${presence.join(' ')}
      const now = ${word};
      if (now !== present) { shape = shapeOf(now); present = now; }
      return shape(r, ${bytes.join(', ')});
    }`,
  )(shapeOf)
}

function presenceBytes(names: readonly string[]): string[][] {
  const bytes: string[][] = []
  for (let at = 0; at < names.length; at += PER_BYTE) bytes.push(names.slice(at, at + PER_BYTE))
  return bytes
}
