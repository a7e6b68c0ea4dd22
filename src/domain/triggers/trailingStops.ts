/**
 * The trailing stops of one market and direction (F8, J21). A tick moves no stop: those that share a running peak are
 * kept as one segment, and a price that passes the peak of another segment merges the smaller of the two into the
 * larger, so that a stop changes its segment at most log n times. Trigger prices are derived from the peak.
 *
 * The segment whose peak the price passes next is the running one. It lies in no book, so that a new peak is one number
 * written and one trigger price derived.
 */

import { LevelBook } from '../../collections/levelBook.ts'
import { SequenceMap } from '../../collections/sequenceMap.ts'
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import type { FiringSide } from '../../terms/orderTypes.ts'
import type { Order } from '../state/order.ts'
import { reached } from './level.ts'
import type { Path } from './path.ts'
import type { PeakMemory } from './peakMemory.ts'
import {
  type SegmentTrigger,
  TrailingSegment,
  type TrailingStop,
  type WaitingStop,
} from './trailingSegment.ts'

export class TrailingStops {
  /** From which side the price reaches the trigger prices. */
  readonly side: FiringSide
  /** Stops by activation price. */
  readonly #waiting: LevelBook<WaitingStop>
  #running: TrailingSegment | null = null
  /** The trigger price of the running segment that is reached first, 0 = none; null when it has to be derived again. */
  #runningTrigger: Price | null = null
  /** The other segments. Their peaks all differ and stand still until the price passes them. */
  readonly #peaks: LevelBook<TrailingSegment>
  readonly #triggers: LevelBook<SegmentTrigger>
  /** Those of them whose nearest trigger price may have moved. */
  readonly #unsettled = new Set<TrailingSegment>()
  readonly #stops = new SequenceMap<TrailingStop>()
  readonly #memory: PeakMemory
  #count = 0

  constructor(direction: Direction, memory: PeakMemory) {
    this.#memory = memory
    this.side = direction === 'long' ? 'below' : 'above'
    const better: FiringSide = direction === 'long' ? 'above' : 'below'
    this.#waiting = new LevelBook(better)
    this.#peaks = new LevelBook(better)
    this.#triggers = new LevelBook(this.side)
  }

  add(order: Order): void {
    const offset = order.trailingStopOffset > 0n ? order.trailingStopOffset : order.trailingStopOffsetPercent
    const { sequence } = order
    const stop: TrailingStop = { level: offset, rank: 0, sequence, order, segment: null, waiting: null }
    this.#stops.set(stop)
    if (order.peak !== null) return this.#join(stop, order.peak)
    stop.waiting = { level: order.trailingStopActivationPrice, rank: 0, sequence, stop }
    this.#waiting.insert(stop.waiting)
  }

  remove(order: Order): void {
    const stop = this.#stops.take(order.sequence)
    if (stop === undefined) return
    const { segment, waiting } = stop
    if (segment === null) return this.#waiting.remove(waiting as WaitingStop)
    segment.remove(stop)
    if (segment !== this.#running) {
      if (segment.size > 0) this.#unsettled.add(segment)
      else this.#takeOut(segment)
    } else if (segment.size > 0) this.#runningTrigger = null
    else this.#run(this.#peaks.nearest === null ? null : this.#takeOut(this.#peaks.nearest))
  }

  peakOf(order: Order): Price | null {
    return this.#stops.get(order.sequence)?.segment?.peak ?? null
  }

  /** What {@link peakOf} gave when the memory of peaks began. */
  peakThen(order: Order): Price | null {
    const stop = this.#stops.get(order.sequence)
    return stop === undefined ? null : this.#memory.peakOf(stop)
  }

