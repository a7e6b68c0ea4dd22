/**
 * One thing for each order or position that has any, by creation sequence. Sequences are dense numbers: they are their
 * own hash, and hardly any two meet. Open addressing with linear probing.
 */
export class SequenceMap<T extends { readonly sequence: number }> {
  #table: (T | null)[] = emptyTable(SMALLEST)
  #size = 0

  get(sequence: number): T | undefined {
    return this.#table[this.#find(sequence)] ?? undefined
  }

  /** Puts something in, in the place of what has the same sequence. */
  set(item: T): void {
    if (2 * this.#size >= this.#table.length) this.#resize(2 * this.#table.length)
    const at = this.#find(item.sequence)
    if (this.#table[at] === null) this.#size += 1
    this.#table[at] = item
  }

  /** What was there. */
  take(sequence: number): T | undefined {
    const at = this.#find(sequence)
    const item = this.#table[at]
    if (item == null) return undefined
    this.#table[at] = null
    this.#size -= 1
    this.#closeGap(at)
    if (this.#table.length > 16 * Math.max(this.#size, SMALLEST)) this.#resize(this.#table.length >> 2)
    return item
  }

  /** Words of memory it takes, in proportion to its size. */
  get room(): number {
    return this.#table.length
  }

  /** In no particular order. To change anything on the way, walk a copy. */
  *values(): Generator<T> {
    for (const item of this.#table) if (item !== null) yield item
  }

  /** Where the item is, or would be. */
  #find(sequence: number): number {
    const table = this.#table
    const mask = table.length - 1
    let at = sequence & mask
    for (;;) {
      const item = table[at] as T | null
      if (item === null || item.sequence === sequence) return at
      at = (at + 1) & mask
    }
  }

  /** Moves up what stands behind a gap and would no longer be found. */
  #closeGap(gap: number): void {
    const table = this.#table
    const mask = table.length - 1
    let free = gap
    for (let at = (free + 1) & mask; ; at = (at + 1) & mask) {
      const item = table[at] as T | null
      if (item === null) return
      const fromHome = (at - item.sequence) & mask
      const fromFree = (at - free) & mask
      if (fromHome < fromFree) continue
      table[free] = item
      table[at] = null
      free = at
    }
  }

  #resize(length: number): void {
    const items = this.#table
    this.#table = emptyTable(length)
    for (const item of items) if (item !== null) this.#table[this.#find(item.sequence)] = item
  }
}

const SMALLEST = 16

function emptyTable(length: number): null[] {
  return new Array<null>(length).fill(null)
}
