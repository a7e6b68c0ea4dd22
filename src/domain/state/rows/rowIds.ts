/**
 * Rows by the ids of what they hold. The digits of the engine's own ids are random already: the first word is the hash. Open addressing
 * with linear probing; what stands behind a gap is moved up. A table of another size takes over from the one before a few places at
 * a time, because to fill one of a million at once would hold the loop for a third of a second.
 */
import { unseenMemory } from '../../../collections/unseenMemory.ts'
import type { RowMemory } from './rowMemory.ts'

/** Which integer of a row is the hash of its id. */
export const HASH = 0

const SMALLEST = 64
const NONE = -1
/** In a table that is being left: what stood here has left, and something else may follow. */
const LEFT = -1
/** Places of the table before that are taken over with each row that comes or leaves: enough to be through before the next is due. */
const AT_A_TIME = 64
const NO_TABLE: Int32Array = new Int32Array(0)

export class RowIds {
  readonly #memory: RowMemory
  /** Row + 1; 0 = free. */
  #table = tableOf(SMALLEST)
  /** The table before, of which the places from `#taken` on are still to be taken over; empty when all are. */
  #before = NO_TABLE
  #taken = 0
  #size = 0
  /** Where the row found last stands, and in which table. */
  #at = 0
  #in = this.#table

  constructor(memory: RowMemory) {
    this.#memory = memory
  }

  get size(): number {
    return this.#size
  }

  /** Words of memory it takes, in proportion to its size. */
  get room(): number {
    return this.#table.length + this.#before.length
  }

  /** A row of that hash; −1 where there is none. */
  first(hash: number): number {
    this.#in = this.#table
    this.#at = hash - 1
    return this.next(hash)
  }

  /** Another one, after the one found last; one that is being taken over may be found twice. */
  next(hash: number): number {
    const row = this.#walk(hash)
    if (row !== NONE || this.#in === this.#before || this.#before.length === 0) return row
    this.#in = this.#before
    this.#at = hash - 1
    return this.#walk(hash)
  }

  /** The row has its id already. */
  add(row: number): void {
    if (2 * this.#size >= this.#table.length) this.#resize(2 * this.#table.length)
    this.#takeOver()
    this.#enter(row)
    this.#size += 1
  }

  /**
   * The row still has its id.
   *
   * @throws ReferenceError where it is not here.
   */
  remove(row: number): void {
    this.#takeOver()
    const at = this.#placeOf(this.#table, row)
    if (at !== NONE) this.#closeGap(at)
    const before = this.#before.length === 0 ? NONE : this.#placeOf(this.#before, row)
    if (before !== NONE) this.#before[before] = LEFT
    if (at === NONE && before === NONE) throw new ReferenceError(`row ${row} has no id`)
    this.#size -= 1
    if (this.#table.length > 16 * Math.max(this.#size, SMALLEST)) this.#resize(this.#table.length >> 2)
  }

  #walk(hash: number): number {
    const table = this.#in
    const mask = table.length - 1
    for (let at = (this.#at + 1) & mask; ; at = (at + 1) & mask) {
      const entry = table[at] as number
      if (entry === LEFT || (entry !== 0 && this.#hashOf(entry - 1) !== hash)) continue
      this.#at = at
      return entry - 1
    }
  }

  #hashOf(row: number): number {
    return this.#memory.chunkOf(row).ints[this.#memory.intsAt(row) + HASH] as number
  }

  #placeOf(table: Int32Array, row: number): number {
    const mask = table.length - 1
    let at = this.#hashOf(row) & mask
    while (table[at] !== row + 1) {
      if (table[at] === 0) return NONE
      at = (at + 1) & mask
    }
    return at
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

  /** Unless one is being taken over, which is through before there are too many or too few for the other. */
  #resize(length: number): void {
    if (this.#before.length > 0) return
    this.#before = this.#table
    this.#taken = 0
    this.#table = tableOf(length)
  }

  /** What was taken over stays where it was, or what stands behind it would not be found. */
  #takeOver(): void {
    const before = this.#before
    if (before.length === 0) return
    const end = this.#taken + AT_A_TIME
    for (; this.#taken < end; this.#taken++) {
      const entry = before[this.#taken] as number
      if (entry > 0) this.#enter(entry - 1)
    }
    if (end >= before.length) this.#before = NO_TABLE
  }
}

function tableOf(length: number): Int32Array {
  return new Int32Array(unseenMemory(4 * length))
}
