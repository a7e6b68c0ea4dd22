// An id among the last eight is a byte, whatever it looks like; the reader keeps the same eight.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader } from '../../../src/events/codec/byteReader.ts'
import { ByteWriter } from '../../../src/events/codec/byteWriter.ts'

const POOL = [
  ...Array.from({ length: 12 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
  ...Array.from({ length: 6 }, (_, n) => `${n}a000000-0000-4000-8000-000000000000`),
  ...['', 'a', 'b', 'no-uuid', '00000000-0000-4000-8000-00000000000A', 'ø'],
]

test('ids are written once while they are among the last eight, and read as they were', () => {
  const reach = { again: 0, forgotten: 0, empty: 0 }
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...POOL), { maxLength: 60, size: 'max' }), (ids) => {
      const writer = new ByteWriter()
      const last: string[] = []
      const written = new Set<string>()
      for (const id of ids) {
        const before = writer.at
        writer.id(id)
        const isShort = writer.at - before === 1
        if (last.includes(id)) {
          expect(isShort).toBe(true)
          reach.again += 1
        } else if (id !== '' || last.length === 8) {
          expect(isShort).toBe(false)
          if (written.has(id)) reach.forgotten += 1
          last.push(id)
          if (last.length > 8) last.shift()
        } else reach.empty += 1
        written.add(id)
      }
      const reader = new ByteReader(new Uint8Array())
      reader.reset(writer.bytes.subarray(0, writer.at), 0)
      expect(ids.map(() => reader.id())).toEqual(ids)
    }),
  )
  for (const times of Object.values(reach)) expect(times).toBeGreaterThan(0)
})
