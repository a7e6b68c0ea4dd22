// What is encoded and kept, in blocks: every record is where it was put, and a long one leaves no empty memory behind.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EncodedBlocks, offsetOf } from '../../../src/events/codec/encodedBlocks.ts'

const LARGEST = 1 << 18
const lengths = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 600 }) },
  { weight: 4, arbitrary: fc.integer({ min: 1_000, max: 40_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(LARGEST - 1, LARGEST, LARGEST + 1, 3 * LARGEST) },
)

test('every record is found at its place, and the room is what was written and one block', () => {
  let [cut, blocksAtMost] = [0, 0]
  fc.assert(
    fc.property(fc.array(lengths, { minLength: 1, maxLength: 150, size: 'max' }), (records) => {
      const blocks = new EncodedBlocks()
      const places = records.map((length, index) => {
        blocks.begin()
        blocks.writer.append(new Uint8Array(7).fill(255), 0, 7)
        // What was begun and not ended is written over.
        const place = blocks.begin()
        blocks.writer.append(new Uint8Array(length).fill(index % 251), 0, length)
        blocks.end()
        return place
      })
      for (const [index, place] of places.entries()) {
        const at = offsetOf(place)
        const read = blocks.block(place).subarray(at, at + (records[index] as number))
        expect(read.length).toBe(records[index])
        expect(read.findIndex((byte) => byte !== index % 251)).toBe(-1)
      }
      const written = records.reduce((sum, length) => sum + length, 0)
      // At the end of each block there may be room that was too little, and small blocks double until they are large.
      expect(blocks.room).toBeLessThanOrEqual(written + 512 * blocks.count + LARGEST)
      if (records.some((length) => length > LARGEST)) cut += 1
      blocksAtMost = Math.max(blocksAtMost, blocks.count)
    }),
    { numRuns: 25 },
  )
  expect(cut).toBeGreaterThan(8)
  expect(blocksAtMost).toBeGreaterThan(8)
})
