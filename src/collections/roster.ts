/**
 * What belongs to an account, a market or a position, oldest first. Creation sequences only grow, so a new item goes to
 * the end and one that leaves is found by bisection: no hashing, and nothing is allocated where few come and go. Most rosters
 * are the stop and the take of a position: two items take no list.
 */
export class Roster<T extends { readonly sequence: number }> implements Iterable<T> {
  #first: T | null = null
  #second: T | null = null
  /** All of them, once they have been more than two, until none is left. */
  #many: ManyItems<T> | null = null

  get size(): number {
    if (this.#many !== null) return this.#many.size
    return (this.#first === null ? 0 : 1) + (this.#second === null ? 0 : 1)
  }

  /** `item` is newer than everything that was ever here. */
  add(item: T): void {
    if (this.#many !== null) return this.#many.add(item)
    if (this.#second === null) {
      if (this.#first === null) this.#first = item
      else this.#second = item
    } else if (this.#first === null) {
      this.#first = this.#second
      this.#second = item
    } else {
      this.#many = new ManyItems([this.#first, this.#second, item])
      this.#first = null
      this.#second = null
    }
  }

  /** Whether the item was here. */
  delete(item: T): boolean {
    const many = this.#many
    if (many !== null) {
      const wasHere = many.delete(item)
      if (many.size === 0) this.#many = null
      return wasHere
    }
    if (this.#second === item) this.#second = null
    else if (this.#first === item) this.#first = null
    else return false
    return true
  }

  /** Oldest first. To add or delete on the way, walk a copy. */
  [Symbol.iterator](): Iterator<T, undefined> {
    const many = this.#many
    return many === null ? new FewWalk(this.#first, this.#second) : new Walk(many.items)
  }
}

/** A roster of any length. */
class ManyItems<T extends { readonly sequence: number }> {
  /** Who left leaves a hole behind, until holes are the majority. */
  items: (T | null)[]
  size: number
  /** The sequence of every item, ascending over the holes; null while the list is short enough to be looked through. */
  #sequences: number[] | null = null

  constructor(items: T[]) {
    this.items = items
    this.size = items.length
  }

  add(item: T): void {
    this.size += 1
    this.items.push(item)
    if (this.#sequences !== null) this.#sequences.push(item.sequence)
    else if (this.items.length > SHORT) this.#sequences = sequencesOf(this.items)
  }

  delete(item: T): boolean {
    const at = this.#placeOf(item)
    if (this.items[at] !== item) return false
    this.items[at] = null
    this.size -= 1
    this.#dropHolesAtTheEnd()
    if (this.items.length > 2 * this.size + SHORT) this.#closeHoles()
    return true
  }

  /** What leaves is often what came last. */
  #placeOf(item: T): number {
    const last = this.items.length - 1
    if (this.items[last] === item) return last
    return this.#sequences === null ? this.items.indexOf(item) : bisect(this.#sequences, item.sequence)
  }

  #dropHolesAtTheEnd(): void {
    const { items } = this
    while (items.length > 0 && items[items.length - 1] === null) {
      items.pop()
      this.#sequences?.pop()
    }
  }

  #closeHoles(): void {
    this.items = this.items.filter((item) => item !== null)
    this.#sequences = this.items.length > SHORT ? sequencesOf(this.items) : null
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
class FewWalk<T> implements Iterator<T, undefined> {
  value: T | undefined
  done = false
  #next: T | null
  #last: T | null

  constructor(first: T | null, second: T | null) {
    this.#next = first ?? second
    this.#last = first === null ? null : second
  }

  next(): IteratorResult<T, undefined> {
    this.value = this.#next ?? undefined
    this.done = this.#next === null
    this.#next = this.#last
    this.#last = null
    return this as IteratorResult<T, undefined>
  }
}

/** As of few. */
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
