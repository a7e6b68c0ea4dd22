/**
 * The trailing stops of one market and direction (F8, J21). A tick moves no stop: those that share a running peak are
 * kept as one segment, and a price that passes the peak of another segment merges the smaller of the two into the
 * larger, so that a stop changes its segment at most log n times. Trigger prices are derived from the peak.
 */
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../market/market.ts'
import type { Order } from '../order/order.ts'
import { type FiringSide, reached } from './level.ts'
import { LevelBook, type LevelEntry } from './levelBook.ts'
import type { Path } from './path.ts'
import { TrailingSegment, type TrailingStop } from './trailingSegment.ts'

interface WaitingStop extends LevelEntry {
  readonly stop: TrailingStop
}

interface PlaceEntry extends LevelEntry {
  readonly place: Place
}

/** Where a segment stands in the two books that find it. */
interface Place {
  readonly segment: TrailingSegment
  readonly sequence: number
  /** Under its peak. */
  peak: PlaceEntry | null
  /** Under the nearest trigger price of its stops; null while none can fire. */
  trigger: PlaceEntry | null
}

export class TrailingStops {
  /** From which side the price reaches the trigger prices. */
  readonly side: FiringSide
  /** Stops by activation price. */
  readonly #waiting: LevelBook<WaitingStop>
  readonly #peaks: LevelBook<PlaceEntry>
  readonly #triggers: LevelBook<PlaceEntry>
  /** Segments by their peaks, which all differ. */
  readonly #places = new Map<Price, Place>()
  readonly #stops = new Map<Order, { readonly stop: TrailingStop; readonly waiting: WaitingStop | null }>()
  /** Places whose nearest trigger price may have moved. */
  readonly #unsettled = new Set<Place>()
  #count = 0

  constructor(direction: Direction) {
    this.side = direction === 'long' ? 'below' : 'above'
    const better: FiringSide = direction === 'long' ? 'above' : 'below'
    this.#waiting = new LevelBook(better)
    this.#peaks = new LevelBook(better)
    this.#triggers = new LevelBook(this.side)
  }

  add(order: Order): void {
    const offset = order.trailingStopOffset > 0n ? order.trailingStopOffset : order.trailingStopOffsetPercent
    const stop: TrailingStop = { level: offset, rank: 0, sequence: order.sequence, order, segment: null }
    if (order.watermark === null) {
      const level = order.trailingStopActivationPrice
      const waiting = { level, rank: 0, sequence: order.sequence, stop }
      this.#waiting.insert(waiting)
      this.#stops.set(order, { stop, waiting })
      return
    }
    this.#join(stop, order.watermark)
    this.#stops.set(order, { stop, waiting: null })
  }

  remove(order: Order): void {
    const found = this.#stops.get(order)
    if (found === undefined) return
    this.#stops.delete(order)
    const { stop, waiting } = found
    const { segment } = stop
    if (segment === null) return this.#waiting.remove(waiting as WaitingStop)
    segment.remove(stop)
    const place = this.#places.get(segment.peak) as Place
    if (segment.size === 0) this.#drop(place)
    else this.#unsettled.add(place)
  }

  watermarkOf(order: Order): Price | null {
    return this.#stops.get(order)?.stop.segment?.peak ?? null
  }

