/**
 * Encoded records, each under a number, in blocks of memory. What is deleted or written anew gives its room back: a block
 * of which less than half is needed is left, and what lives in it moves. So moving costs no more than was written.
 */
import type { ByteReader } from '../events/codec/byteReader.ts'
import type { ByteWriter } from '../events/codec/byteWriter.ts'
import { blockOf, EncodedBlocks, offsetOf } from '../events/codec/encodedBlocks.ts'

/** Before each record: its number and its length with this, four bytes each. */
const HEADER = 8

/** The bytes of a record, which stay what they are whatever becomes of it. */
export interface Pinned {
  readonly bytes: Uint8Array
  readonly at: number
}

export class RecordHeap {
  readonly #blocks = new EncodedBlocks()
  /** By number. */
  #places = new Float64Array(64)
  #used = 0
  readonly #free: number[] = []
  /** By block: bytes of records that are not needed any more. */
  readonly #dead: number[] = []
  #begun = 0

  get writer(): ByteWriter {
    return this.#blocks.writer
  }

  /** Bytes of blocks, those included that nobody needs. */
  get room(): number {
    return this.#blocks.room
  }

  /** Begins a record, which the writer then writes, ids and all anew; gives its number. */
  begin(): number {
    const number = this.#free.pop() ?? this.#used++
    if (number === this.#places.length) this.#places = grown(this.#places)
    this.#places[number] = NOWHERE
    this.#begin(number)
    return number
  }

  /** The same for another record in the place of one that is there. */
  beginAnew(number: number): void {
    this.#begin(number)
  }

  /** What was written since the record was begun is kept under its number. */
  end(number: number): void {
    const { writer } = this
    const place = this.#begun
    writer.patchUint32(offsetOf(place) + 4, writer.at - offsetOf(place))
    this.#blocks.end()
    const before = this.#places[number] as number
    this.#places[number] = place
    if (before !== NOWHERE) this.#leave(before)
  }

  delete(number: number): void {
    const place = this.#places[number] as number
    this.#places[number] = NOWHERE
    this.#free.push(number)
    this.#leave(place)
  }

  /** Puts a reader where a record begins. */
  open(number: number, reader: ByteReader): void {
    const place = this.#places[number] as number
    reader.reset(this.#blocks.block(place), offsetOf(place) + HEADER)
    reader.forgetIds()
  }

  pinned(number: number): Pinned {
    const place = this.#places[number] as number
    return { bytes: this.#blocks.block(place), at: offsetOf(place) + HEADER }
  }

  #begin(number: number): void {
    const { count } = this.#blocks
    this.#begun = this.#blocks.begin()
    if (this.#blocks.count > count) {
      this.#dead.push(0)
      if (this.#leaveFull(count - 1)) return this.#begin(number)
    }
    const { writer } = this
    writer.uint32(number)
    writer.uint32(0)
    writer.forgetIds()
  }

  #leave(place: number): void {
    const block = blockOf(place)
    this.#dead[block] = (this.#dead[block] as number) + uint32(this.#blocks.block(place), offsetOf(place) + 4)
    if (block < this.#blocks.count - 1 && this.#isMostlyDead(block)) this.#moveOutOf(block)
  }

  /** What died in a block while it was the last is looked at once it is no longer. Tells whether what lived has moved. */
  #leaveFull(block: number): boolean {
    if (block < 0 || !this.#isMostlyDead(block)) return false
    this.#moveOutOf(block)
    return true
  }

  #isMostlyDead(block: number): boolean {
    return 2 * (this.#dead[block] as number) > this.#blocks.bytes(block).length
  }

  /** A block ends with zeros, which no record begins with: its length is never zero. */
  #moveOutOf(block: number): void {
    const bytes = this.#blocks.bytes(block)
    for (let at = 0, length = 0; at + HEADER <= bytes.length; at += length) {
      length = uint32(bytes, at + 4)
      if (length === 0) break
      const number = uint32(bytes, at)
      if (this.#places[number] === this.#blocks.place(block, at)) this.#move(number, bytes, at, length)
    }
    this.#blocks.drop(block)
    this.#dead[block] = 0
  }

  #move(number: number, bytes: Uint8Array, at: number, length: number): void {
    const { count } = this.#blocks
    const place = this.#blocks.begin()
    this.writer.append(bytes, at, length)
    this.#blocks.end()
    this.#places[number] = place
    if (this.#blocks.count > count) {
      this.#dead.push(0)
      this.#leaveFull(count - 1)
    }
  }
}

const NOWHERE = -1

function uint32(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)) >>>
    0
  )
}

function grown(places: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * places.length)
  larger.set(places)
  return larger
}
