/** Lists of one account by market, in creation order, although things end out of order. */

import { withOneMore } from '../collections/fewItems.ts'

/** Numbers of what is kept, oldest first. */
interface NumberList {
  numbers: number[]
  /** The creation sequence of the last. */
  newest: number
}

/** Most accounts end something on one market: its list takes no map, and of few entries no room to spare. */
export class MarketLists {
  readonly #sequenceOf: (number: number) => number
  #marketId = ''
  #list: NumberList | null = null
  #others: Map<string, NumberList> | null = null

  constructor(sequenceOf: (number: number) => number) {
    this.#sequenceOf = sequenceOf
  }

  get(marketId: string): readonly number[] | undefined {
    return this.#listOf(marketId)?.numbers
  }

  /** The newest mostly end last. */
  insert(marketId: string, number: number, sequence: number): void {
    const list = this.#listOf(marketId)
    if (list === undefined) return this.#begin(marketId, { numbers: [number], newest: sequence })
    if (sequence > list.newest) {
      list.numbers = withOneMore(list.numbers, number)
      list.newest = sequence
      return
    }
    const { numbers } = list
    let [from, to] = [0, numbers.length - 1]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#sequenceOf(numbers[middle] as number) < sequence) from = middle + 1
      else to = middle
    }
    numbers.splice(from, 0, number)
  }

  *lists(): Generator<readonly number[]> {
    if (this.#list !== null) yield this.#list.numbers
    for (const { numbers } of this.#others?.values() ?? []) yield numbers
  }

  #listOf(marketId: string): NumberList | undefined {
    return this.#list !== null && this.#marketId === marketId ? this.#list : this.#others?.get(marketId)
  }

  #begin(marketId: string, list: NumberList): void {
    if (this.#list === null) {
      this.#marketId = marketId
      this.#list = list
    } else {
      this.#others ??= new Map()
      this.#others.set(marketId, list)
    }
  }
}
