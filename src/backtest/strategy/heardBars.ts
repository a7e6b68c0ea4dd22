/** The bars that a strategy has heard, as the longer ones it asks for, and the indicators that are computed of them. */
import { toNumber } from '../numbers/toNumber.ts'
import { type Calculation, type Candle, Indicator, type IndicatorOptions } from './indicator.ts'
import { LongerBars } from './longerBars.ts'
import type { Bar } from './strategy.ts'

/** An indicator, and the bars it is computed of: null = every bar. */
interface Kept {
  readonly indicator: Indicator
  readonly interval: string | null
}

/**
 * Bars are kept only in the lengths that are asked for, and from the first asking on; so the first asking has to come before any
 * market has told its second bar, or the answer would lack what was before it without a word. So it is with indicators.
 */
export class HeardBars {
  readonly #longer = new Map<string, LongerBars>()
  readonly #kept: Kept[] = []
  /** The first bar of each market, in their order, until one tells its second. */
  readonly #first = new Map<string, Bar>()
  readonly #onIndicator: ((indicator: Indicator, bar: Bar) => void) | null
  #isLate = false

  /** `onIndicator` is told of each indicator of a bar's market, as it is at that bar. */
  constructor(onIndicator: ((indicator: Indicator, bar: Bar) => void) | null = null) {
    this.#onIndicator = onIndicator
  }

  /**
   * Call with every bar just before a strategy is told of it, and with its close as a double where that is at hand.
   *
   * @throws RangeError for a bar longer than one that was asked for.
   */
  add(bar: Bar, close = toNumber(bar.close)): void {
    if (!this.#isLate) {
      this.#isLate = this.#first.has(bar.asset)
      this.#first.set(bar.asset, bar)
    }
    this.#addTo(null, bar, close)
    if (this.#longer.size > 0) this.#addLonger(bar)
    if (this.#onIndicator === null) return
    for (const { indicator } of this.#kept)
      if (indicator.asset === bar.asset) this.#onIndicator(indicator, bar)
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

  /**
   * An indicator of a market, which is up to date from now on.
   *
   * @throws RangeError for what is no interval, and where it comes too late.
   */
  indicator<Input, Result>(
    asset: string,
    name: string,
    calculation: Calculation<Input, Result>,
    options: IndicatorOptions<keyof Candle | 'candle'> = {},
  ): Indicator<Result> {
    if (this.#isLate)
      throw new RangeError(
        `the indicator ${name} is computed from the first bar on: make it in onStart or in the first onBar`,
      )
    const { interval = null } = options
    const indicator = new Indicator<Result>(asset, name, calculation as Calculation<never, Result>, options)
    const before = interval === null ? [this.#first.get(asset)] : this.of(asset, interval)
    for (const bar of before) if (bar !== undefined) indicator.add(bar, toNumber(bar.close))
    this.#kept.push({ indicator, interval })
    return indicator
  }

  #addLonger(bar: Bar): void {
    for (const [interval, longer] of this.#longer)
      for (const closed of longer.add(bar)) this.#addTo(interval, closed, toNumber(closed.close))
  }

  /** The indicators of bars of this length; null = every bar. */
  #addTo(interval: string | null, bar: Bar, close: number): void {
    for (let index = 0; index < this.#kept.length; index++) {
      const kept = this.#kept[index] as Kept
      if (kept.interval === interval && kept.indicator.asset === bar.asset) kept.indicator.add(bar, close)
    }
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
