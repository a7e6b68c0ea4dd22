/** Prices of a lane as they are made, in columns that are taken away piece by piece. */

import type { TickColumns } from '../feed/columns.ts'
import { setWords, wordsOf } from '../numbers/int64Words.ts'
import { toPrice } from '../numbers/toNumber.ts'

const FIRST_ROOM = 256
const UNITS = 1e9

export class LaneTicks {
  /** How many there are to be taken. */
  length = 0
  /** Of the last one, epoch ms: time never goes back within a market. */
  time = Number.NEGATIVE_INFINITY
  /** How many of the same time came before the last one. */
  place = 0
  #times = new Float64Array(FIRST_ROOM)
  #prices = new BigInt64Array(FIRST_ROOM)
  #words = wordsOf(this.#prices)

  add(time: number, price: number): void {
    if (this.length === this.#times.length) this.#grow()
    this.place = time > this.time ? 0 : this.place + 1
    if (time > this.time) this.time = time
    const row = this.length++
    this.#times[row] = this.time
    // As `toPrice` rounds it, without a bigint where there can be one.
    const units = Math.round(price * UNITS)
    if (Number.isSafeInteger(units)) setWords(this.#words, row, units)
    else this.#prices[row] = toPrice(price)
  }

  /** Those that were added since the last call. */
  taken(): TickColumns {
    const { length } = this
    this.length = 0
    return { length, time: this.#times.slice(0, length), price: this.#prices.slice(0, length) }
  }

  #grow(): void {
    const times = new Float64Array(2 * this.#times.length)
    const prices = new BigInt64Array(times.length)
    times.set(this.#times)
    prices.set(this.#prices)
    this.#times = times
    this.#prices = prices
    this.#words = wordsOf(prices)
  }
}
