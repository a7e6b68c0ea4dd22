/**
 * Where things are by their uuids, without the texts: a table of numbers and of the first digits of their ids, which are
 * random and serve as the hash. Whether a number is that of an id, its owner knows. Nothing leaves. Open addressing with
 * linear probing.
 */

const SMALLEST = 64
const FREE = 0
const NOWHERE = -1

/** Whether a number stands for the uuid of these four words. */
export type IsIt = (number: number, words: Uint32Array) => boolean

export class IdTable {
  readonly #isIt: IsIt
  /** Number + 1, or FREE. */
  #entries = new Int32Array(SMALLEST)
  /** Of what is at the same places. */
  #hashes = new Uint32Array(SMALLEST)
  #size = 0

  constructor(isIt: IsIt) {
    this.#isIt = isIt
  }

  /** The number of an id; −1 for an id that is not here. */
  get(words: Uint32Array): number {
    const at = this.#find(words)
    return at === NOWHERE ? NOWHERE : (this.#entries[at] as number) - 1
  }

  /** The id is not here yet. */
  add(words: Uint32Array, number: number): void {
    if (2 * this.#size >= this.#entries.length) this.#double()
    this.#enter(words[0] as number, number)
    this.#size += 1
  }

  *numbers(): Generator<number> {
    for (const entry of this.#entries) if (entry > FREE) yield entry - 1
  }

  #find(words: Uint32Array): number {
    const entries = this.#entries
    const mask = entries.length - 1
    const hash = words[0] as number
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const entry = entries[at] as number
      if (entry === FREE) return NOWHERE
      if (this.#hashes[at] === hash && this.#isIt(entry - 1, words)) return at
    }
  }

  #enter(hash: number, number: number): void {
    const mask = this.#entries.length - 1
    let at = hash & mask
    while (this.#entries[at] !== FREE) at = (at + 1) & mask
    this.#entries[at] = number + 1
    this.#hashes[at] = hash
  }

  #double(): void {
    const length = 2 * this.#entries.length
    const [entries, hashes] = [this.#entries, this.#hashes]
    this.#entries = new Int32Array(length)
    this.#hashes = new Uint32Array(length)
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] as number
      if (entry > FREE) this.#enter(hashes[at] as number, entry - 1)
    }
  }
}
