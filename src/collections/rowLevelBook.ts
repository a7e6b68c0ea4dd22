/**
 * Rows that wait at levels, by what a moving price reaches first: a {@link LevelBook} for things that are no objects. They lie in leaves,
 * each with what is between two bounds, in no order; what leaves is taken from where it says it lies. Rows at one level are in no
 * order at all: that is for whoever takes them.
 *
 * Levels are kept as doubles. Rounding to a double never reverses an order, so the level itself is asked for only where two
 * doubles are equal and too large to be exact.
 */
import { unseenMemory } from './unseenMemory.ts'

const CAPACITY = 128
const SMALLEST = 8

/** Where rows lie, and at which levels. */
export interface Rows {
  leafOf(row: number): number
  slotOf(row: number): number
  /** Is told where a row lies now: in which leaf of its book, and where in that. */
  place(row: number, leaf: number, slot: number): void
  levelOf(row: number): bigint
}

/** What lies between two bounds. */
class RowLeaf {
  readonly number: number
  count = 0
  /** So many are halved, where their levels differ; where they do not, twice as many are tried. */
  limit = CAPACITY
  keys: Float64Array = new Float64Array(0)
  rows: Int32Array = new Int32Array(0)

  constructor(number: number) {
    this.number = number
  }

  grow(): void {
    const length = Math.max(2 * this.count, SMALLEST)
    const keys = new Float64Array(unseenMemory(8 * length))
    const rows = new Int32Array(unseenMemory(4 * length))
    keys.set(this.keys.subarray(0, this.count))
    rows.set(this.rows.subarray(0, this.count))
    this.keys = keys
    this.rows = rows
  }
}

export class RowLevelBook {
  /** `below`: the price comes from above, the highest level is nearest; `above`: the lowest is. */
  readonly side: 'below' | 'above'
  readonly #rows: Rows
  /** By their numbers. */
  readonly #leaves: RowLeaf[] = []
  readonly #freeNumbers: number[] = []
  /** Nearest first. None is empty, unless it is the only one. */
  readonly #inOrder: RowLeaf[] = []
  /** Of each leaf what all its keys are at or beyond; that of the first is never asked for. All of one key lies in one leaf. */
  readonly #bounds: number[] = [Number.NEGATIVE_INFINITY]
  #size = 0
  /** The nearest key, and how many have it; none while it has to be looked for. */
  #nearestKey = Number.POSITIVE_INFINITY
  #nearestCount = 0

  constructor(side: 'below' | 'above', rows: Rows) {
    this.side = side
    this.#rows = rows
    this.#inOrder.push(this.#newLeaf())
  }

  get size(): number {
    return this.#size
  }

  /** Places there is memory for. */
  get room(): number {
    return this.#inOrder.reduce((sum, { keys }) => sum + keys.length, 0)
  }

