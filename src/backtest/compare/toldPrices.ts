/** The prices that a journal has told of a market, found by their time. */
import type { Price } from '../../quantity/units.ts'
import type { ToldMarket } from './fillDifference.ts'

export class ToldPrices implements ToldMarket {
  readonly #times: number[] = []
  readonly #prices: Price[] = []
  /** What was known before the first of them. */
  readonly firstPrice: Price

  constructor(firstPrice: Price) {
    this.firstPrice = firstPrice
  }

  /** Times never go back. */
  add(time: number, price: Price): void {
    this.#times.push(Math.max(time, this.#times.at(-1) ?? 0))
    this.#prices.push(price)
  }

  get lastPrice(): Price {
    return this.#prices.at(-1) ?? this.firstPrice
  }

  priceAt(time: number): Price {
    let [low, high] = [0, this.#times.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#times[middle] as number) <= time) low = middle + 1
      else high = middle
    }
    return this.#prices[low - 1] ?? this.firstPrice
  }
}
