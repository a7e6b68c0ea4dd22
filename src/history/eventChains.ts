/** What happened to positions, as places in the log: each event leads to the one before it. Rows of chains that are dropped are used again. */
import { NumberColumn, type Place, PlaceColumn } from './placeColumns.ts'

/** An event of a chain, and the number of the order behind it; null where none is. */
export interface ChainedEvent extends Place {
  readonly order: number | null
}

/** A chain as it was when it was walked, oldest first: numbers only, because as many answers may wait over it as clients read none. */
export class WalkedChain {
  readonly #seqs: Float64Array
  /** Of each event its index and the number of its order + 1. */
  readonly #rest: Int32Array

  constructor(length: number) {
    this.#seqs = new Float64Array(length)
    this.#rest = new Int32Array(2 * length)
  }

  get length(): number {
    return this.#seqs.length
  }

  at(position: number): ChainedEvent {
    const [index, order] = [this.#rest[2 * position] as number, this.#rest[2 * position + 1] as number]
    return { seq: this.#seqs[position] as number, index, order: order === 0 ? null : order - 1 }
  }

  set(position: number, { seq, index }: Place, order: number): void {
    this.#seqs[position] = seq
    this.#rest[2 * position] = index
    this.#rest[2 * position + 1] = order
  }
}

export class EventChains {
  readonly #places = new PlaceColumn()
  /** Of the event before, its row + 1; of a row that is free, that of the next free one. */
  readonly #before = new NumberColumn()
  /** Its number + 1. */
  readonly #orders = new NumberColumn()
  #rows = 0
  #free = 0

  get room(): number {
    return this.#places.room + this.#before.room + this.#orders.room
  }

  /** `before`: the row of the event before. Gives that of this. */
  add(seq: number, index: number, before: number | null, order: number | null): number {
    const row = this.#freeRow()
    this.#places.set(row, seq, index)
    this.#before.set(row, before === null ? 0 : before + 1)
    this.#orders.set(row, order === null ? 0 : order + 1)
    return row
  }

  upTo(last: number): WalkedChain {
    let length = 0
    for (let next = last + 1; next > 0; next = this.#before.at(next - 1)) length += 1
    const chain = new WalkedChain(length)
    for (let next = last + 1; next > 0; next = this.#before.at(next - 1))
      chain.set(--length, this.#places.at(next - 1), this.#orders.at(next - 1))
    return chain
  }

  drop(last: number): void {
    for (let next = last + 1; next > 0; ) {
      const row = next - 1
      next = this.#before.at(row)
      this.#before.set(row, this.#free)
      this.#free = row + 1
    }
  }

  #freeRow(): number {
    if (this.#free === 0) return this.#rows++
    const row = this.#free - 1
    this.#free = this.#before.at(row)
    return row
  }
}
