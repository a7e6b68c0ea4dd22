/**
 * What belongs to an account, a market or a position, oldest first. Creation sequences only grow, so a new item goes to
 * the end and one that leaves is found by bisection: no hashing, and nothing is allocated where few come and go.
 */
export class Roster<T extends { readonly sequence: number }> implements Iterable<T> {
  /** Who left leaves a hole behind, until holes are the majority. */
  readonly #items: (T | null)[] = []
  /** The sequence of every item, and of what was in a hole. */
  readonly #sequences: number[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** `item` is newer than everything that was ever here. */
  add(item: T): void {
    this.#items.push(item)
    this.#sequences.push(item.sequence)
    this.#size += 1
  }

  /** Whether the item was here. */
  delete({ sequence }: T): boolean {
    const at = this.#indexOf(sequence)
    if (this.#sequences[at] !== sequence || this.#items[at] === null) return false
    this.#items[at] = null
    this.#size -= 1
    this.#dropHolesAtTheEnd()
    if (this.#items.length > 2 * this.#size + HOLES_LEFT_ALONE) this.#closeHoles()
    return true
  }

  /** Oldest first. To add or delete on the way, walk a copy. */
  [Symbol.iterator](): Iterator<T, undefined> {
    return new Walk(this.#items)
  }

  #indexOf(sequence: number): number {
    const sequences = this.#sequences
    let low = 0
    let high = sequences.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sequences[middle] as number) < sequence) low = middle + 1
      else high = middle
    }
    return low
  }

  #dropHolesAtTheEnd(): void {
    const items = this.#items
    while (items.length > 0 && items[items.length - 1] === null) {
      items.pop()
      this.#sequences.pop()
    }
  }

  #closeHoles(): void {
    let kept = 0
    for (const item of this.#items) {
      if (item === null) continue
      this.#items[kept] = item
      this.#sequences[kept] = item.sequence
      kept += 1
    }
    this.#items.length = kept
    this.#sequences.length = kept
  }
}

const HOLES_LEFT_ALONE = 16

/** Answers with itself: rosters are walked with every command. */
class Walk<T> implements Iterator<T, undefined> {
  value: T | undefined
  done = false
  readonly #items: readonly (T | null)[]
  #at = 0

  constructor(items: readonly (T | null)[]) {
    this.#items = items
  }

  next(): IteratorResult<T, undefined> {
    while (this.#at < this.#items.length) {
      const item = this.#items[this.#at++] as T | null
      if (item === null) continue
      this.value = item
      return this as IteratorYieldResult<T>
    }
    this.value = undefined
    this.done = true
    return this as IteratorReturnResult<undefined>
  }
}
