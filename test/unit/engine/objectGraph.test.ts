// What snapshots are made of: plain data comes back as it was, and nothing else is written.

import { setFlagsFromString } from 'node:v8'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GraphReader, GraphWriter } from '../../../src/engine/objectGraph.ts'
import { ByteReader } from '../../../src/events/codec/byteReader.ts'
import { ByteWriter } from '../../../src/events/codec/byteWriter.ts'

function there(value: unknown): Uint8Array {
  const writer = new ByteWriter()
  new GraphWriter(writer).write(value)
  return writer.copy()
}

const andBack = (value: unknown) => new GraphReader(new ByteReader(there(value), 0)).read()

const leaf = fc.oneof(
  fc.constantFrom(undefined, null, true, false, '', -0, 0, Number.MAX_SAFE_INTEGER, -1, 2 ** 53, 0.1),
  fc.bigInt(),
  fc.string(),
  fc.uuid(),
)
const { value: plain } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 3 }), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => new Set(items)),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}))

test('plain data comes back as it was', () => {
  fc.assert(
    fc.property(plain, (value) => {
      expect(andBack(value)).toStrictEqual(withPrototypes(value))
    }),
  )
})

test('plain data that nothing refers to comes back as it was, after others like it', () => {
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 3 }), (values) => {
      const read = apart([...values, ...values])
      expect(read).toStrictEqual([...values, ...values].map(withPrototypes))
    }),
  )
})

function apart(values: readonly unknown[]): unknown[] {
  const writer = new ByteWriter()
  const graph = new GraphWriter(writer)
  for (const value of values) graph.writeApart(value)
  const reader = new GraphReader(new ByteReader(writer.copy(), 0))
  return values.map(() => reader.readApart())
}

test('a record of many fields is no hash table', () => {
  setFlagsFromString('--allow-natives-syntax')
  const isRecord = new Function('value', 'return %HasFastProperties(value)')
  const byOne: Record<string, number> = {}
  for (let field = 0; field < 40; field++) byOne[`field${field}`] = field
  expect(isRecord(byOne)).toBe(false)
  for (const read of apart([byOne, byOne])) expect(isRecord(read)).toBe(true)
})

/** Objects without a prototype come back as others do. */
function withPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPrototypes)
  if (value instanceof Set) return new Set([...value].map(withPrototypes))
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, withPrototypes(item)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withPrototypes(item)]))
}

test('what is one thing in two places is one thing afterwards, and a ring is a ring', () => {
  const shared = { a: 1n }
  const ring: unknown[] = [shared, new Map([['x', shared]])]
  ring.push(ring)
  const [first, map, itself] = andBack(ring) as [object, Map<string, object>, unknown]
  expect(first).toEqual(shared)
  expect(map.get('x')).toBe(first)
  expect((itself as unknown[])[0]).toBe(first)
})

test('what is written apart comes back where it stands, and what follows refers to what came before', () => {
  const shared = { a: 1n }
  const writer = new ByteWriter()
  const graph = new GraphWriter(writer)
  graph.write(shared)
  graph.writeApart([{ b: 1 }, { b: 2 }])
  graph.write([shared])
  const reader = new GraphReader(new ByteReader(writer.copy(), 0))
  const first = reader.read()
  expect(reader.readApart()).toEqual([{ b: 1 }, { b: 2 }])
  expect((reader.read() as unknown[])[0]).toBe(first)
})

test.each<[string, unknown]>([
  ['an instance of a class', new Date(0)],
  ['an instance inside', { at: [new Date(0)] }],
  ['bytes', new Uint8Array(1)],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
])('%s is refused', (_, value) => {
  expect(() => there(value)).toThrow(TypeError)
})

test('bytes that hold no graph are refused', () => {
  const bytes = there({ a: [1, 'x', new Map([['k', 1n]])] })
  const read = (changed: Uint8Array) => new GraphReader(new ByteReader(changed, 0)).read()
  for (let length = 0; length < bytes.length; length++) expect(() => read(bytes.slice(0, length))).toThrow()
  expect(() => read(Uint8Array.of(14))).toThrow('no kind of value 14')
  expect(() => read(Uint8Array.of(13, 5))).toThrow('refers to what is not there')
  expect(() => read(Uint8Array.of(12, 5))).toThrow('no known shape')
})
