/**
 * Memory for rows of numbers, in chunks: a million rows are some thousand objects to the collector. A row keeps its number
 * until it is given back, and its number then goes to another. The first chunk grows, because most venues are small.
 */
import { unseenMemory } from '../../../collections/unseenMemory.ts'

const BITS = 10
/** Rows of a chunk. */
export const CHUNK = 1 << BITS
const SMALLEST = 16
const NONE = -1

/** The same memory as integers, as bigints and as doubles. */
export class Chunk {
  capacity = 0
  /** Rows that are taken. */
  used = 0
  /** Rows from here on were never taken. */
  end = 0
  /** The row given back last, which says the one before it; −1 = none. */
  freed = NONE
  ints: Int32Array = new Int32Array(0)
  bigs: BigInt64Array = new BigInt64Array(0)
  doubles: Float64Array = new Float64Array(0)

  /** `words`: of eight bytes, in each row. */
  resize(capacity: number, words: number): void {
    const memory = unseenMemory(8 * words * capacity)
    const ints = new Int32Array(memory)
    ints.set(this.ints.subarray(0, 2 * words * Math.min(capacity, this.capacity)))
    this.capacity = capacity
    this.ints = ints
    this.bigs = new BigInt64Array(memory)
    this.doubles = new Float64Array(memory)
  }
}

export class RowMemory {
  readonly #chunks: Chunk[] = []
  /** Numbers of the chunks that have rows to give; the last gives them. */
  readonly #open: number[] = []
  /** Numbers of chunks without memory. */
  readonly #dropped: number[] = []
  /** A chunk of which no row is taken, and which keeps its memory: one, or a row that comes and goes would make and drop it. */
  #idle = NONE
  readonly #words: number

  /** `words`: of eight bytes, in each row. */
  constructor(words: number) {
    this.#words = words
  }

  /** Rows there is memory for. */
  get room(): number {
    return this.#chunks.reduce((sum, { capacity }) => sum + capacity, 0)
  }

  chunkOf(row: number): Chunk {
    return this.#chunks[row >>> BITS] as Chunk
  }

  /** Where in its chunk's integers a row begins. */
  intsAt(row: number): number {
    return (row & (CHUNK - 1)) * 2 * this.#words
  }

  take(): number {
    if (this.#open.length === 0) this.#addRoom()
    const number = this.#open[this.#open.length - 1] as number
    const chunk = this.#chunks[number] as Chunk
    let local = chunk.freed
    if (local === NONE) local = chunk.end++
    else chunk.freed = chunk.ints[this.intsAt(local)] as number
    chunk.used += 1
    if (chunk.used === chunk.capacity) this.#open.pop()
    return (number << BITS) | local
  }

  giveBack(row: number): void {
    const number = row >>> BITS
    const local = row & (CHUNK - 1)
    const chunk = this.#chunks[number] as Chunk
    chunk.ints[this.intsAt(local)] = chunk.freed
    chunk.freed = local
    if (chunk.used === chunk.capacity) this.#open.push(number)
    chunk.used -= 1
    if (chunk.used === 0) this.#emptied(number, chunk)
  }

  #addRoom(): void {
    const first = this.#chunks[0]
    if (first !== undefined && first.capacity > 0 && first.capacity < CHUNK) {
      first.resize(2 * first.capacity, this.#words)
      this.#open.push(0)
      return
    }
    const number = this.#dropped.pop() ?? this.#chunks.push(new Chunk()) - 1
    const chunk = this.#chunks[number] as Chunk
    chunk.resize(number === 0 ? SMALLEST : CHUNK, this.#words)
    this.#open.push(number)
  }

  #emptied(number: number, chunk: Chunk): void {
    chunk.freed = NONE
    chunk.end = 0
    const idle = this.#chunks[this.#idle]
    if (idle === undefined || idle === chunk || idle.used > 0) {
      this.#idle = number
      return
    }
    chunk.resize(0, this.#words)
    this.#open.splice(this.#open.indexOf(number), 1)
    this.#dropped.push(number)
  }
}
