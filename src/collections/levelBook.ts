/**
 * Everything that waits at a level, in the order in which a moving price reaches it. The nearest entry is known after every
 * change. Of the others most leave before the price comes near them, so they are not put in order until it does: they lie in
 * leaves, each with what is between two bounds. What comes is put behind the others of its leaf, and what leaves is taken
 * from where it says it lies. A leaf is put in order when it is walked or taken, and when it is full, to be halved.
 *
 * Levels are compared as doubles first: they lie side by side in memory, and a bigint is looked at only where two doubles are
 * equal and too large to be exact. Rounding to a double never reverses an order, so neither does the book.
 */

import { Leaf, type LevelEntry, numberSlots, type Placing } from './levelLeaf.ts'

const CAPACITY = 128

export class LevelBook<T extends LevelEntry> {
  /** `below`: the price comes from above, the highest level is nearest; `above`: the lowest is. */
  readonly side: 'below' | 'above'
  /** Nearest first. None is empty, unless it is the only one. */
  readonly #leaves: Leaf<T>[] = [new Leaf<T>(this)]
  /** Of each leaf what all of it is at or behind, as a copy. That of the first is never asked for: it has what comes before. */
  readonly #bounds: Placing[] = [NO_BOUND]
  readonly #boundKeys: number[] = [0]
  #nearest: T | null = null
  #size = 0

  constructor(side: 'below' | 'above') {
    this.side = side
  }

  get size(): number {
    return this.#size
  }

  /** The entry that a moving price reaches first. */
  get nearest(): T | null {
    return this.#nearest
  }

