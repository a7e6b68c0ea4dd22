/** The trailing stops that have one peak, in the order in which a price that comes back from it reaches them (F8). */

import { LevelBook } from '../../collections/levelBook.ts'
import type { LevelEntry } from '../../collections/levelLeaf.ts'
import type { Price } from '../../quantity/units.ts'
import { trailingDistance, trailingTriggerPrice } from '../formulas/trailingStop.ts'
import type { Order } from '../state/order.ts'
import type { RunningPeak } from '../state/runningPeak.ts'

/** A trailing stop; ordered by its offset, which does not change, instead of its trigger price, which does. */
export interface TrailingStop extends LevelEntry {
  readonly order: Order
}

/** A segment under the nearest trigger price of its stops. */
export interface SegmentTrigger extends LevelEntry {
  readonly segment: TrailingSegment
}

export class TrailingSegment {
  /** Another one when it becomes a part of another. */
  peak: RunningPeak
  readonly sequence: number
  /** Where it waits for its nearest trigger price; null while it waits nowhere. */
  trigger: SegmentTrigger | null = null
  /** Smallest offset first. At one peak a larger fraction never has a nearer trigger, whatever is rounded off. */
  #absolute: LevelBook<TrailingStop> | null = null
  #percent: LevelBook<TrailingStop> | null = null

  constructor(peak: RunningPeak, sequence: number) {
    this.peak = peak
    this.sequence = sequence
  }

  get size(): number {
    return (this.#absolute?.size ?? 0) + (this.#percent?.size ?? 0)
  }

  add(stop: TrailingStop): void {
    this.#bookOf(stop.order).insert(stop)
  }

  remove(stop: TrailingStop): void {
    this.#bookOf(stop.order).remove(stop)
  }

  takeOver(other: TrailingSegment): void {
    other.walk((stop) => {
      this.add(stop)
      return true
    })
  }

  /** Both kinds of offset, each from the nearest trigger price on until `visit` returns false. */
  walk(visit: (stop: TrailingStop) => boolean): void {
    this.#absolute?.walk(visit)
    this.#percent?.walk(visit)
  }

  triggerPriceOf(stop: TrailingStop): Price {
    return trailingTriggerPrice(stop.order, this.peak.price)
  }

  /** The trigger price a moving index reaches first; 0 = none (J20). */
  nearestTriggerPrice(): Price {
    const absolute = this.#nearestOf(this.#absolute)
    const percent = this.#nearestOf(this.#percent)
    if (absolute === 0n) return percent
    if (percent === 0n) return absolute
    const nearer = this.peak.direction === 'long' ? absolute > percent : absolute < percent
    return nearer ? absolute : percent
  }

  /** Whether a stop would lie at no distance from a peak: only a fraction rounds to nothing. */
  wouldTouch(peak: Price): boolean {
    const least = this.#percent?.nearest ?? null
    return least !== null && trailingDistance(least.order, peak) === 0n
  }

  #nearestOf(book: LevelBook<TrailingStop> | null): Price {
    const nearest = book?.nearest ?? null
    return nearest === null ? 0n : this.triggerPriceOf(nearest)
  }

  /** Most segments are of one stop: a book is made for the first of its kind. */
  #bookOf(order: Order): LevelBook<TrailingStop> {
    if (order.trailingStopOffset > 0n) {
      this.#absolute ??= new LevelBook('above')
      return this.#absolute
    }
    this.#percent ??= new LevelBook('above')
    return this.#percent
  }
}
