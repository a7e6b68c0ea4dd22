/**
 * The trigger prices of the trailing stops of one market and direction (F8, J21), by their peaks, which are the state's. A
 * tick moves no stop: those that have one peak are a segment, their trigger prices are derived from it, and where peaks
 * become one the smaller segment is merged into the larger, so that a stop changes its segment at most log n times.
 *
 * The segment of the peak that the price passes next leads. It lies in no book, so that after a new peak one trigger price
 * is derived.
 */

import { LevelBook } from '../../collections/levelBook.ts'
import { SequenceMap } from '../../collections/sequenceMap.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { Price } from '../../quantity/units.ts'
import { isBetter } from '../../terms/direction.ts'
import type { FiringSide } from '../../terms/orderTypes.ts'
import { trailingDistance } from '../formulas/trailingStop.ts'
import type { Order } from '../state/order.ts'
import type { RunningPeak } from '../state/runningPeak.ts'
import type { TrailingPeaks } from '../state/trailingPeaks.ts'
import type { Path } from './firingSequence.ts'
import { reached } from './level.ts'
import { type SegmentTrigger, TrailingSegment, type TrailingStop } from './trailingSegment.ts'

export class TrailingLevels {
  readonly #peaks: TrailingPeaks
  /** From which side the price reaches the trigger prices. */
  readonly #side: FiringSide
  readonly #stops = new SequenceMap<TrailingStop>()
  readonly #segments = new Map<RunningPeak, TrailingSegment>()
  #leading: TrailingSegment | null = null
  /** Its trigger price that is reached first, 0 = none; null when it has to be derived again. */
  #leadingTrigger: Price | null = null
  /** The peak that was derived from. */
  #leadingPeak: Price = 0n
  readonly #triggers: LevelBook<SegmentTrigger>
  /** The other segments whose nearest trigger price may have moved. */
  readonly #stale = new Set<TrailingSegment>()
  #count = 0

  constructor(peaks: TrailingPeaks) {
    this.#peaks = peaks
    this.#side = peaks.direction === 'long' ? 'below' : 'above'
    this.#triggers = new LevelBook(this.#side)
  }

  /** A stop that waits for its activation price has no trigger price yet. */
  add(order: Order): void {
    if (order.peak === null) return
    const { sequence, trailingStopOffset, trailingStopOffsetPercent } = order
    const level = trailingStopOffset > 0n ? trailingStopOffset : trailingStopOffsetPercent
    const stop: TrailingStop = { level, rank: 0, sequence, order, leaf: null, slot: 0 }
    this.#stops.set(stop)
    const segment = this.#segmentOf(order.peak.current)
    segment.add(stop)
    this.#changed(segment)
  }

  remove(order: Order): void {
    const stop = this.#stops.take(order.sequence)
    if (stop === undefined || order.peak === null) return
    const segment = this.#segmentOf(order.peak.current)
    segment.remove(stop)
    if (segment.size > 0) return this.#changed(segment)
    this.#segments.delete(segment.peak)
    this.#drop(segment)
  }

