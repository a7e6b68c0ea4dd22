/** Places of events in a log, in columns of memory that the collector does not look into. They grow by pages: nothing is ever moved. */
import { unseenMemory } from '../collections/unseenMemory.ts'

const ROWS = 4_096
const BITS = 12
const ROW = ROWS - 1

/** Where an event is in the log: in which commit, and which of its events it is, from 0. */
export interface Place {
  readonly seq: number
  readonly index: number
}

class PlacePage {
  readonly seq = new Float64Array(unseenMemory(8 * ROWS))
  readonly index = new Uint32Array(unseenMemory(4 * ROWS))
}

/** Bytes of a place. */
const PLACE = 12

/** A place in each row. */
export class PlaceColumn {
  readonly #pages: PlacePage[] = []

  get room(): number {
    return this.#pages.length * ROWS * PLACE
  }

  set(row: number, seq: number, index: number): void {
    const number = row >> BITS
    while (this.#pages.length <= number) this.#pages.push(new PlacePage())
    const page = this.#pages[number] as PlacePage
    page.seq[row & ROW] = seq
    page.index[row & ROW] = index
  }

  seqAt(row: number): number {
    return (this.#pages[row >> BITS] as PlacePage).seq[row & ROW] as number
  }

  indexAt(row: number): number {
    return (this.#pages[row >> BITS] as PlacePage).index[row & ROW] as number
  }

  at(row: number): Place {
    return { seq: this.seqAt(row), index: this.indexAt(row) }
  }
}

/** A whole number in each row, 0 where none was set. */
export class NumberColumn {
  readonly #pages: Int32Array[] = []

  get room(): number {
    return this.#pages.length * ROWS * 4
  }

  set(row: number, value: number): void {
    const number = row >> BITS
    while (this.#pages.length <= number) this.#pages.push(new Int32Array(unseenMemory(4 * ROWS)))
    const page = this.#pages[number] as Int32Array
    page[row & ROW] = value
  }

  at(row: number): number {
    const page = this.#pages[row >> BITS] as Int32Array
    return page[row & ROW] as number
  }
}
