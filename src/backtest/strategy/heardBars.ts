/** The bars that a strategy has heard, as the longer ones it asks for, and the indicators that are computed of them. */
import { Learned } from '../learned/learned.ts'
import type { Learning } from '../learned/learning.ts'
import type { ModelShelf } from '../learned/modelShelf.ts'
import { toNumber } from '../numbers/toNumber.ts'
import {
  type Calculation,
  type Charted,
  Indicator,
  type IndicatorInput,
  type IndicatorOptions,
} from './indicator.ts'
import { LongerBars } from './longerBars.ts'
import type { Bar } from './strategy.ts'

/** An indicator, and the bars it is computed of: null = every bar. */
interface Kept {
  readonly indicator: Indicator
  readonly interval: string | null
}

/** A model that is learned, and the bars it is learned of: null = every bar. */
interface KeptLearned {
  readonly learned: Learned
  readonly interval: string | null
}

/**
 * Bars are kept only in the lengths that are asked for, and from the first asking on; so the first asking has to come before any
 * market has told its second bar, or the answer would lack what was before it without a word. So it is with indicators.
 */
export class HeardBars {
  readonly #longer = new Map<string, LongerBars>()
  /** Those that the last bar has closed, by length. */
  readonly #closed = new Map<string, readonly Bar[]>()
  readonly #kept: Kept[] = []
  readonly #learned: KeptLearned[] = []
  /** The first bar of each market, in their order, until one tells its second. */
  readonly #first = new Map<string, Bar>()
  readonly #onIndicator: ((charted: Charted, bar: Bar) => void) | null
  readonly #models: ModelShelf | null
  #isLate = false

  /** `onIndicator` is told of each indicator and each model of a bar's market, as it is at that bar; `models` are those to go on from. */
  constructor(
    onIndicator: ((charted: Charted, bar: Bar) => void) | null = null,
    models: ModelShelf | null = null,
  ) {
    this.#onIndicator = onIndicator
    this.#models = models
  }

  /**
   * Ask before every {@link add}: a fit that is used from this bar on may not be done.
   *
   * @returns undefined where nothing has to be waited for; else whether it is done: false once the run was left, and nobody is to be told of the
   * bar.
   */
  ready(bar: Bar): Promise<boolean> | undefined {
    for (const { learned } of this.#learned) {
      const ready = learned.asset === bar.asset ? learned.ready(bar) : undefined
      // Another may have to be waited for as well.
      if (ready !== undefined) return ready.then((isDone) => (isDone ? (this.ready(bar) ?? true) : false))
    }
    return undefined
  }

  /**
   * Call with every bar just before a strategy is told of it, and with its close as a double where that is at hand.
   *
   * @throws RangeError for a bar longer than one that was asked for; LearningFailure for what a model is learned by.
   */
  add(bar: Bar, close = toNumber(bar.close)): void {
    if (!this.#isLate) {
      this.#isLate = this.#first.has(bar.asset)
      this.#first.set(bar.asset, bar)
    }
    this.#addTo(null, bar, close)
    if (this.#longer.size > 0) this.#addLonger(bar)
    // Features may be made of any indicator.
    if (this.#learned.length > 0) this.#learn(bar)
    if (this.#onIndicator === null) return
    for (const { indicator } of this.#kept)
      if (indicator.asset === bar.asset) this.#onIndicator(indicator, bar)
    for (const { learned } of this.#learned) if (learned.asset === bar.asset) this.#onIndicator(learned, bar)
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
    options: IndicatorOptions<IndicatorInput> = {},
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

  /**
   * A model of a market, which is learned from now on.
   *
   * @throws RangeError for what is no interval, numbers out of range, and where it comes too late; KeptModelError for a kept model that is
   * another, and for one that cannot be kept.
   */
  learn(asset: string, name: string, learning: Learning, isCharted = true): Learned {
    if (this.#isLate)
      throw new RangeError(
        `the model ${name} is learned from the first bar on: make it in onStart or in the first onBar`,
      )
    const { interval = null } = learning
    // Kept are the models of the account that is told of.
    const models = isCharted ? this.#models : null
    const learned = new Learned(asset, name, learning, isCharted, models?.next(asset, name))
    if (models?.keeps === true) learned.mustBeKeepable()
    models?.add(learned)
    const before = interval === null ? [this.#first.get(asset)] : this.of(asset, interval)
    for (const bar of before) if (bar !== undefined) learned.add(bar, bar.closeTime)
    this.#learned.push({ learned, interval })
    return learned
  }

  #addLonger(bar: Bar): void {
    this.#closed.clear()
    for (const [interval, longer] of this.#longer) {
      const closed = longer.add(bar)
      for (const one of closed) this.#addTo(interval, one, toNumber(one.close))
      if (closed.length > 0) this.#closed.set(interval, closed)
    }
  }

  /** A longer bar that was left open ends with a bar that is not its own: indicators know more by then than it does. */
  #learn(bar: Bar): void {
    for (const { learned, interval } of this.#learned) {
      if (learned.asset !== bar.asset) continue
      if (interval === null) learned.add(bar, bar.closeTime)
      else for (const closed of this.#closed.get(interval) ?? []) learned.add(closed, bar.closeTime)
    }
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