  /** Whoever moves ends among at least twice as many. */
  merge(peak: RunningPeak, other: RunningPeak): void {
    const [a, b] = [this.#segmentOf(peak), this.#segmentOf(other)]
    const [larger, smaller] = b.size > a.size ? [b, a] : [a, b]
    larger.takeOver(smaller)
    this.#drop(smaller)
    this.#segments.delete(other)
    this.#segments.set(peak, larger)
    larger.peak = peak
    this.#changed(larger)
  }

  /** The trigger price an index moving against the stops reaches first; null = none. */
  nearestTriggerPrice(): Price | null {
    this.#refresh()
    const standing = this.#triggers.nearest?.level ?? null
    const leading = this.#nearestOfLeading()
    if (leading === 0n) return standing
    return standing === null || isBetter(this.#peaks.direction, leading, standing) ? leading : standing
  }

  /**
   * Whether a stop that an index price begins, or whose peak it moves, fires there: at no distance from its peak. Of a
   * price of 1 or more the smallest fraction, 10⁻⁹, leaves something.
   */
  firesWhereItTurns(indexPrice: Price): boolean {
    if (indexPrice >= ONE || !this.#peaks.turnAt(indexPrice)) return false
    let fires = false
    this.#peaks.walkPassed(indexPrice, (peak) => {
      fires = this.#segmentOf(peak).wouldTouch(indexPrice)
      return !fires
    })
    if (fires) return true
    this.#peaks.walkBegun(indexPrice, (order) => {
      fires = trailingDistance(order, indexPrice) === 0n
      return !fires
    })
    return fires
  }

  /** Tells the path of every stop whose trigger price the index has reached. */
  meet(path: Path, indexPrice: Price): void {
    this.#refresh()
    const leading = this.#nearestOfLeading()
    if (this.#leading !== null && leading > 0n && reached(this.#side, leading, indexPrice))
      this.#meetSegment(this.#leading, path, indexPrice)
    this.#triggers.walk(({ level, segment }) => {
      if (!reached(this.#side, level, indexPrice)) return false
      this.#meetSegment(segment, path, indexPrice)
      return true
    })
  }

  #meetSegment(segment: TrailingSegment, path: Path, indexPrice: Price): void {
    segment.walk((stop) => {
      const trigger = segment.triggerPriceOf(stop)
      if (trigger === 0n || !reached(this.#side, trigger, indexPrice)) return false
      const { row, sequence, orderType } = stop.order
      path.meetOrder(row, sequence, orderType, this.#side, trigger)
      return true
    })
  }

  #segmentOf(peak: RunningPeak): TrailingSegment {
    let segment = this.#segments.get(peak)
    if (segment === undefined) {
      this.#count += 1
      segment = new TrailingSegment(peak, this.#count)
      this.#segments.set(peak, segment)
    }
    return segment
  }

  /** Its nearest trigger price may have moved. */
  #changed(segment: TrailingSegment): void {
    if (segment === this.#leading) this.#leadingTrigger = null
    else this.#stale.add(segment)
  }

  #drop(segment: TrailingSegment): void {
    if (segment === this.#leading) this.#leading = null
    this.#stale.delete(segment)
    this.#setTrigger(segment, 0n)
  }

  /** Brings the trigger prices up to date with the peaks. */
  #refresh(): void {
    this.#lead()
    if (this.#stale.size === 0) return
    for (const segment of this.#stale) this.#setTrigger(segment, segment.nearestTriggerPrice())
    this.#stale.clear()
  }

  /** Another peak may be the one that the price passes next. */
  #lead(): void {
    const { next } = this.#peaks
    const led = this.#leading
    if (led === null ? next === null : led.peak === next) return
    this.#leading = null
    if (led !== null) this.#changed(led)
    if (next === null) return
    const leading = this.#segmentOf(next)
    this.#drop(leading)
    this.#leading = leading
    this.#leadingTrigger = null
  }

  #nearestOfLeading(): Price {
    if (this.#leading === null) return 0n
    const { price } = this.#leading.peak
    if (this.#leadingTrigger === null || this.#leadingPeak !== price) {
      this.#leadingTrigger = this.#leading.nearestTriggerPrice()
      this.#leadingPeak = price
    }
    return this.#leadingTrigger
  }

  #setTrigger(segment: TrailingSegment, level: Price): void {
    const { trigger } = segment
    if ((trigger?.level ?? 0n) === level) return
    if (trigger !== null) this.#triggers.remove(trigger)
    segment.trigger = level === 0n ? null : triggerOf(segment, level)
    if (segment.trigger !== null) this.#triggers.insert(segment.trigger)
  }
}

function triggerOf(segment: TrailingSegment, level: Price): SegmentTrigger {
  return { level, rank: 0, sequence: segment.sequence, segment, leaf: null, slot: 0 }
}
