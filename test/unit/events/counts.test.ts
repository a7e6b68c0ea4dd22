import { expect, test } from 'vitest'
import { ByteReader } from '../../../src/events/codec/byteReader.ts'
import { ByteWriter } from '../../../src/events/codec/byteWriter.ts'

test('a count takes a byte for every seven bits, and is read as it was written, about every power of two', () => {
  for (let bits = 0; bits <= 53; bits++)
    for (const count of [2 ** bits - 1, 2 ** bits, 2 ** bits + 1].filter(Number.isSafeInteger)) {
      const writer = new ByteWriter()
      writer.count(count)
      expect(writer.at).toBe(Math.max(1, Math.ceil(count.toString(2).length / 7)))
      expect(new ByteReader(writer.copy()).count()).toBe(count)
    }
})

test.each([-1, 0.5, 2 ** 53, Number.NaN])('%d is no count', (value) => {
  expect(() => new ByteWriter().count(value)).toThrow(RangeError)
})
