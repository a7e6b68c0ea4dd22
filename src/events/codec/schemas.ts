/**
 * A numbered schema per stored type. What is stored and what the engine works with are two things with one boundary:
 * here. A schema never changes once released; a new shape gets a new number, and the old one an upcaster.
 */
import { namesOf, tableOf } from '../../collections/table.ts'
import { type ByteReader, MalformedBytes } from './byteReader.ts'
import type { ByteWriter } from './byteWriter.ts'
import { type Codec, compile, type Fields } from './fields.ts'

interface Typed {
  readonly type: string
}

/** The current stored form of a type: its number, given once and never reused, and its fields. */
interface Schema<T extends Typed> {
  readonly id: number
  readonly fields: Fields<Omit<T, 'type'>>
}

/** A form that is still read, but no longer written. */
export interface RetiredSchema<T extends Typed> {
  readonly id: number
  readonly type: string
  readonly fields: Fields<object>
  /** What the stored object means today. */
  readonly upcast: (stored: object) => T
}

export type Schemas<T extends Typed> = { readonly [Type in T['type']]: Schema<Extract<T, { type: Type }>> }

/** A schema for each type from its number and its fields. */
export function schemasOf<T extends Typed>(
  numbers: { readonly [Type in T['type']]: number },
  fieldsOf: (type: T['type']) => Fields<object>,
): Schemas<T> {
  const schemas = tableOf(namesOf(numbers), (type) => ({ id: numbers[type], fields: fieldsOf(type) }))
  // That the fields are those of the type, the compiler has seen where the table of their kinds is.
  return schemas as unknown as Schemas<T>
}

/** Writes values behind the number of their schema, and reads any schema there ever was. */
export class SchemaSet<T extends Typed> {
  /** Writes a value behind the number of its schema. */
  readonly write: (writer: ByteWriter, value: T) => void
  readonly #readers: ((reader: ByteReader) => T)[] = []

  constructor(schemas: Schemas<T>, retired: readonly RetiredSchema<T>[] = []) {
    const writers: Writer<T>[] = []
    // Each is a schema of its own member of T; the compiler sees no common type of a union's fields.
    for (const [type, { id, fields }] of Object.entries(schemas as unknown as Record<string, Schema<T>>)) {
      const codec = compile<T>(fields as Fields<object>, type)
      writers.push({ type, id, codec })
      this.#addReader(id, codec.read)
    }
    this.write = writerOf(writers)
    for (const { id, type, fields, upcast } of retired) {
      const { read } = compile<object>(fields, type)
      this.#addReader(id, (reader) => upcast(read(reader)))
    }
  }

  read(reader: ByteReader): T {
    return this.readAs(reader, reader.count())
  }

  /** Reads a value whose schema's number has been read already. */
  readAs(reader: ByteReader, id: number): T {
    const read = this.#readers[id]
    if (read === undefined) throw new MalformedBytes(`no schema ${id}`)
    return read(reader)
  }

  #addReader(id: number, read: (reader: ByteReader) => T): void {
    if (this.#readers[id] !== undefined) throw new TypeError(`schema ${id} is there twice`)
    this.#readers[id] = read
  }
}

interface Writer<T extends Typed> {
  readonly type: string
  readonly id: number
  readonly codec: Codec<T>
}

/** One function for all types: what is looked up and called through a table costs a fifth of writing an event. */
function writerOf<T extends Typed>(writers: readonly Writer<T>[]): (writer: ByteWriter, value: T) => void {
  const cases = writers.map(
    ({ type, id }, index) => `case ${JSON.stringify(type)}: w.count(${id}); k[${index}].write(w, v); return`,
  )
  return new Function(
    'k',
    `return function (w, v) { switch (v.type) { ${cases.join('\n')} }
    throw new TypeError('no schema for ' + v.type) }`,
  )(writers.map(({ codec }) => codec))
}
