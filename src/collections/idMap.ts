/**
 * Things by the engine's own ids, oldest first. The digits of those are random already and serve as the hash, so that
 * finding a place touches a word of a table instead of the texts that live nearby; which matters once there are more of
 * them than a processor's caches hold. Open addressing with linear probing.
 */
export class IdMap<T> {
  /** Place + 1 of an item, FREE, or LEFT where something else may follow. */
  #table = new Int32Array(SMALLEST)
  /** Words of the table that are not free. */
  #used = 0
  /** What left leaves a hole behind, until the table is made anew. */
  #ids: (string | null)[] = []
  /** Of the ids at the same places, so that a new table can be made without looking at any text. */
  #hashes = new Int32Array(SMALLEST)
  #items: (T | null)[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Words of memory it takes, in proportion to its size: what left gives its room back. */
  get room(): number {
    return this.#table.length + this.#hashes.length + 2 * this.#ids.length
  }

  get(id: string): T | undefined {
    const at = this.#find(id)
    return at === NOWHERE ? undefined : (this.#items[this.#placeAt(at)] as T)
  }

  /**
   * The one that has to be here.
   *
   * @throws ReferenceError where it is not.
   */
  known(id: string): T {
    const found = this.get(id)
    if (found === undefined) throw new ReferenceError(`nothing known has the id ${id}`)
    return found
  }

  /** `id` is not here yet. */
  add(id: string, item: T): void {
    if (2 * this.#used >= this.#table.length) this.#remake()
    const place = this.#ids.length
    if (place === this.#hashes.length) this.#hashes = grown(this.#hashes)
    const hash = hashOf(id)
    this.#hashes[place] = hash
    this.#ids.push(id)
    this.#items.push(item)
    this.#enter(hash, place)
    this.#size += 1
  }

  /** Whether it was here. */
  delete(id: string): boolean {
    const at = this.#find(id)
    if (at === NOWHERE) return false
    const place = this.#placeAt(at)
    this.#ids[place] = null
    this.#items[place] = null
    this.#size -= 1
    this.#leave(at)
    this.#dropHolesAtTheEnd()
    if (this.#isMostlyEmpty()) this.#remake()
    return true
  }

  /** Oldest first. What is added or deleted on the way may be met or not; everything else is. */
  *values(): Generator<T> {
    for (const item of this.#items) if (item !== null) yield item
  }

  /** Where in the table an id is. */
  #find(id: string): number {
    const table = this.#table
    const mask = table.length - 1
    for (let at = hashOf(id) & mask; ; at = (at + 1) & mask) {
      const entry = table[at] as number
      if (entry === FREE) return NOWHERE
      if (entry !== LEFT && this.#ids[entry - 1] === id) return at
    }
  }

  #placeAt(at: number): number {
    return (this.#table[at] as number) - 1
  }

  #enter(hash: number, place: number): void {
    const table = this.#table
    const mask = table.length - 1
    let at = hash & mask
    while (table[at] !== FREE) at = (at + 1) & mask
    table[at] = place + 1
    this.#used += 1
  }

  /** What nothing follows is free at once, and so is what left before it. */
  #leave(at: number): void {
    const table = this.#table
    const mask = table.length - 1
    table[at] = LEFT
    if (table[(at + 1) & mask] !== FREE) return
    for (let last = at; table[last] === LEFT; last = (last - 1) & mask) {
      table[last] = FREE
      this.#used -= 1
    }
  }

  #dropHolesAtTheEnd(): void {
    const ids = this.#ids
    while (ids.length > 0 && ids[ids.length - 1] === null) {
      ids.pop()
      this.#items.pop()
    }
  }

  /** Whether more than half of the places are holes, or a table a quarter as large would do. */
  #isMostlyEmpty(): boolean {
    const holes = this.#ids.length - this.#size
    return holes > this.#size + SMALLEST || this.#table.length > 16 * Math.max(this.#size, SMALLEST)
  }

  /** A table of the right size, without what left. */
  #remake(): void {
    this.#closeHoles()
    let length = SMALLEST
    while (length < 4 * this.#size) length *= 2
    // Room for as many places as fit in before the table is made anew.
    if (this.#hashes.length > length) this.#hashes = this.#hashes.slice(0, length)
    this.#table = new Int32Array(length)
    this.#used = 0
    for (let place = 0; place < this.#ids.length; place++) this.#enter(this.#hashes[place] as number, place)
  }

  /** Into lists of their own: whoever walks the old ones goes on. */
  #closeHoles(): void {
    if (this.#ids.length === this.#size) return
    const [ids, items] = [this.#ids, this.#items]
    this.#ids = []
    this.#items = []
    for (let place = 0; place < ids.length; place++) {
      const id = ids[place] as string | null
      if (id === null) continue
      this.#hashes[this.#ids.length] = this.#hashes[place] as number
      this.#ids.push(id)
      this.#items.push(items[place] as T)
    }
  }
}

const SMALLEST = 64
const FREE = 0
const LEFT = -1
const NOWHERE = -1

function grown(hashes: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * hashes.length)
  larger.set(hashes)
  return larger
}

/** The first eight hexadecimal digits as a number; any other text gives some number, too. */
export function hashOf(id: string): number {
  let hash = 0
  for (let at = 0; at < 8; at++) {
    const code = id.charCodeAt(at)
    hash = (hash << 4) | ((code + (code >> 6) * 9) & 15)
  }
  return hash
}
