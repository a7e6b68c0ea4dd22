/** Trailing stops that share a running peak, and will share it from now on: a peak overtaken is never left again (F8). */

import { LevelBook, type LevelEntry } from '../../collections/levelBook.ts'
import type { Price } from '../../quantity/units.ts'
import type { FiringSide } from '../../terms/orderTypes.ts'
import { trailingTriggerPrice } from '../formulas/trailingStop.ts'
import type { Order } from '../state/order.ts'

/** A trailing stop; ordered by its offset, which does not change, instead of its trigger price, which does. */
export interface TrailingStop extends LevelEntry {
  readonly order: Order
  /** null while it waits for its activation price. */
  segment: TrailingSegment | null
  /** Where it waits; null once it is in a segment. */
  waiting: WaitingStop | null
}

/** A trailing stop under its activation price. */
export interface WaitingStop extends LevelEntry {
  readonly stop: TrailingStop
}

/** A segment under the nearest trigger price of its stops. */
export interface SegmentTrigger extends LevelEntry {
  readonly segment: TrailingSegment
}

/** Ordered by its peak, which moves only while the segment is in no book. */
export class TrailingSegment implements LevelEntry {
  /** From which side the price reaches the trigger prices. */
  readonly side: FiringSide
  peak: Price
  readonly rank = 0
  readonly sequence: number
  /** Where it waits for its nearest trigger price; null while it waits nowhere. */
  trigger: SegmentTrigger | null = null
  /** Smallest offset first. At one peak a larger fraction never has a nearer trigger, whatever is rounded off. */
  #absolute: LevelBook<TrailingStop> | null = null
  #percent: LevelBook<TrailingStop> | null = null

  constructor(side: FiringSide, peak: Price, sequence: number) {
    this.side = side
    this.peak = peak
    this.sequence = sequence
  }

  get level(): Price {
    return this.peak
  }

  get size(): number {
    return (this.#absolute?.size ?? 0) + (this.#percent?.size ?? 0)
  }

  add(stop: TrailingStop): void {
    stop.segment = this
    this.#bookOf(stop.order).insert(stop)
  }

  remove(stop: TrailingStop): void {
    stop.segment = null
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
    return trailingTriggerPrice(stop.order, this.peak)
  }

  /** The trigger price a moving index reaches first; 0 = none (J20). */
  nearestTriggerPrice(): Price {
    const absolute = this.#nearestOf(this.#absolute)
    const percent = this.#nearestOf(this.#percent)
    if (absolute === 0n) return percent
    if (percent === 0n) return absolute
    const nearer = this.side === 'below' ? absolute > percent : absolute < percent
    return nearer ? absolute : percent
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
