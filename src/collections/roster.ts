import { withOneMore } from './fewItems.ts'

/**
 * What belongs to an account, a market or a position, oldest first. Creation sequences only grow, so a new item goes to
 * the end and one that leaves is found by bisection: no hashing, and nothing is allocated where few come and go.
 */
export class Roster<T extends { readonly sequence: number }> implements Iterable<T> {
  /** Who left leaves a hole behind, until holes are the majority. */
  #items: (T | null)[] = []
  /** The sequence of every item, ascending over the holes; null while the list is short enough to be looked through. */
  #sequences: number[] | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  /** `item` is newer than everything that was ever here. */
  add(item: T): void {
    this.#size += 1
    this.#items = withOneMore(this.#items, item)
    if (this.#sequences !== null) this.#sequences.push(item.sequence)
    else if (this.#items.length > SHORT) this.#sequences = sequencesOf(this.#items)
  }

  /** Whether the item was here. */
  delete(item: T): boolean {
    const at = this.#placeOf(item)
    if (this.#items[at] !== item) return false
    this.#items[at] = null
    this.#size -= 1
    this.#dropHolesAtTheEnd()
    if (this.#items.length > 2 * this.#size + SHORT) this.#closeHoles()
    return true
  }

  /** What leaves is often what came last. */
  #placeOf(item: T): number {
    const last = this.#items.length - 1
    if (this.#items[last] === item) return last
    return this.#sequences === null ? this.#items.indexOf(item) : bisect(this.#sequences, item.sequence)
  }

  /** Oldest first. To add or delete on the way, walk a copy. */
  [Symbol.iterator](): Iterator<T, undefined> {
    return new Walk(this.#items)
  }

  #dropHolesAtTheEnd(): void {
    const items = this.#items
    while (items.length > 0 && items[items.length - 1] === null) {
      items.pop()
      this.#sequences?.pop()
    }
  }

  #closeHoles(): void {
    this.#items = this.#items.filter((item) => item !== null)
    this.#sequences = this.#items.length > SHORT ? sequencesOf(this.#items) : null
  }
}

const SHORT = 16

/** A hole repeats what is before it. */
function sequencesOf(items: readonly ({ readonly sequence: number } | null)[]): number[] {
  let last = 0
  return items.map((item) => {
    last = item?.sequence ?? last
    return last
  })
}

/** Where the first number that is not below `value` is. */
function bisect(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

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
