/** The bars that a strategy has heard, as the longer ones it asks for. */
import { LongerBars } from './longerBars.ts'
import type { Bar } from './strategy.ts'

/**
 * Bars are kept only in the lengths that are asked for, and from the first asking on; so the first asking has to come before any
 * market has told its second bar, or the answer would lack what was before it without a word.
 */
export class HeardBars {
  readonly #longer = new Map<string, LongerBars>()
  /** The first bar of each market, in their order, until one tells its second. */
  readonly #first = new Map<string, Bar>()
  #isLate = false

  /** Call with every bar just before a strategy is told of it. @throws RangeError for a bar longer than one that was asked for. */
  add(bar: Bar): void {
    if (!this.#isLate) {
      this.#isLate = this.#first.has(bar.asset)
      this.#first.set(bar.asset, bar)
    }
    for (const longer of this.#longer.values()) longer.add(bar)
  }

  /**
   * The closed bars of a market in this length, oldest first.
   *
   * @throws RangeError for what is no interval, one shorter than the bars heard, or one first asked for too late.
   */
  of(asset: string, interval: string): readonly Bar[] {
    const longer = this.#longer.get(interval) ?? this.#begun(interval)
    return longer.of(asset)
  }

  #begun(interval: string): LongerBars {
    const longer = new LongerBars(interval)
    if (this.#isLate)
      throw new RangeError(
        `bars of ${interval} are kept from the first asking on: ask for them in onStart or in the first onBar`,
      )
    for (const bar of this.#first.values()) longer.add(bar)
    this.#longer.set(interval, longer)
    return longer
  }
}
