// CRC-32 against its definition, a bit at a time.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32 } from '../../../src/hashes/crc32.ts'

function bitByBit(bytes: Uint8Array): number {
  let crc = 0xffff_ffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1
  }
  return ~crc >>> 0
}

test('the check value of the standard', () => {
  const digits = new TextEncoder().encode('123456789')
  expect(crc32(digits, 0, digits.length)).toBe(0xcbf4_3926)
  expect(crc32(digits, 4, 4)).toBe(0)
})

test('of any stretch it is that of its bytes, in one piece or in two', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(), fc.nat(), fc.nat(), (bytes, a, b, c) => {
      const [from, middle, to] = [a, b, c].map((at) => at % (bytes.length + 1)).sort((x, y) => x - y) as [
        number,
        number,
        number,
      ]
      const whole = bitByBit(bytes.subarray(from, to))
      expect(crc32(bytes, from, to)).toBe(whole)
      expect(crc32(bytes, middle, to, crc32(bytes, from, middle))).toBe(whole)
    }),
  )
})
