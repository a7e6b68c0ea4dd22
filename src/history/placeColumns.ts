/**
 * Numbers, and places of events in a log, in columns of memory that the collector does not look into. They grow by pages: what is there is
 * moved only where a page becomes wider, because each is as wide as the largest number that was ever in it.
 */
import { unseenMemory } from '../collections/unseenMemory.ts'

const ROWS = 4_096
const BITS = 12
const ROW = ROWS - 1

/** Where an event is in the log: in which commit, and which of its events it is, from 0. */
export interface Place {
  readonly seq: number
  readonly index: number
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** A way to keep the numbers of a page, and the largest that it holds. */
interface Width {
  readonly bytes: number
  readonly most: number
  readonly over: (memory: ArrayBufferLike) => Numbers
}

/** Narrowest first. */
const WIDTHS: readonly Width[] = [
  { bytes: 1, most: 2 ** 8 - 1, over: (memory) => new Uint8Array(memory) },
  { bytes: 2, most: 2 ** 16 - 1, over: (memory) => new Uint16Array(memory) },
  { bytes: 4, most: 2 ** 32 - 1, over: (memory) => new Uint32Array(memory) },
  { bytes: 8, most: Number.MAX_SAFE_INTEGER, over: (memory) => new Float64Array(memory) },
]

/** A whole number from 0 on in each row, 0 where none was set. */
export class NumberColumn {
  /** Null where all is 0. */
  readonly #pages: (Numbers | null)[] = []
  /** The largest number that each page holds. */
  readonly #most: number[] = []

  /** Bytes of memory that it takes. */
  get room(): number {
    return this.#pages.reduce((sum, page) => sum + (page?.byteLength ?? 0), 0)
  }

  set(row: number, value: number): void {
    const number = row >> BITS
    while (this.#pages.length <= number) {
      this.#pages.push(null)
      this.#most.push(0)
    }
    if (value > (this.#most[number] as number)) this.#widen(number, value)
    const page = this.#pages[number] as Numbers | null
    if (page !== null) page[row & ROW] = value
  }

  at(row: number): number {
    const page = this.#pages[row >> BITS] ?? null
    return page === null ? 0 : (page[row & ROW] as number)
  }

  #widen(number: number, value: number): void {
    const width = WIDTHS.find(({ most }) => value <= most)
    if (width === undefined) throw new RangeError(`not a number of a column: ${value}`)
    const page = width.over(unseenMemory(ROWS * width.bytes))
    const before = this.#pages[number] ?? null
    if (before !== null) page.set(before)
    this.#pages[number] = page
    this.#most[number] = width.most
  }
}

/** A place in each row. */
export class PlaceColumn {
  readonly #seqs = new NumberColumn()
  readonly #indices = new NumberColumn()

  get room(): number {
    return this.#seqs.room + this.#indices.room
  }

  set(row: number, seq: number, index: number): void {
    this.#seqs.set(row, seq)
    this.#indices.set(row, index)
  }

  seqAt(row: number): number {
    return this.#seqs.at(row)
  }

  indexAt(row: number): number {
    return this.#indices.at(row)
  }

  at(row: number): Place {
    return { seq: this.seqAt(row), index: this.indexAt(row) }
  }
}