  /** The level that a moving price reaches first; null where nothing waits. */
  get nearest(): bigint | null {
    if (this.#size === 0) return null
    const key = this.#nearest()
    if (Number.isSafeInteger(key)) return this.#levelAt(key)
    const { keys, rows, count } = this.#inOrder[0] as RowLeaf
    let nearest: bigint | null = null
    for (let slot = 0; slot < count; slot++) {
      if (keys[slot] !== key) continue
      const level = this.#rows.levelOf(rows[slot] as number)
      if (nearest === null || this.#precedes(level, nearest)) nearest = level
    }
    return nearest
  }

  insert(row: number, level: bigint): void {
    const key = this.#keyOf(level)
    const at = this.#leafOf(key)
    const leaf = this.#inOrder[at] as RowLeaf
    this.#push(leaf, key, row)
    this.#size += 1
    if (leaf.count > leaf.limit) this.#halve(leaf, at)
    if (this.#size === 1) {
      this.#nearestKey = key
      this.#nearestCount = 1
    } else if (this.#nearestCount === 0) return
    else if (key === this.#nearestKey) this.#nearestCount += 1
    else if (key < this.#nearestKey) {
      this.#nearestKey = key
      this.#nearestCount = 1
    }
  }

  /** Removes a row that lies in this book. */
  remove(row: number): void {
    const leaf = this.#leaves[this.#rows.leafOf(row)] as RowLeaf
    const slot = this.#rows.slotOf(row)
    const key = leaf.keys[slot] as number
    const last = --leaf.count
    if (last !== slot) {
      const moved = leaf.rows[last] as number
      leaf.keys[slot] = leaf.keys[last] as number
      leaf.rows[slot] = moved
      this.#rows.place(moved, leaf.number, slot)
    }
    this.#size -= 1
    if (key === this.#nearestKey && this.#nearestCount > 0) this.#nearestCount -= 1
    if (leaf.count === 0) this.#dropLeaves(this.#leafOf(key), 1)
  }

  /**
   * Its rows have other levels. Where that parts no leaf from its neighbours, everything stays where it lies.
   *
   * @returns whether it did; else the book is of no use any more, and one has to be made of its rows.
   */
  follow(): boolean {
    let furthestBefore = Number.NEGATIVE_INFINITY
    for (let at = 0; at < this.#inOrder.length; at++) {
      const { keys, rows, count } = this.#inOrder[at] as RowLeaf
      let [nearest, furthest] = [Number.POSITIVE_INFINITY, furthestBefore]
      for (let slot = 0; slot < count; slot++) {
        const key = this.#keyOf(this.#rows.levelOf(rows[slot] as number))
        keys[slot] = key
        if (key < nearest) nearest = key
        if (key > furthest) furthest = key
      }
      if (nearest <= furthestBefore) return false
      if (at > 0) this.#bounds[at] = nearest
      furthestBefore = furthest
    }
    this.#nearestCount = 0
    return true
  }

  /** Every row, in no order. */
  rows(): number[] {
    return this.#inOrder.flatMap(({ rows, count }) => Array.from(rows.subarray(0, count)))
  }

  /** Removes every row that a price at `level` has reached, and tells of each, nearest first but for those at one level. */
  takeReached(level: bigint, taken: (row: number, level: bigint) => void): void {
    const key = this.#keyOf(level)
    if (this.#size === 0 || this.#nearest() > key) return
    const end = this.#leafOf(key)
    for (let at = 0; at < end; at++) this.#takeFrom(this.#inOrder[at] as RowLeaf, key, level, taken)
    const last = this.#inOrder[end] as RowLeaf
    this.#takeFrom(last, key, level, taken)
    this.#dropLeaves(0, last.count === 0 ? end + 1 : end)
    this.#nearestCount = 0
  }

  #levelAt(key: number): bigint {
    return BigInt(this.side === 'above' ? key : -key)
  }

  #keyOf(level: bigint): number {
    return this.side === 'above' ? Number(level) : -Number(level)
  }

  #precedes(a: bigint, b: bigint): boolean {
    return this.side === 'above' ? a < b : a > b
  }

  /** Of a book that is not empty. */
  #nearest(): number {
    if (this.#nearestCount > 0) return this.#nearestKey
    const { keys, count } = this.#inOrder[0] as RowLeaf
    let nearest = Number.POSITIVE_INFINITY
    let same = 0
    for (let slot = 0; slot < count; slot++) {
      const key = keys[slot] as number
      if (key < nearest) {
        nearest = key
        same = 1
      } else if (key === nearest) same += 1
    }
    this.#nearestKey = nearest
    this.#nearestCount = same
    return nearest
  }

  /** The last leaf whose bound is at or before a key. */
  #leafOf(key: number): number {
    const bounds = this.#bounds
    let low = 1
    let high = bounds.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((bounds[middle] as number) <= key) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  #newLeaf(): RowLeaf {
    const leaf = new RowLeaf(this.#freeNumbers.pop() ?? this.#leaves.length)
    this.#leaves[leaf.number] = leaf
    return leaf
  }

  #push(leaf: RowLeaf, key: number, row: number): void {
    if (leaf.count === leaf.keys.length) leaf.grow()
    const slot = leaf.count++
    leaf.keys[slot] = key
    leaf.rows[slot] = row
    this.#rows.place(row, leaf.number, slot)
  }

  /** The further half of a leaf becomes a leaf of its own, where its keys differ. */
  #halve(leaf: RowLeaf, at: number): void {
    const { count } = leaf
    const byKey = leaf.keys.slice(0, count).sort()
    const middle = byKey[count >>> 1] as number
    const parting = middle > (byKey[0] as number) ? middle : byKey.find((key) => key > middle)
    if (parting === undefined) {
      leaf.limit = 2 * count
      return
    }
    const [keys, rows] = [leaf.keys.slice(0, count), leaf.rows.slice(0, count)]
    const further = this.#newLeaf()
    leaf.count = 0
    for (let slot = 0; slot < count; slot++) {
      const key = keys[slot] as number
      this.#push(key < parting ? leaf : further, key, rows[slot] as number)
    }
    leaf.limit = Math.max(CAPACITY, leaf.count)
    further.limit = Math.max(CAPACITY, further.count)
    this.#inOrder.splice(at + 1, 0, further)
    this.#bounds.splice(at + 1, 0, parting)
  }

  /** Takes out of a leaf what a price at a level has reached, nearest first. */
  #takeFrom(leaf: RowLeaf, key: number, level: bigint, taken: (row: number, level: bigint) => void): void {
    const { count } = leaf
    const keys = leaf.keys.slice(0, count)
    const rows = leaf.rows.slice(0, count)
    leaf.count = 0
    for (const slot of Uint32Array.from(keys.keys()).sort(
      (a, b) => (keys[a] as number) - (keys[b] as number),
    )) {
      const [own, row] = [keys[slot] as number, rows[slot] as number]
      const ownLevel = own > key ? null : this.#levelOf(own, row)
      if (ownLevel === null || (own === key && this.#precedes(level, ownLevel))) this.#push(leaf, own, row)
      else {
        this.#size -= 1
        taken(row, ownLevel)
      }
    }
  }

  #levelOf(key: number, row: number): bigint {
    return Number.isSafeInteger(key) ? this.#levelAt(key) : this.#rows.levelOf(row)
  }

  /** Leaves out empty leaves; what is between their bounds belongs to the one before, or before everything. */
  #dropLeaves(from: number, count: number): void {
    const kept = count === this.#inOrder.length ? count - 1 : count
    if (kept === 0) return
    for (const { number } of this.#inOrder.splice(from, kept)) this.#freeNumbers.push(number)
    this.#bounds.splice(from, kept)
  }
}
