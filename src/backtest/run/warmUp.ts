/**
 * What strategies are told before a run begins: prices they may learn from and not trade on. The engine hears of none of it, so
 * the account begins on the first day of the run, and the run is the one that would have been without.
 */
import type { Price } from '../../quantity/units.ts'

export class WarmUp {
  /** Whether it is going on: actions are refused. */
  isOn = false
  /** Time of the last price told, epoch ms. */
  now = 0
  /** Rows told. */
  rows = 0
  readonly #prices = new Map<string, Price>()

  /** Call with every price before it is told. */
  priced(marketId: string, price: Price, time: number): void {
    this.isOn = true
    this.now = time
    this.#prices.set(marketId, price)
  }

  /** The last price of a market, 0n before its first. */
  priceOf(marketId: string): Price {
    return this.#prices.get(marketId) ?? 0n
  }
}
