// Records that wait to be written are what they were told as, however many follow them in their blocks, and however long they are.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteWriter } from '../../../src/events/codec/byteWriter.ts'
import { count, id, text } from '../../../src/events/codec/fields.ts'
import { bytesOf, type Held, HeldRecords } from '../../../src/history/heldRecords.ts'
import { RecordCodec } from '../../../src/history/historyRecords.ts'

interface Note {
  readonly id: string
  readonly number: number
  readonly text: string
}

const notes = new RecordCodec<Note>({ id, number: count, text })
const ids = ['0b5c9c1e-0d4c-4a63-9f5e-2b1f6a8d7c30', 'f3a1d2c4-5b6e-4f70-8a91-b2c3d4e5f607']
/** Mostly short; some as long as what is left of a block, some longer than any. */
const length = fc.oneof(
  { weight: 40, arbitrary: fc.nat({ max: 300 }) },
  { weight: 4, arbitrary: fc.integer({ min: 500, max: 5_000 }) },
  { weight: 1, arbitrary: fc.constant(200_000) },
)

test('each is read as it was told, on its own, and has the bytes that it would have alone', () => {
  const reached = { blocks: 0, grown: 0 }
  fc.assert(
    fc.property(fc.array(length, { minLength: 1, maxLength: 300, size: 'max' }), (lengths) => {
      const records = new HeldRecords()
      const told = lengths.map(
        (long, number): Note => ({
          id: ids[number % 2] as string,
          number,
          text: 'x'.repeat(long),
        }),
      )
      const held: Held[] = told.map((note) => records.hold(notes, note))
      expect(held.map((each) => notes.decode(bytesOf(each)))).toEqual(told)
      for (const [n, each] of held.entries()) {
        const alone = new ByteWriter()
        notes.write(alone, told[n] as Note)
        expect(Buffer.compare(bytesOf(each), alone.copy())).toBe(0)
      }
      const blocks = new Set(held.map(({ block }) => block))
      if (blocks.size > 2) reached.blocks += 1
      if (held.some(({ block }) => block.length > 200_000)) reached.grown += 1
    }),
    { numRuns: 16 },
  )
  expect(reached.blocks).toBeGreaterThan(3)
  expect(reached.grown).toBeGreaterThan(3)
})

test('whoever holds one holds its block and no other', () => {
  const records = new HeldRecords()
  const note = { id: ids[0] as string, number: 1, text: 'x'.repeat(200) }
  const held = Array.from({ length: 10_000 }, () => records.hold(notes, note))
  const blocks = [...new Set(held.map(({ block }) => block))]
  const room = blocks.reduce((sum, { length }) => sum + length, 0)
  const used = held.reduce((sum, { from, to }) => sum + to - from, 0)
  expect(room).toBeLessThan(1.2 * used)
  expect(Math.max(...blocks.map(({ length }) => length))).toBe(131_072)
})
