// The states seen so far, 64 bits each, and how each was first reached: 21 bytes a state where objects would take
// hundreds.

import { digest } from './fingerprint.ts'

export class StateSet {
  /** Place + 1 of a state; 0 = free. Open addressing with linear probing. */
  #table = new Int32Array(1 << 16)
  #low = new Int32Array(1 << 15)
  #high = new Int32Array(1 << 15)
  #parent = new Int32Array(1 << 15)
  #move = new Uint8Array(1 << 15)
  #size = 0

  get size(): number {
    return this.#size
  }

  parentOf(place: number): number {
    return this.#parent[place] as number
  }

  /** Which move of the scene led here from the parent. */
  moveOf(place: number): number {
    return this.#move[place] as number
  }

  /** Whether the state with this fingerprint is new; if so, it is now the last. */
  add(fingerprint: string, parent: number, move: number): boolean {
    const [low, high] = digest(fingerprint)
    let at = this.#start(low)
    for (; this.#table[at] !== 0; at = (at + 1) & (this.#table.length - 1)) {
      const place = (this.#table[at] as number) - 1
      if (this.#low[place] === low && this.#high[place] === high) return false
    }
    const place = this.#size++
    if (place === this.#low.length) this.#grow()
    this.#low[place] = low
    this.#high[place] = high
    this.#parent[place] = parent
    this.#move[place] = move
    this.#enter(place)
    return true
  }

  #start(low: number): number {
    return low & (this.#table.length - 1)
  }

  #enter(place: number): void {
    let at = this.#start(this.#low[place] as number)
    while (this.#table[at] !== 0) at = (at + 1) & (this.#table.length - 1)
    this.#table[at] = place + 1
  }

  #grow(): void {
    this.#low = larger(this.#low)
    this.#high = larger(this.#high)
    this.#parent = larger(this.#parent)
    const moves = new Uint8Array(2 * this.#move.length)
    moves.set(this.#move)
    this.#move = moves
    this.#table = new Int32Array(2 * this.#table.length)
    for (let place = 0; place < this.#size - 1; place++) this.#enter(place)
  }
}

function larger(words: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(2 * words.length)
  grown.set(words)
  return grown
}
