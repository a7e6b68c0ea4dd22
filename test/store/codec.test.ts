// What is written is what is read, and what was released never changes its bytes.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namesOf } from '../../src/collections/table.ts'
import { IdSpace } from '../../src/domain/state/ids.ts'
import { ByteReader, MalformedBytes } from '../../src/events/codec/byteReader.ts'
import { ByteWriter } from '../../src/events/codec/byteWriter.ts'
import {
  compile,
  count,
  flag,
  id,
  integer,
  nullable,
  oneOf,
  optional,
  text,
} from '../../src/events/codec/fields.ts'
import { decodeCommit, encodeCommit } from '../../src/events/codec/index.ts'
import { SchemaSet, type Schemas } from '../../src/events/codec/schemas.ts'
import { STORED_SETS } from '../../src/events/codec/storedKinds.ts'
import { createEngine } from '../../src/index.ts'
import { CLOSED_SETS } from '../../src/terms/closedSets.ts'
import { sampleCommits, venue } from '../../src/testing/index.ts'

const sizes = [31n, 32n, 47n, 48n, 52n, 53n, 54n, 63n, 64n, 65n, 127n, 400n]
const edges = sizes.flatMap((bits) => [-1n, 0n, 1n].flatMap((by) => [2n ** bits + by, -(2n ** bits) + by]))
const anyInteger = fc.oneof(
  fc.bigInt(),
  fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
  fc.constantFrom(...edges),
)
const anyId = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'binary' }),
  fc.uuid().map((uuid) => uuid.toUpperCase()),
)

function roundTrip<T>(
  values: readonly T[],
  write: (w: ByteWriter, v: T) => void,
  read: (r: ByteReader) => T,
): T[] {
  const writer = new ByteWriter(1)
  for (const value of values) write(writer, value)
  const bytes = writer.copy()
  const reader = new ByteReader(bytes)
  const back = values.map(() => read(reader))
  expect(reader.at).toBe(bytes.length)
  return back
}

