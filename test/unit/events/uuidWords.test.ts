// The uuids that are kept at hand are those of their texts, whatever else was asked for in between.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader } from '../../../src/events/codec/byteReader.ts'
import { ByteWriter } from '../../../src/events/codec/byteWriter.ts'
import { RECENT_IDS } from '../../../src/events/codec/idForm.ts'
import { uuidOf } from '../../../src/events/codec/uuidText.ts'
import { wordsOf } from '../../../src/events/codec/uuidWords.ts'

/** Many of one slot, so that they take each other's place. */
const uuids = fc
  .tuple(fc.uuid(), fc.constantFrom('00', '7f', 'a0', 'ff'))
  .map(([id, end]) => `${id.slice(0, 34)}${end}`)
const noUuids = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.tuple(uuids, fc.nat(35), fc.constantFrom('g', 'A', '-', '/', ':', '`')).map(([id, at, sign]) => {
    const text = `${id.slice(0, at)}${sign}${id.slice(at + 1)}`
    return text === id ? `${text}0` : text
  }),
)
const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Its four words, read digit by digit; null where it is none. */
function read(text: string): number[] | null {
  if (!SHAPE.test(text)) return null
  const digits = text.replaceAll('-', '')
  return [0, 8, 16, 24].map((at) => Number.parseInt(digits.slice(at, at + 8), 16))
}

test('words are those of the text, of known uuids, new ones and what is none, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(uuids, noUuids), { maxLength: 6 }), fc.array(fc.nat(5)), (texts, order) => {
      for (const at of order) {
        const text = texts[at]
        if (text === undefined) continue
        const words = Uint32Array.of(1, 2, 3, 4)
        const expected = read(text)
        expect(wordsOf(text, words)).toBe(expected !== null)
        expect([...words]).toEqual(expected ?? [1, 2, 3, 4])
      }
    }),
  )
})

test('a text is that of its four words, whichever came before to the same place', () => {
  const word = fc.constantFrom(0, 1 << 12)
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word, word, word), { maxLength: 12 }), (all) => {
      for (const words of all) {
        const digits = words.map((each) => each.toString(16).padStart(8, '0')).join('')
        const text = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
        expect(uuidOf(...words)).toBe(text)
      }
    }),
  )
})

test('of ids that come again, the last eight that were new take a byte each, and all are read as they were written', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(uuids, fc.string({ minLength: 1, maxLength: 5 })), { maxLength: 12 }),
      fc.array(fc.nat(11), { maxLength: 60 }),
      (texts, order) => {
        const writer = new ByteWriter()
        const ids = order.flatMap((at) => texts[at] ?? [])
        const recent: string[] = []
        for (const id of ids) {
          const before = writer.at
          writer.id(id)
          expect(writer.at - before === 1).toBe(recent.includes(id))
          if (!recent.includes(id)) recent.push(id)
          if (recent.length > RECENT_IDS) recent.shift()
        }
        const reader = new ByteReader(writer.copy())
        expect(ids.map(() => reader.id())).toEqual(ids)
      },
    ),
  )
})
