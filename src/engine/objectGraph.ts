/**
 * Plain data as bytes, whatever its shape: objects, arrays, maps, sets, bigints and the sameness of what is referred to
 * twice. For caches that may be thrown away, not for the log: names of fields travel along, once per shape.
 */
import { type ByteReader, MalformedBytes } from '../events/codec/byteReader.ts'
import type { ByteWriter } from '../events/codec/byteWriter.ts'

const TAG = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  count: 4,
  double: 5,
  bigint: 6,
  text: 7,
  array: 8,
  map: 9,
  set: 10,
  newShape: 11,
  object: 12,
  same: 13,
} as const

/** Writes values one after another; {@link GraphReader} reads them in the same order. */
export class GraphWriter {
  readonly #writer: ByteWriter
  readonly #seen = new Map<object, number>()
  readonly #shapes = new Map<string, number>()
  /** Whether a value is being written that nothing later refers to, so that it need not be remembered. */
  #apart = false

  constructor(writer: ByteWriter) {
    this.#writer = writer
  }

  /**
   * Writes something to which nothing after it refers, and of which nothing is remembered. If it was written before it
   * is referred to, and otherwise `as` stands for it.
   */
  writeApart(value: unknown, as: unknown = value): void {
    if (this.#seen.has(value as object)) return this.write(value)
    this.#apart = true
    this.write(as)
    this.#apart = false
  }

  /** @throws TypeError for what is not plain data: instances of classes, functions, symbols. */
  write(value: unknown): void {
    const writer = this.#writer
    switch (typeof value) {
      case 'undefined':
        return writer.byte(TAG.undefined)
      case 'boolean':
        return writer.byte(value ? TAG.true : TAG.false)
      case 'bigint':
        writer.byte(TAG.bigint)
        return writer.integer(value)
      case 'string':
        writer.byte(TAG.text)
        return writer.id(value)
      case 'number':
        return this.#number(value)
      case 'object':
        return value === null ? writer.byte(TAG.null) : this.#object(value)
      default:
        throw new TypeError(`not plain data: ${typeof value}`)
    }
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) {
      this.#writer.byte(TAG.count)
      return this.#writer.count(value)
    }
    this.#writer.byte(TAG.double)
    this.#writer.double(value)
  }

  #object(value: object): void {
    const writer = this.#writer
    const seen = this.#seen.get(value)
    if (seen !== undefined) {
      writer.byte(TAG.same)
      return writer.count(seen)
    }
    if (!this.#apart) this.#seen.set(value, this.#seen.size)
    if (Array.isArray(value)) return this.#items(TAG.array, value.length, value)
    if (value instanceof Set) return this.#items(TAG.set, value.size, value)
    if (value instanceof Map) return this.#items(TAG.map, value.size, [...value].flat(1))
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null)
      throw new TypeError(`not plain data: an instance of ${value.constructor?.name}`)
    this.#fields(value as Record<string, unknown>)
  }

  #items(tag: number, size: number, items: Iterable<unknown>): void {
    this.#writer.byte(tag)
    this.#writer.count(size)
    for (const item of items) this.write(item)
  }

  #fields(value: Record<string, unknown>): void {
    const writer = this.#writer
    const names = Object.keys(value)
    const shape = JSON.stringify(names)
    const known = this.#shapes.get(shape)
    if (known === undefined) {
      this.#shapes.set(shape, this.#shapes.size)
      writer.byte(TAG.newShape)
      writer.count(names.length)
      for (const name of names) writer.text(name)
    } else {
      writer.byte(TAG.object)
      writer.count(known)
    }
    for (const name of names) this.write(value[name])
  }
}

/** Objects with the same names of fields. */
interface Shape {
  readonly names: readonly string[]
  /** The last value of each field, where that was a number or a text: the next object mostly has the same one. */
  readonly last: unknown[]
  /**
   * Reads one of them to which nothing refers. V8 makes a hash table of an object that gets a dozen fields one by one
   * under names that are not in the code: several times the memory, and the time of everybody who ever reads it.
   */
  readonly readApart: (graph: GraphReader, last: unknown[]) => object
}

function shapeOf(names: readonly string[]): Shape {
  const fields = names.map((name, index) => `${JSON.stringify(name)}: graph.field(last, ${index})`)
  const readApart = new Function(`return function (graph, last) { return { ${fields.join()} } }`)()
  return { names, last: names.map(() => undefined), readApart }
}

export class GraphReader {
  readonly #reader: ByteReader
  readonly #seen: object[] = []
  readonly #shapes: Shape[] = []
  #apart = false

  constructor(reader: ByteReader) {
    this.#reader = reader
  }

  /** Reads what was written apart. */
  readApart(): unknown {
    this.#apart = true
    const value = this.read()
    this.#apart = false
    return value
  }

  /** @throws MalformedBytes or RangeError where the bytes hold no graph. */
  read(): unknown {
    const reader = this.#reader
    const tag = reader.byte()
    switch (tag) {
      case TAG.undefined:
        return undefined
      case TAG.null:
        return null
      case TAG.false:
        return false
      case TAG.true:
        return true
      case TAG.count:
        return reader.count()
      case TAG.double:
        return reader.double()
      case TAG.bigint:
        return reader.integer()
      case TAG.text:
        return reader.id()
      case TAG.same:
        return this.#same(reader.count())
      case TAG.array:
        return this.#array()
      case TAG.set:
        return this.#fill(new Set(), (set) => set.add(this.read()))
      case TAG.map:
        return this.#fill(new Map(), (map) => map.set(this.read(), this.read()))
      case TAG.newShape:
        this.#shapes.push(shapeOf(Array.from({ length: reader.count() }, () => reader.text())))
        return this.#fields(this.#shapes.at(-1))
      case TAG.object:
        return this.#fields(this.#shapes[reader.count()])
      default:
        throw new MalformedBytes(`no kind of value ${tag}`)
    }
  }

  /** Reads the value of a field; one that is equal to the last is the last itself, which is there already. */
  field(last: unknown[], index: number): unknown {
    const value = this.read()
    if (value === last[index]) return last[index]
    if (typeof value === 'bigint' || typeof value === 'string') last[index] = value
    return value
  }

  #same(index: number): object {
    const value = this.#seen[index]
    if (value === undefined) throw new MalformedBytes('refers to what is not there')
    return value
  }

  #array(): unknown[] {
    const array = this.#fill([] as unknown[], (items) => items.push(this.read()))
    // A list that is pushed to takes room for sixteen more.
    return this.#apart ? array.slice() : array
  }

  #fill<T extends object>(into: T, next: (into: T) => void): T {
    if (!this.#apart) this.#seen.push(into)
    const size = this.#reader.count()
    for (let index = 0; index < size; index++) next(into)
    return into
  }

  #fields(shape: Shape | undefined): object {
    if (shape === undefined) throw new MalformedBytes('an object of no known shape')
    if (this.#apart) return shape.readApart(this, shape.last)
    const value: Record<string, unknown> = {}
    this.#seen.push(value)
    for (const name of shape.names) value[name] = this.read()
    return value
  }
}
