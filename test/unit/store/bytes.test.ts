// Numbers and patterns in bytes: as the platform's own views have them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { integer, Unsound } from '../../../src/store/lmdb/pageFile.ts'
import {
  find,
  hex,
  holds,
  putUint32,
  putUint48,
  sameBytes,
  uint32,
  uint48,
} from '../../../src/store/log/bytes.ts'

const bytes = (least: number) => fc.uint8Array({ minLength: least, maxLength: 24 })

test('numbers are read and written as a buffer does, and nothing beside them', () => {
  fc.assert(
    fc.property(bytes(14), fc.integer({ min: 0, max: 6 }), fc.maxSafeNat(), (given, at, value) => {
      const buffer = Buffer.from(given)
      expect(uint32(given, at)).toBe(buffer.readUInt32LE(at))
      expect(uint48(given, at)).toBe(buffer.readUIntLE(at, 6))
      const [short, long] = [value % 2 ** 32, value % 2 ** 48]
      const written = Uint8Array.from(given)
      putUint32(written, at, short)
      buffer.writeUInt32LE(short, at)
      expect(written).toEqual(Uint8Array.from(buffer))
      putUint48(written, at, long)
      buffer.writeUIntLE(long, at, 6)
      expect(written).toEqual(Uint8Array.from(buffer))
      expect(hex(given)).toBe(Buffer.from(given).toString('hex'))
    }),
  )
})

test('a pattern is found where it first stands whole within the bounds', () => {
  const few = (least: number, most: number) =>
    fc
      .array(fc.integer({ min: 0, max: 1 }), { minLength: least, maxLength: most })
      .map((given) => Uint8Array.from(given))
  fc.assert(
    fc.property(few(0, 20), few(1, 3), fc.nat(20), fc.nat(20), (given, pattern, from, to) => {
      const at = Buffer.from(given.subarray(0, to)).indexOf(Buffer.from(pattern), from)
      expect(find(given, pattern, from, Math.min(to, given.length))).toBe(from >= to ? -1 : at)
      expect(find(given, pattern, from)).toBe(
        from >= given.length ? -1 : Buffer.from(given).indexOf(Buffer.from(pattern), from),
      )
      expect(holds(given, pattern, from)).toBe(
        Buffer.compare(given.subarray(from, from + pattern.length), pattern) === 0,
      )
      expect(sameBytes(given, pattern)).toBe(Buffer.compare(given, pattern) === 0)
      expect(sameBytes(given, Uint8Array.from(given))).toBe(true)
    }),
  )
})

test('a number of a page is that of 64 bits, of which there are 52 at most', () => {
  const read = (value: bigint) => {
    const page = Buffer.alloc(12)
    page.writeBigUInt64LE(value, 4)
    return integer(page, 4)
  }
  for (const value of [0n, 1n, 2n ** 32n - 1n, 2n ** 32n, 5n * 2n ** 40n + 3n, 2n ** 52n - 1n])
    expect(read(value)).toBe(Number(value))
  for (const value of [2n ** 52n, 2n ** 53n, 2n ** 64n - 1n]) expect(() => read(value)).toThrow(Unsound)
})
