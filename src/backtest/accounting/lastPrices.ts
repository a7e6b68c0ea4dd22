/** The last price of each market of a run, as a bigint and as a double, each made when it is asked for. */
import { safeInteger } from '../../quantity/safeIntegers.ts'
import type { Price } from '../../quantity/units.ts'

export class LastPrices {
  /** Null where only the double is known. */
  readonly #prices: (Price | null)[]
  readonly #safe: number[]

  constructor(markets: number) {
    this.#prices = new Array<Price | null>(markets).fill(0n)
    this.#safe = new Array<number>(markets).fill(0)
  }

  set(market: number, price: Price): void {
    this.#prices[market] = price
    this.#safe[market] = safeInteger(price)
  }

  setSafe(market: number, price: number): void {
    this.#prices[market] = null
    this.#safe[market] = price
  }

  /** 0 before the first. */
  of(market: number): Price {
    const price = this.#prices[market] ?? BigInt(this.#safe[market] as number)
    this.#prices[market] = price
    return price
  }

  /** NaN where the price is no safe integer. */
  safeOf(market: number): number {
    return this.#safe[market] as number
  }
}
