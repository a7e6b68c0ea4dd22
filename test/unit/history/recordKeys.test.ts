// Keys of history records compare byte by byte as what they are made of compares, and numbers come back whole.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createdBytes,
  createdIn,
  createdKey,
  entryKey,
  eventKey,
  holesKey,
  KIND,
  sequenceBytes,
  sequenceIn,
  sequenceKey,
} from '../../../src/history/recordKeys.ts'

const sequence = fc.oneof(
  fc.nat(),
  fc.nat({ max: 2 ** 48 - 1 }),
  fc.constantFrom(0, 255, 256, 2 ** 32 - 1, 2 ** 32, 2 ** 40, 2 ** 48 - 1),
)
const four = fc.oneof(fc.nat({ max: 2 ** 32 - 1 }), fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1))
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('a sequence is six bytes and comes back', () => {
  fc.assert(
    fc.property(sequence, (value) => {
      expect(hex(sequenceBytes(value))).toBe(value.toString(16).padStart(12, '0'))
      expect(sequenceIn(sequenceBytes(value))).toBe(value)
    }),
  )
})

test('keys are their kind and their numbers, most significant byte first', () => {
  const six = (value: number) => value.toString(16).padStart(12, '0')
  const fourOf = (value: number) => value.toString(16).padStart(8, '0')
  fc.assert(
    fc.property(sequence, four, (value, short) => {
      expect(hex(sequenceKey(KIND.order, value))).toBe(`01${six(value)}`)
      expect(hex(eventKey(value, short))).toBe(`03${six(value)}${fourOf(short)}`)
      expect(hex(entryKey({ list: short, rank: value }))).toBe(`04${fourOf(short)}${six(value)}`)
      expect(hex(holesKey(short, short))).toBe(`05${fourOf(short)}${fourOf(short)}`)
    }),
  )
})

test('how much had been created comes back with its commit', () => {
  fc.assert(
    fc.property(sequence, sequence, sequence, (seq, before, after) => {
      const created = { seq, before, after }
      expect(createdIn(createdKey(seq), createdBytes(created))).toEqual(created)
    }),
  )
})