describe('bytes', () => {
  test('integers of any size', () => {
    fc.assert(
      fc.property(fc.array(anyInteger), (values) => {
        expect(
          roundTrip(
            values,
            (w, v) => w.integer(v),
            (r) => r.integer(),
          ),
        ).toEqual(values)
      }),
    )
  })

  test('an integer takes no more bytes than it needs, and the same for good', () => {
    const bytesOf = (value: bigint) => {
      const writer = new ByteWriter()
      writer.integer(value)
      return Buffer.from(writer.copy()).toString('hex')
    }
    expect(
      [0n, 1n, -1n, 2n ** 31n - 1n, -(2n ** 31n), 2n ** 31n, 2n ** 47n - 1n, 1n - 2n ** 47n].map(bytesOf),
    ).toEqual([
      '00',
      '0401000000',
      '04ffffffff',
      '04ffffff7f',
      '0400000080',
      '06000000800000',
      '06ffffffffff7f',
      '06010000000080',
    ])
    expect(
      [2n ** 47n, -(2n ** 47n), 2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, -(2n ** 64n)].map(bytesOf),
    ).toEqual([
      '080000000000800000',
      '08000000000080ffff',
      '08ffffffffffffff7f',
      '080000000000000080',
      '09088000000000000000',
      '0a09010000000000000000',
    ])
  })

  test('counts up to 2^53 - 1', () => {
    const anyCount = fc.oneof(
      fc.maxSafeNat(),
      fc.nat(300),
      fc.constantFrom(127, 128, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1),
    )
    fc.assert(
      fc.property(fc.array(anyCount), (values) => {
        expect(
          roundTrip(
            values,
            (w, v) => w.count(v),
            (r) => r.count(),
          ),
        ).toEqual(values)
      }),
    )
    for (const value of [-1, 0.5, 2 ** 53, Number.NaN])
      expect(() => new ByteWriter().count(value)).toThrow(RangeError)
  })

  test('texts, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (values) => {
        expect(
          roundTrip(
            values,
            (w, v) => w.text(v),
            (r) => r.text(),
          ),
        ).toEqual(values)
      }),
    )
    expect(
      roundTrip(
        ['\ud800', 'a\udfffb'],
        (w, v) => w.text(v),
        (r) => r.text(),
      ),
    ).toEqual(['\ud800', 'a\udfffb'])
  })

  test('ids of any form, and in one byte when they were written a moment ago', () => {
    const someIds = fc.array(anyId, { maxLength: 12 }).chain((pool) => fc.array(fc.constantFrom('', ...pool)))
    fc.assert(
      fc.property(someIds, (values) => {
        expect(
          roundTrip(
            values,
            (w, v) => w.id(v),
            (r) => r.id(),
          ),
        ).toEqual(values)
      }),
    )
    const writer = new ByteWriter()
    const uuid = '00000000-0000-4000-8000-00000000000a'
    writer.id(uuid)
    expect(writer.at).toBe(17)
    writer.id(uuid)
    expect(writer.at).toBe(18)
    // The empty id takes the place of one that is still to come, and none where all are taken.
    writer.id('')
    expect([...writer.bytes.subarray(18, writer.at)]).toEqual([1])
    for (let n = 1; n < 8; n++) writer.id(String(n))
    const { at } = writer
    writer.id('')
    expect([...writer.bytes.subarray(at, writer.at)]).toEqual([17, 0])
  })

  test('ids that end alike are told apart, and one that nearly is a uuid is kept as the text it is', () => {
    const tail = fc.constantFrom('3a', '3A', 'a3', 'f0', 'p0')
    const alike = fc.tuple(fc.uuid(), tail).map(([uuid, end]) => uuid.slice(0, 34) + end)
    const broken = fc
      .tuple(alike, fc.nat(35), fc.constantFrom('-', 'g', 'F', 'é'))
      .map(([uuid, at, character]) => uuid.slice(0, at) + character + uuid.slice(at + 1))
    // Those of one first word differ behind it.
    const near = alike.map((uuid) => `00000000-${uuid.slice(9)}`)
    const pool = fc.array(fc.oneof(alike, broken, near), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(
        pool.chain((ids) => fc.array(fc.constantFrom(...ids))),
        (values) => {
          expect(
            roundTrip(
              values,
              (w, v) => w.id(v),
              (r) => r.id(),
            ),
          ).toEqual(values)
        },
      ),
    )
  })

  test('an id of the engine is written as its digits say, whether it was just made or is read from its text', () => {
    const digits = (id: string) =>
      Array.from(id.replaceAll('-', '').match(/../g) ?? [], (two) => Number(`0x${two}`))
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.tuple(fc.maxSafeNat(), fc.nat()), { maxLength: 40 }),
        (seed, numbers) => {
          const ids = new IdSpace(seed)
          const made = numbers.map(([seq, index]) => {
            const id = ids.id(seq, index)
            const writer = new ByteWriter()
            writer.id(id)
            expect([...writer.copy()]).toEqual([16, ...digits(id)])
            return id
          })
          for (const id of made) {
            const writer = new ByteWriter()
            writer.id(id)
            expect([...writer.copy()]).toEqual([16, ...digits(id)])
          }
        },
      ),
    )
  })

  test('bytes that end early or hold something else are refused', () => {
    expect(() => new ByteReader(Uint8Array.of()).byte()).toThrow(MalformedBytes)
    expect(() => new ByteReader(Uint8Array.of(77)).integer()).toThrow(MalformedBytes)
    expect(() => new ByteReader(Uint8Array.of(99)).id()).toThrow(MalformedBytes)
    expect(() => new ByteReader(new Uint8Array(9).fill(0xff)).count()).toThrow(MalformedBytes)
  })
})

interface Opened {
  readonly type: 'opened'
  readonly name: string
  readonly limit: bigint | null
  readonly note?: string | null
}
interface Moved {
  readonly type: 'moved'
  readonly by: bigint
  readonly side: 'up' | 'down'
}

const openedFields = { name: id, limit: nullable(integer), note: optional(text) }
const schemas: Schemas<Opened | Moved> = {
  opened: { id: 1, fields: openedFields },
  moved: { id: 3, fields: { by: integer, side: oneOf('up', 'down') } },
}

