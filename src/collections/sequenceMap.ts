/**
 * One thing for each order or position that has any, by creation sequence. Open addressing with linear probing, so the hash has
 * to scatter: sequences are dense, and what stands side by side has to be walked through to its end by whoever takes
 * something out of it, or comes to it when the sequences have gone round the table.
 */
export class SequenceMap<T extends { readonly sequence: number }> {
  #table: (T | null)[] = emptyTable(SMALLEST)
  /** Bits of a hash that are more than the table has places. */
  #shift = shiftFor(SMALLEST)
  #size = 0

  get size(): number {
    return this.#size
  }

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
    let at = this.#homeOf(sequence)
    for (;;) {
      const item = table[at] as T | null
      if (item === null || item.sequence === sequence) return at
      at = (at + 1) & mask
    }
  }

  /** The top bits of a product with 2^32 over the golden ratio: neighbours come to lie far apart, and evenly. */
  #homeOf(sequence: number): number {
    return Math.imul(sequence, 0x9e3779b1) >>> this.#shift
  }

  /** Moves up what stands behind a gap and would no longer be found. */
  #closeGap(gap: number): void {
    const table = this.#table
    const mask = table.length - 1
    let free = gap
    for (let at = (free + 1) & mask; ; at = (at + 1) & mask) {
      const item = table[at] as T | null
      if (item === null) return
      const fromHome = (at - this.#homeOf(item.sequence)) & mask
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
    this.#shift = shiftFor(length)
    for (const item of items) if (item !== null) this.#table[this.#find(item.sequence)] = item
  }
}

const SMALLEST = 16

/** `length`: a power of two. */
function shiftFor(length: number): number {
  return Math.clz32(length) + 1
}

function emptyTable(length: number): null[] {
  return new Array<null>(length).fill(null)
}
