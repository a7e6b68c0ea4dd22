/** What lies between two bounds of a level book, mostly in no order. */

/** What is ordered by: level, then rank, then creation sequence. May change only while the entry is in no book. */
export interface Placing {
  readonly level: bigint
  readonly rank: number
  readonly sequence: number
}

/** What lies in a book, which alone writes where: null while it lies in none. */
export interface LevelEntry extends Placing {
  leaf: Leaf<LevelEntry> | null
  /** Its place in the leaf. */
  slot: number
}

export class Leaf<T extends LevelEntry> {
  readonly book: object
  readonly keys: number[] = []
  readonly entries: T[] = []
  /** Whether the furthest is first: the nearest, which leaves before the others, is then the last. */
  isSorted = true
  /** Whether its nearest was looked for since anything else came or went. */
  wasSearched = false

  constructor(book: object) {
    this.book = book
  }

  push(key: number, entry: T): void {
    const count = this.keys.length
    if (count > 0 && !(key < (this.keys[count - 1] as number))) this.isSorted = false
    this.wasSearched = false
    entry.leaf = this
    entry.slot = count
    this.keys.push(key)
    this.entries.push(entry)
  }
}

/** Says of each entry where it lies. */
export function numberSlots({ entries }: Leaf<LevelEntry>): void {
  for (let slot = 0; slot < entries.length; slot++) {
    const entry = entries[slot] as LevelEntry
    entry.slot = slot
  }
}
