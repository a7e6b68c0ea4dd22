// Encoded records in memory: what is kept comes back, and what is not gives its room back.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader } from '../../../src/events/codec/byteReader.ts'
import { type Pinned, RecordHeap } from '../../../src/history/recordHeap.ts'

const reader = new ByteReader(new Uint8Array())

function write(heap: RecordHeap, number: number, text: string): void {
  heap.writer.text(text)
  heap.end(number)
}

function read(heap: RecordHeap, number: number): string {
  heap.open(number, reader)
  return reader.text()
}

function readPinned({ bytes, at }: Pinned): string {
  reader.reset(bytes, at)
  return reader.text()
}

const lengths = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(500, 4_096, 9_000))

test('whatever is added, written anew and deleted, the rest is what it was, and the room is in proportion to it', () => {
  let [moved, largest] = [0, 0]
  fc.assert(
    fc.property(
      fc.array(fc.record({ what: fc.integer({ min: 0, max: 99 }), length: lengths }), {
        minLength: 200,
        maxLength: 400,
      }),
      (steps) => {
        const heap = new RecordHeap()
        const texts = new Map<number, string>()
        const pinned = new Map<Pinned, string>()
        for (const [index, { what, length }] of steps.entries()) {
          const text = String.fromCharCode(97 + (index % 26)).repeat(length)
          const numbers = [...texts.keys()]
          const number = numbers[what % Math.max(numbers.length, 1)]
          if (what < 40 || number === undefined) {
            const added = heap.begin()
            expect(texts.has(added)).toBe(false)
            write(heap, added, text)
            texts.set(added, text)
          } else if (what < 70) {
            pinned.set(heap.pinned(number), texts.get(number) as string)
            heap.beginAnew(number)
            write(heap, number, text)
            texts.set(number, text)
          } else {
            pinned.set(heap.pinned(number), texts.get(number) as string)
            heap.delete(number)
            texts.delete(number)
          }
        }
        for (const [number, text] of texts) expect(read(heap, number)).toBe(text)
        for (const [place, text] of pinned) expect(readPinned(place)).toBe(text)
        const needed = [...texts.values()].reduce((sum, { length }) => sum + length + 12, 0)
        // Half of every block, what is left at its end, and the last block whole, with the longest of all records in it.
        expect(heap.room).toBeLessThanOrEqual(3 * needed + (1 << 18) + 10_000)
        const written = steps.reduce((sum, { length }) => sum + length, 0)
        if (heap.room < written) moved += 1
        largest = Math.max(largest, heap.room)
      },
    ),
    { numRuns: 20, endOnFailure: true },
  )
  expect(moved).toBeGreaterThan(2)
  expect(largest).toBeGreaterThan(1 << 17)
})

test('all that is deleted leaves no more than the last block', () => {
  const heap = new RecordHeap()
  for (let round = 0; round < 3; round++) {
    const numbers = Array.from({ length: 8_000 }, (_, n) => {
      const number = heap.begin()
      write(heap, number, `record ${n} of some length, as a record has`.repeat(3))
      return number
    })
    expect(heap.room).toBeGreaterThan(1_000_000)
    for (const number of numbers) heap.delete(number)
    expect(heap.room).toBeLessThanOrEqual(1 << 19)
  }
})

test('what lives stays where it is while half of its block does, and moves then', () => {
  const heap = new RecordHeap()
  const byBlock = new Map<Uint8Array, number[]>()
  while (byBlock.size < 3) {
    const number = heap.begin()
    write(heap, number, '\u007f'.repeat(300))
    const { bytes } = heap.pinned(number)
    byBlock.set(bytes, [...(byBlock.get(bytes) ?? []), number])
  }
  const [, [bytes, numbers]] = [...byBlock] as [unknown, [Uint8Array, number[]]]
  const half = Math.floor(numbers.length / 2)
  const kept = numbers.splice(half)
  for (const number of numbers.slice(2)) heap.delete(number)
  expect(kept.every((number) => heap.pinned(number).bytes === bytes)).toBe(true)
  for (const number of [...numbers.slice(0, 2), ...kept.splice(0, 3)]) heap.delete(number)
  expect(kept.some((number) => heap.pinned(number).bytes === bytes)).toBe(false)
})

test('a block that what moves has filled is left too when little in it lives', () => {
  const heap = new RecordHeap()
  const bytesOf = (number: number) => heap.pinned(number).bytes
  const [largest, text] = [1 << 18, 'r'.repeat(400)]
  const byBlock = new Map<Uint8Array, number[]>()
  for (let left = 0; byBlock.size < 2 || left > 1_300; ) {
    const number = heap.begin()
    write(heap, number, text)
    const { bytes, at } = heap.pinned(number)
    if (bytes.length < largest) heap.delete(number)
    else byBlock.set(bytes, [...(byBlock.get(bytes) ?? []), number])
    left = bytes.length - at - text.length
  }
  const [moving, last] = [...byBlock.values()] as [number[], number[]]
  for (const number of last) heap.delete(number)
  const home = bytesOf(moving[0] as number)
  while (bytesOf(moving.at(-1) as number) === home) heap.delete(moving.shift() as number)
  // The first of those that moved filled the last block, the others went to a new one, which is the last now.
  for (const number of moving.splice(2)) heap.delete(number)
  expect(heap.room).toBeLessThanOrEqual(largest)
  for (const number of moving) expect(read(heap, number)).toBe(text)
})

test('so many that their numbers take a third byte are found wherever they have moved', () => {
  const heap = new RecordHeap()
  const numbers = Array.from({ length: 70_000 }, (_, n) => {
    const number = heap.begin()
    write(heap, number, `record ${n}`)
    return number
  })
  const room = heap.room
  const stays = (n: number) => n % 4 === 0
  for (const [n, number] of numbers.entries()) if (!stays(n)) heap.delete(number)
  // What lives is a quarter, in blocks of which at least half lives, and the last.
  expect(heap.room).toBeLessThanOrEqual(room / 2 + (1 << 18))
  const found = numbers.map((number, n) => (stays(n) ? read(heap, number) : ''))
  expect(found).toEqual(numbers.map((_, n) => (stays(n) ? `record ${n}` : '')))
})
