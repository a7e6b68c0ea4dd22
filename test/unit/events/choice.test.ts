import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader, MalformedBytes } from '../../../src/events/codec/byteReader.ts'

test('a byte that stands for one of some values is one of them or refused, never nothing', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 255 }),
      fc.nat(255),
      (values, place) => {
        for (const byte of [place, values.length - 1, values.length]) {
          const read = () => {
            const reader = new ByteReader(new Uint8Array())
            reader.reset(Uint8Array.of(byte), 0)
            return reader.choice(values)
          }
          if (byte < values.length) expect(read()).toBe(values[byte])
          else expect(read).toThrow(MalformedBytes)
        }
      },
    ),
  )
})
