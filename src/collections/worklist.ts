/** Items gathered while a command is decided. The list keeps its room from one command to the next. */
export class Worklist<T> {
  readonly #items: T[] = []
  #size = 0

  get isEmpty(): boolean {
    return this.#size === 0
  }

  get size(): number {
    return this.#size
  }

  add(item: T): void {
    if (this.#size === this.#items.length) this.#items.push(item)
    else this.#items[this.#size] = item
    this.#size += 1
  }

  /** @throws RangeError beyond the items there are. */
  at(index: number): T {
    if (index >= this.#size) throw new RangeError(`no item ${index} of ${this.#size}`)
    return this.#items[index] as T
  }

  /** The one added last, of a list that is not empty. */
  get last(): T {
    return this.#items[this.#size - 1] as T
  }

  /** Everything added since the list was last emptied, in an array without spare room. */
  toArray(): T[] {
    return this.#items.slice(0, this.#size)
  }

  clear(): void {
    this.#size = 0
    if (this.#items.length > ROOM_KEPT) this.#items.length = 0
  }
}

/** Beyond this a list gives its room back: a crash through a whole market leaves no trace. */
const ROOM_KEPT = 64