  insert(entry: T): void {
    const key = this.#keyOf(entry)
    const at = this.#leafOf(key, entry)
    const leaf = this.#leaves[at] as Leaf<T>
    leaf.push(key, entry)
    if (leaf.keys.length > CAPACITY) this.#halve(leaf, at)
    this.#size += 1
    if (at > 0) return
    if (this.#nearest === null || this.#precedes(entry, this.#nearest)) this.#nearest = entry
  }

  /** @throws ReferenceError when the entry is not in the book. */
  remove(entry: T): void {
    const { leaf, slot } = entry
    if (leaf === null || leaf.book !== this) throw new ReferenceError('the entry is not in the book')
    const key = leaf.keys.pop() as number
    const last = leaf.entries.pop() as LevelEntry
    if (last !== entry) {
      leaf.keys[slot] = key
      leaf.entries[slot] = last
      last.slot = slot
      leaf.isSorted = false
    }
    entry.leaf = null
    if (leaf.keys.length === 0) this.#dropLeaves(this.#leafOf(this.#keyOf(entry), entry), 1)
    this.#size -= 1
    if (this.#nearest === entry) this.#nearest = this.#first()
    else leaf.wasSearched = false
  }

  /** Removes every entry that a price at `level` has reached. @returns them, nearest first. */
  takeReached(level: bigint): T[] {
    const taken: T[] = []
    const beyond = { level, rank: Number.POSITIVE_INFINITY, sequence: 0 }
    if (this.#nearest === null || this.#precedes(beyond, this.#nearest)) return taken
    const end = this.#leafOf(this.#keyOf(beyond), beyond)
    for (let at = 0; at <= end; at++) this.#takeUpTo(beyond, this.#leaves[at] as Leaf<T>, taken)
    this.#dropLeaves(0, (this.#leaves[end] as Leaf<T>).keys.length === 0 ? end + 1 : end)
    this.#size -= taken.length
    this.#nearest = this.#first()
    return taken
  }

  /** Of the entries at a level the one that is reached last; null when there is none. */
  lastAt(level: bigint): T | null {
    const beyond = { level, rank: Number.POSITIVE_INFINITY, sequence: 0 }
    for (let at = this.#leafOf(this.#keyOf(beyond), beyond); at >= 0; at--) {
      let last: T | null = null
      for (const entry of (this.#leaves[at] as Leaf<T>).entries)
        if (entry.level === level && (last === null || this.#precedes(last, entry))) last = entry
      // What is at the level of a bound may lie on both sides of it.
      if (last !== null || at === 0 || (this.#bounds[at] as Placing).level !== level) return last
    }
    return null
  }

  /** Visits entries from the nearest on until `visit` returns false. The book must not change meanwhile. */
  walk(visit: (entry: T) => boolean): void {
    for (const leaf of this.#leaves) {
      const { entries } = this.#sorted(leaf)
      for (let slot = entries.length - 1; slot >= 0; slot--) if (!visit(entries[slot] as T)) return
    }
  }

  /** Every entry, nearest first. */
  toArray(): T[] {
    const all: T[] = []
    this.walk((entry) => all.push(entry) > 0)
    return all
  }

  #keyOf({ level }: Placing): number {
    return this.side === 'above' ? Number(level) : -Number(level)
  }

  #precedes(a: Placing, b: Placing): boolean {
    if (a.level !== b.level) return this.side === 'above' ? a.level < b.level : a.level > b.level
    return a.rank === b.rank ? a.sequence < b.sequence : a.rank < b.rank
  }

  /** The last leaf whose bound is at or before the given one. */
  #leafOf(key: number, entry: Placing): number {
    const keys = this.#boundKeys
    let low = 1
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const found = keys[middle] as number
      if (found < key || (found === key && !this.#precedes(entry, this.#bounds[middle] as Placing)))
        low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** The further half of a leaf becomes a leaf of its own, from the first entry of a key on where its keys differ. */
  #halve(leaf: Leaf<T>, at: number): void {
    const byKey = Float64Array.from(leaf.keys).sort()
    const middle = byKey[byKey.length >>> 1] as number
    const parting = middle > (byKey[0] as number) ? middle : byKey.find((key) => key > middle)
    const further = parting === undefined ? this.#cutSorted(leaf) : this.#cutFrom(parting, leaf)
    const { level, rank, sequence } = this.#nearestIn(further) as T
    this.#leaves.splice(at + 1, 0, further)
    this.#bounds.splice(at + 1, 0, { level, rank, sequence })
    this.#boundKeys.splice(at + 1, 0, this.#keyOf({ level, rank, sequence }))
  }

  /** Cuts a leaf of which all keys are equal. */
  #cutSorted(leaf: Leaf<T>): Leaf<T> {
    this.#sorted(leaf)
    const further = new Leaf<T>(this)
    const half = leaf.keys.length >>> 1
    const [keys, entries] = [leaf.keys.splice(0, half), leaf.entries.splice(0, half)]
    for (let slot = 0; slot < half; slot++) further.push(keys[slot] as number, entries[slot] as T)
    further.isSorted = true
    numberSlots(leaf)
    return further
  }

  /** Cuts off what has that key or one further away. */
  #cutFrom(parting: number, leaf: Leaf<T>): Leaf<T> {
    const further = new Leaf<T>(this)
    const [keys, entries] = [leaf.keys.splice(0), leaf.entries.splice(0)]
    leaf.isSorted = true
    for (let slot = 0; slot < keys.length; slot++) {
      const key = keys[slot] as number
      const half = key < parting ? leaf : further
      half.push(key, entries[slot] as T)
    }
    return further
  }

  /** The leaf with the furthest first. */
  #sorted(leaf: Leaf<T>): Leaf<T> {
    if (leaf.isSorted) return leaf
    const keys = leaf.keys.slice()
    const entries = leaf.entries.slice()
    const slots = keys
      .map((_, slot) => slot)
      .sort((a, b) => {
        const [one, other] = [keys[a] as number, keys[b] as number]
        if (one !== other) return one < other ? 1 : -1
        return this.#precedes(entries[a] as T, entries[b] as T) ? 1 : -1
      })
    for (let slot = 0; slot < slots.length; slot++) {
      const from = slots[slot] as number
      leaf.keys[slot] = keys[from] as number
      leaf.entries[slot] = entries[from] as T
    }
    numberSlots(leaf)
    leaf.isSorted = true
    return leaf
  }

  /** Takes out of a leaf what is at or before the given one. */
  #takeUpTo(beyond: Placing, leaf: Leaf<T>, taken: T[]): void {
    const { keys, entries } = this.#sorted(leaf)
    for (let slot = entries.length - 1; slot >= 0; slot--) {
      const entry = entries[slot] as T
      if (this.#precedes(beyond, entry)) return
      keys.pop()
      entries.pop()
      entry.leaf = null
      taken.push(entry)
    }
  }

  /** Leaves out empty leaves; what is between their bounds belongs to the one before, or before everything. */
  #dropLeaves(from: number, count: number): void {
    const kept = count === this.#leaves.length ? count - 1 : count
    if (kept === 0) return
    this.#leaves.splice(from, kept)
    this.#bounds.splice(from, kept)
    this.#boundKeys.splice(from, kept)
  }

  /** The nearest that leave one after the other, as in a crash, are not looked for one by one. */
  #first(): T | null {
    const leaf = this.#leaves[0] as Leaf<T>
    if (leaf.wasSearched) this.#sorted(leaf)
    leaf.wasSearched = true
    return this.#nearestIn(leaf)
  }

  #nearestIn({ keys, entries, isSorted }: Leaf<T>): T | null {
    let nearest = entries.length - 1
    if (nearest < 0) return null
    if (!isSorted)
      for (let slot = nearest - 1; slot >= 0; slot--) {
        const [key, best] = [keys[slot] as number, keys[nearest] as number]
        if (key < best || (key === best && this.#precedes(entries[slot] as T, entries[nearest] as T)))
          nearest = slot
      }
    return entries[nearest] as T
  }
}

const NO_BOUND: Placing = { level: 0n, rank: 0, sequence: 0 }