describe('schemas', () => {
  const write = (set: SchemaSet<Opened | Moved>, value: Opened | Moved) => {
    const writer = new ByteWriter()
    set.write(writer, value)
    return writer.copy()
  }

  test('null, absent and present are told apart', () => {
    const set = new SchemaSet(schemas)
    const values: (Opened | Moved)[] = [
      { type: 'opened', name: 'a', limit: null },
      { type: 'opened', name: 'a', limit: 0n, note: null },
      { type: 'opened', name: 'a', limit: 5n, note: 'b' },
      { type: 'moved', by: -1n, side: 'down' },
    ]
    for (const value of values) expect(set.read(new ByteReader(write(set, value)))).toStrictEqual(value)
  })

  test('sets of fields beyond those that have a reader of their own', () => {
    type Wide = { readonly type: 'wide' } & { readonly [Name in 'a' | 'b' | 'c' | 'd' | 'e']?: string | null }
    const all = ['a', 'b', 'c', 'd', 'e'] as const
    const note = optional(text)
    const set = new SchemaSet<Wide>({
      wide: { id: 1, fields: { a: note, b: note, c: note, d: note, e: note } },
    })
    const writer = new ByteWriter()
    const values = Array.from({ length: 3 ** 5 }, (_, n) => {
      const there = all.map((name, index) => [name, [undefined, null, name][Math.floor(n / 3 ** index) % 3]])
      const fields = Object.fromEntries(there.filter(([, value]) => value !== undefined))
      return { type: 'wide', ...fields } as Wide
    })
    for (const value of [...values, ...values]) set.write(writer, value)
    const reader = new ByteReader(writer.copy())
    for (const value of [...values, ...values]) expect(set.read(reader)).toStrictEqual(value)
  })

  test('each value of a closed set is stored, and no other', () => {
    for (const name of namesOf(CLOSED_SETS)) {
      const { write, read } = compile<{ readonly value: unknown }>({ value: STORED_SETS[name] })
      const writer = new ByteWriter()
      const values: readonly unknown[] = CLOSED_SETS[name]
      for (const value of values) write(writer, { value })
      const reader = new ByteReader(writer.copy())
      expect(
        values.map(() => read(reader).value),
        name,
      ).toEqual(values)
      expect(() => write(writer, { value: 'another' }), name).toThrow()
    }
  })

  test('a retired schema is read through its upcaster', () => {
    // Before `side` there were a flag and a distance in a count.
    const before: Schemas<{ readonly type: 'moved'; readonly far: number; readonly up: boolean }> = {
      moved: { id: 2, fields: { far: count, up: flag } },
    }
    const old = new ByteWriter()
    new SchemaSet(before).write(old, { type: 'moved', far: 7, up: true })

    const retired = {
      id: 2,
      type: 'moved',
      fields: { far: count, up: flag },
      upcast: (stored: object) => {
        const { far, up } = stored as { far: number; up: boolean }
        return { type: 'moved', by: BigInt(far), side: up ? 'up' : 'down' } as const
      },
    }
    const today = new SchemaSet(schemas, [retired])
    expect(today.read(new ByteReader(old.copy()))).toEqual({ type: 'moved', by: 7n, side: 'up' })
  })

  test('a number is given once, and an unknown one is refused', () => {
    expect(
      () => new SchemaSet(schemas, [{ id: 1, type: 'x', fields: {}, upcast: () => ({}) as Opened }]),
    ).toThrow('schema 1 is there twice')
    expect(() => new SchemaSet(schemas).read(new ByteReader(Uint8Array.of(9)))).toThrow('no schema 9')
  })

  test('a value that is not in the list is not written as another', () => {
    const value = { type: 'moved', by: 1n, side: 'sideways' } as unknown as Moved
    expect(() => write(new SchemaSet(schemas), value)).toThrow('sideways')
  })
})

describe('a commit on its own', async () => {
  const commits = sampleCommits(1, 12)
  for await (const commit of createEngine(venue('codec')).commits({ from: 1 })) commits.push(commit)

  test('is what its bytes say, and its bytes are the same each time', () => {
    expect(new Set(commits.map(({ command }) => command.type)).size).toBeGreaterThan(3)
    for (const commit of commits) {
      const bytes = encodeCommit(commit)
      expect(decodeCommit(bytes)).toEqual(commit)
      expect(encodeCommit(decodeCommit(bytes))).toEqual(bytes)
    }
  })

  test('is not taken from bytes that end before it does or go on after it', () => {
    for (const commit of commits.slice(8, 20)) {
      const bytes = encodeCommit(commit)
      for (let length = 0; length < bytes.length; length++)
        expect(() => decodeCommit(bytes.subarray(0, length))).toThrow(MalformedBytes)
      expect(() => decodeCommit(Uint8Array.of(...bytes, 0))).toThrow(MalformedBytes)
    }
  })
})