  /** Ratchets, then activates: a stop that activates starts from this very price (F8). */
  priceMoved(indexPrice: Price): void {
    this.#passPeaks(indexPrice)
    for (;;) {
      const { nearest } = this.#waiting
      if (nearest === null || !reached(this.#waiting.side, nearest.level, indexPrice)) return
      this.#waiting.remove(nearest)
      this.#join(nearest.stop, indexPrice)
    }
  }

  /** The trigger price an index moving against the stops reaches first; null = none. */
  nearestTriggerPrice(): Price | null {
    this.#settle()
    return this.#triggers.nearest?.level ?? null
  }

  /** The nearest index price at which an index moving with the stops activates or ratchets any; null = none. */
  nearestTurn(): Price | null {
    const activation = this.#waiting.nearest?.level ?? null
    const peak = this.#peaks.nearest?.level ?? null
    if (peak === null) return activation
    const past = this.side === 'below' ? peak + 1n : peak - 1n
    if (activation === null) return past
    return activation < past === (this.side === 'below') ? activation : past
  }

  /** Tells the path of every stop whose trigger price the index has reached. */
  meet(path: Path, indexPrice: Price): void {
    this.#settle()
    this.#triggers.walk(({ level, place: { segment } }) => {
      if (!reached(this.side, level, indexPrice)) return false
      segment.walk((stop) => {
        const trigger = segment.triggerPriceOf(stop)
        if (trigger === 0n || !reached(this.side, trigger, indexPrice)) return false
        path.meetOrder(stop.order, this.side, trigger)
        return true
      })
      return true
    })
  }

  #join(stop: TrailingStop, peak: Price): void {
    const place = this.#places.get(peak) ?? this.#place(new TrailingSegment(this.side, peak))
    place.segment.add(stop)
    this.#unsettled.add(place)
  }

  /** The largest of the segments whose peaks the price passes takes over the others, and has its peak here. */
  #passPeaks(indexPrice: Price): void {
    const nearest = this.#peaks.nearest?.place
    if (nearest === undefined || !isPast(this.side, indexPrice, nearest.segment.peak)) return
    const passed: Place[] = []
    this.#peaks.walk(({ place }) => {
      const stays = isPast(this.side, place.segment.peak, indexPrice)
      if (!stays) passed.push(place)
      return !stays
    })
    // Whoever moves ends among at least twice as many.
    const largest = passed.reduce((a, b) => (b.segment.size > a.segment.size ? b : a))
    for (const place of passed) if (place !== largest) largest.segment.takeOver(this.#drop(place))
    this.#moveNearestPeak(largest, indexPrice)
  }

  #moveNearestPeak(place: Place, peak: Price): void {
    this.#places.delete(place.segment.peak)
    this.#places.set(peak, place)
    place.segment.peak = peak
    place.peak = { level: peak, rank: 0, sequence: place.sequence, place }
    this.#peaks.replaceNearest(place.peak)
    this.#unsettled.add(place)
  }

  #place(segment: TrailingSegment): Place {
    this.#count += 1
    const place: Place = { segment, sequence: this.#count, peak: null, trigger: null }
    place.peak = { level: segment.peak, rank: 0, sequence: place.sequence, place }
    this.#peaks.insert(place.peak)
    this.#places.set(segment.peak, place)
    return place
  }

  #drop(place: Place): TrailingSegment {
    if (place.peak !== null) this.#peaks.remove(place.peak)
    if (place.trigger !== null) this.#triggers.remove(place.trigger)
    this.#places.delete(place.segment.peak)
    this.#unsettled.delete(place)
    return place.segment
  }

  #settle(): void {
    if (this.#unsettled.size === 0) return
    for (const place of this.#unsettled) this.#settlePlace(place)
    this.#unsettled.clear()
  }

  #settlePlace(place: Place): void {
    const level = place.segment.nearestTriggerPrice()
    const { trigger } = place
    if (trigger?.level === level) return
    place.trigger = level === 0n ? null : { level, rank: 0, sequence: place.sequence, place }
    if (trigger !== null && trigger === this.#triggers.nearest && reached(this.side, level, trigger.level))
      return this.#triggers.replaceNearest(place.trigger as PlaceEntry)
    if (trigger !== null) this.#triggers.remove(trigger)
    if (place.trigger !== null) this.#triggers.insert(place.trigger)
  }
}

function isPast(side: FiringSide, indexPrice: Price, peak: Price): boolean {
  return side === 'below' ? indexPrice > peak : indexPrice < peak
}
