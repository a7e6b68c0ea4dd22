/**
 * The best index price that one or more trailing stops have seen since they began to trail (F8). Stops whose peaks have met
 * share one from then on, because every later best price is the best for all of them. So a new best price is one number
 * written, and merging two peaks is one reference, however many stops have them: a union-find, linked by depth.
 */
import type { LevelEntry } from '../../collections/levelLeaf.ts'
import type { Price } from '../../quantity/units.ts'
import { type Direction, isBetter } from '../../terms/direction.ts'

export class RunningPeak implements LevelEntry {
  readonly direction: Direction
  /** How many resting stops have it. */
  stops = 0
  leaf: LevelEntry['leaf'] = null
  slot = 0
  #price: Price
  #into: RunningPeak | null = null
  /** The longest chain of merged peaks that leads here: at most log₂ of how many were merged. */
  #depth = 0

  constructor(direction: Direction, price: Price) {
    this.direction = direction
    this.#price = price
  }

  get price(): Price {
    return this.current.#price
  }

  /** The peak that it was merged into, through all mergers since; itself where it was not. */
  get current(): RunningPeak {
    let peak: RunningPeak = this
    while (peak.#into !== null) peak = peak.#into
    return peak
  }

  /** The peak that it was merged into directly; null where it was not. */
  get into(): RunningPeak | null {
    return this.#into
  }

  /** Whether an index price is better than the peak. */
  isPassedBy(indexPrice: Price): boolean {
    return isBetter(this.direction, indexPrice, this.#price)
  }

  moveTo(indexPrice: Price): void {
    this.#price = indexPrice
  }

  /** Makes one of two peaks. @returns the one that stays; the other leads to it. */
  mergedWith(other: RunningPeak): RunningPeak {
    if (other.#depth > this.#depth) return other.mergedWith(this)
    if (other.#depth === this.#depth) this.#depth += 1
    other.#into = this
    this.stops += other.stops
    return this
  }

  /** Ordered by price alone: of those that lie in one book all differ. */
  get level(): Price {
    return this.#price
  }

  get rank(): number {
    return 0
  }

  get sequence(): number {
    return 0
  }
}
