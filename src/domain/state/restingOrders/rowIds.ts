/**
 * Rows by the ids of their orders. The digits of the engine's own ids are random already: the first word is the hash. Open addressing
 * with linear probing; what stands behind a gap is moved up.
 */
import { unseenMemory } from '../../../collections/unseenMemory.ts'
import { ID } from './rowLayout.ts'
import { intsAt, type RowMemory } from './rowMemory.ts'

const SMALLEST = 64

export class RowIds {
  readonly #memory: RowMemory
  /** Row + 1; 0 = free. */
  #table = tableOf(SMALLEST)
  #size = 0
  /** Where the row found last stands. */
  #at = 0

  constructor(memory: RowMemory) {
    this.#memory = memory
  }

  get size(): number {
    return this.#size
  }

  /** Words of memory it takes, in proportion to its size. */
  get room(): number {
    return this.#table.length
  }

  /** A row of that hash; −1 where there is none. */
  first(hash: number): number {
    this.#at = hash - 1
    return this.next(hash)
  }

  /** Another one, after the one found last. */
  next(hash: number): number {
    const table = this.#table
    const mask = table.length - 1
    for (let at = (this.#at + 1) & mask; ; at = (at + 1) & mask) {
      const row = (table[at] as number) - 1
      if (row >= 0 && this.#hashOf(row) !== hash) continue
      this.#at = at
      return row
    }
  }

  /** The row has its id already. */
  add(row: number): void {
    if (2 * this.#size >= this.#table.length) this.#resize(2 * this.#table.length)
    this.#enter(row)
    this.#size += 1
  }

  /** The row is here, and still has its id. */
  remove(row: number): void {
    const table = this.#table
    const mask = table.length - 1
    let at = this.#hashOf(row) & mask
    while (table[at] !== row + 1) at = (at + 1) & mask
    this.#closeGap(at)
    this.#size -= 1
    if (table.length > 16 * Math.max(this.#size, SMALLEST)) this.#resize(table.length >> 2)
  }

  #hashOf(row: number): number {
    return this.#memory.chunkOf(row).ints[intsAt(row) + ID] as number
  }

  #enter(row: number): void {
    const table = this.#table
    const mask = table.length - 1
    let at = this.#hashOf(row) & mask
    while (table[at] !== 0) at = (at + 1) & mask
    table[at] = row + 1
  }

  /** Moves up what stands behind a gap and would no longer be found. */
  #closeGap(gap: number): void {
    const table = this.#table
    const mask = table.length - 1
    let free = gap
    for (let at = (free + 1) & mask; table[at] !== 0; at = (at + 1) & mask) {
      const fromHome = (at - this.#hashOf((table[at] as number) - 1)) & mask
      if (fromHome < ((at - free) & mask)) continue
      table[free] = table[at] as number
      free = at
    }
    table[free] = 0
  }

  #resize(length: number): void {
    const table = this.#table
    this.#table = tableOf(length)
    for (const entry of table) if (entry !== 0) this.#enter(entry - 1)
  }
}

function tableOf(length: number): Int32Array {
  return new Int32Array(unseenMemory(4 * length))
}