  /** Ratchets, then activates: a stop that activates starts from this very price (F8). */
  priceMoved(indexPrice: Price): void {
    this.#passPeaks(indexPrice)
    for (;;) {
      const { nearest } = this.#waiting
      if (nearest === null || !reached(this.#waiting.side, nearest.level, indexPrice)) return
      this.#waiting.remove(nearest)
      this.#memory.leaving(nearest.stop)
      nearest.stop.waiting = null
      this.#join(nearest.stop, indexPrice)
    }
  }

  /** The trigger price an index moving against the stops reaches first; null = none. */
  nearestTriggerPrice(): Price | null {
    this.#settle()
    const standing = this.#triggers.nearest?.level ?? null
    const running = this.#nearestRunningTrigger()
    if (running === 0n) return standing
    return standing === null || isPast(this.side, running, standing) ? running : standing
  }

  /** The nearest index price at which an index moving with the stops activates or ratchets any; null = none. */
  nearestTurn(): Price | null {
    const activation = this.#waiting.nearest?.level ?? null
    const peak = this.#running?.peak ?? null
    if (peak === null) return activation
    const past = this.side === 'below' ? peak + 1n : peak - 1n
    if (activation === null) return past
    return activation < past === (this.side === 'below') ? activation : past
  }

  /** Tells the path of every stop whose trigger price the index has reached. */
  meet(path: Path, indexPrice: Price): void {
    this.#settle()
    const running = this.#nearestRunningTrigger()
    if (this.#running !== null && running > 0n && reached(this.side, running, indexPrice))
      this.#meetSegment(this.#running, path, indexPrice)
    this.#triggers.walk(({ level, segment }) => {
      if (!reached(this.side, level, indexPrice)) return false
      this.#meetSegment(segment, path, indexPrice)
      return true
    })
  }

  #meetSegment(segment: TrailingSegment, path: Path, indexPrice: Price): void {
    segment.walk((stop) => {
      const trigger = segment.triggerPriceOf(stop)
      if (trigger === 0n || !reached(this.side, trigger, indexPrice)) return false
      path.meetOrder(stop.order, this.side, trigger)
      return true
    })
  }

  #join(stop: TrailingStop, peak: Price): void {
    const running = this.#running
    if (running === null || isPast(this.side, running.peak, peak)) {
      if (running !== null) this.#putIn(running)
      this.#run(this.#newSegment(peak))
    }
    const segment = this.#running?.peak === peak ? this.#running : this.#standingAt(peak)
    segment.add(stop)
    if (segment === this.#running) this.#runningTrigger = null
    else this.#unsettled.add(segment)
  }

  /** The largest of the segments whose peaks the price passes takes over the others, and runs on from here. */
  #passPeaks(indexPrice: Price): void {
    const passed = this.#running
    if (passed === null || !isPast(this.side, indexPrice, passed.peak)) return
    let largest = passed
    for (;;) {
      const { nearest } = this.#peaks
      if (nearest === null || isPast(this.side, nearest.peak, indexPrice)) break
      largest = this.#merged(largest, this.#takeOut(nearest))
    }
    this.#memory.moving(largest)
    largest.peak = indexPrice
    this.#run(largest)
  }

  /** Whoever moves ends among at least twice as many. */
  #merged(a: TrailingSegment, b: TrailingSegment): TrailingSegment {
    const [larger, smaller] = b.size > a.size ? [b, a] : [a, b]
    this.#memory.dissolving(smaller)
    larger.takeOver(smaller)
    return larger
  }

  #run(segment: TrailingSegment | null): void {
    this.#running = segment
    this.#runningTrigger = null
  }

  #nearestRunningTrigger(): Price {
    this.#runningTrigger ??= this.#running?.nearestTriggerPrice() ?? 0n
    return this.#runningTrigger
  }

  #newSegment(peak: Price): TrailingSegment {
    this.#count += 1
    return new TrailingSegment(this.side, peak, this.#count)
  }

  #standingAt(peak: Price): TrailingSegment {
    return this.#peaks.lastAt(peak) ?? this.#putIn(this.#newSegment(peak))
  }

  #putIn(segment: TrailingSegment): TrailingSegment {
    this.#peaks.insert(segment)
    this.#unsettled.add(segment)
    return segment
  }

  #takeOut(segment: TrailingSegment): TrailingSegment {
    this.#peaks.remove(segment)
    this.#unsettled.delete(segment)
    if (segment.trigger !== null) this.#triggers.remove(segment.trigger)
    segment.trigger = null
    return segment
  }

  #settle(): void {
    if (this.#unsettled.size === 0) return
    for (const segment of this.#unsettled) this.#settleSegment(segment)
    this.#unsettled.clear()
  }

  #settleSegment(segment: TrailingSegment): void {
    const level = segment.nearestTriggerPrice()
    const { trigger } = segment
    if (trigger?.level === level) return
    if (trigger !== null) this.#triggers.remove(trigger)
    segment.trigger = level === 0n ? null : { level, rank: 0, sequence: segment.sequence, segment }
    if (segment.trigger !== null) this.#triggers.insert(segment.trigger)
  }
}

/** Whether a price is beyond another in the direction that the stops gain from. */
function isPast(side: FiringSide, indexPrice: Price, peak: Price): boolean {
  return side === 'below' ? indexPrice > peak : indexPrice < peak
}
