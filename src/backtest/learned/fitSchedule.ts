/** When the fits of a model are due, and from when on each is used: instants of market time, so that a backtest and a live run have the same. */
import type { Bar } from '../strategy/bar.ts'
import { intervalMs } from '../strategy/interval.ts'
import type { Learning } from './learning.ts'

/** Of any length zero: a fit is used from the bar on with which it is made. */
const AT_ONCE = /^0[mhd]$/

/** What is said of the time between a fit and its use; null where there is none. */
export function delayOf({ takesEffectAfter }: Pick<Learning, 'takesEffectAfter'>): string | null {
  return takesEffectAfter === undefined || AT_ONCE.test(takesEffectAfter) ? null : takesEffectAfter
}

export class FitSchedule {
  readonly windowMs: number
  readonly #everyMs: number
  readonly #delayMs: number
  /** Of the bars it is learned of, where they are longer than those of the data; else 1. */
  readonly #barMs: number
  /** The last whole multiple of the time between fits that has been reached. */
  #instant: number | null = null

  /** @throws RangeError for what is no interval, and for fits that would be used only after the next one is due. */
  constructor(name: string, learning: Pick<Learning, 'window' | 'every' | 'interval' | 'takesEffectAfter'>) {
    const { window, every, interval } = learning
    const delay = delayOf(learning)
    this.windowMs = intervalMs(window)
    this.#everyMs = intervalMs(every)
    this.#delayMs = delay === null ? 0 : intervalMs(delay)
    this.#barMs = interval === undefined ? 1 : intervalMs(interval)
    if (this.#delayMs > this.#everyMs)
      throw new RangeError(
        `a fit of ${name} takes effect at the latest when the next is due, so after ${every} at most, not ${delay}`,
      )
  }

  get isDelayed(): boolean {
    return this.#delayMs > 0
  }

  /** Whether it is the first bar that closes at or after a multiple of the time between fits. Ask once of every bar. */
  isDue({ closeTime }: Bar): boolean {
    const instant = this.instantOf(closeTime)
    const isDue = this.#instant !== null && instant > this.#instant
    this.#instant = instant
    return isDue
  }

  /** Bars up to this time, epoch ms, have been asked of elsewhere. */
  goOnFrom(to: number): void {
    this.#instant = this.instantOf(to)
  }

  /** How many times one would have been due since 1970 by the end of a bar, epoch ms. */
  instantOf(closeTime: number): number {
    return Math.floor((closeTime + 1) / this.#everyMs)
  }

  /**
   * The first bar that ends then or later is the first that is foretold by a fit that is begun with a bar of the data that ends at a time; epoch
   * ms. Longer bars end at whole multiples of their length.
   */
  takesEffectAt(toldAt: number): number {
    return Math.ceil((toldAt + 1 + this.#delayMs) / this.#barMs) * this.#barMs - 1
  }
}
