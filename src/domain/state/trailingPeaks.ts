/**
 * The trailing stops of one market and direction by what the price does to them next (F8): those that wait in order of
 * their activation prices, the peaks of the others in the order in which the price passes them.
 */
import { LevelBook } from '../../collections/levelBook.ts'
import type { LevelEntry } from '../../collections/levelLeaf.ts'
import { SequenceMap } from '../../collections/sequenceMap.ts'
import type { Price } from '../../quantity/units.ts'
import { type Direction, isBetter } from '../../terms/direction.ts'
import type { Order } from './order.ts'
import { RunningPeak } from './runningPeak.ts'

/** A trailing stop at its activation price. */
interface WaitingStop extends LevelEntry {
  readonly order: Order
}

export class TrailingPeaks {
  readonly direction: Direction
  readonly #waiting: LevelBook<WaitingStop>
  readonly #waitingStops = new SequenceMap<WaitingStop>()
  /** The peak that the price passes first. It lies in no book, because it moves whenever the price goes on. */
  #next: RunningPeak | null = null
  /** The others. They all differ, and stand still until the price comes to them. */
  readonly #standing: LevelBook<RunningPeak>

  constructor(direction: Direction) {
    this.direction = direction
    const side = direction === 'long' ? 'above' : 'below'
    this.#waiting = new LevelBook(side)
    this.#standing = new LevelBook(side)
  }

  get next(): RunningPeak | null {
    return this.#next
  }

  /** The nearest index price at which a stop begins or a peak moves; null = none. */
  nearestTurn(): Price | null {
    const activation = this.#waiting.nearest?.level ?? null
    if (this.#next === null) return activation
    const { level } = this.#next
    const past = this.direction === 'long' ? level + 1n : level - 1n
    return activation === null || isBetter(this.direction, activation, past) ? past : activation
  }

  /** Whether an index price begins a stop or moves a peak. */
  turnAt(indexPrice: Price): boolean {
    return this.#next?.isPassedBy(indexPrice) === true || this.#nearestBegun(indexPrice) !== null
  }

  /** Every peak that an index price moves, until `visit` returns false. */
  walkPassed(indexPrice: Price, visit: (peak: RunningPeak) => boolean): void {
    if (this.#next === null || !this.#next.isPassedBy(indexPrice) || !visit(this.#next)) return
    this.#standing.walk((peak) => this.#isAt(peak.level, indexPrice) && visit(peak))
  }

  /** Every stop that an index price begins, until `visit` returns false. */
  walkBegun(indexPrice: Price, visit: (order: Order) => boolean): void {
    this.#waiting.walk(({ level, order }) => this.#isAt(level, indexPrice) && visit(order))
  }

  wait(order: Order): void {
    const { trailingStopActivationPrice: level, sequence } = order
    const stop: WaitingStop = { level, rank: 0, sequence, order, leaf: null, slot: 0 }
    this.#waitingStops.set(stop)
    this.#waiting.insert(stop)
  }

  /** A stop that waits has ended. */
  waitNoMore(order: Order): void {
    const stop = this.#waitingStops.take(order.sequence)
    if (stop !== undefined) this.#waiting.remove(stop)
  }

  /** Takes out a stop that an index price begins; null where there is none any more. */
  takeBegun(indexPrice: Price): Order | null {
    const stop = this.#nearestBegun(indexPrice)
    if (stop === null) return null
    this.#waiting.remove(stop)
    this.#waitingStops.take(stop.sequence)
    return stop.order
  }

  /** The peak at a price, for one more stop. */
  join(price: Price): RunningPeak {
    const peak = this.#peakAt(price)
    peak.stops += 1
    return peak
  }

  /** A stop that has this peak has ended. */
  leave({ current }: RunningPeak): void {
    current.stops -= 1
    if (current.stops > 0) return
    if (current === this.#next) this.#next = this.#takeStanding(this.#standing.nearest)
    else this.#standing.remove(current)
  }

  /** Takes out a standing peak that an index price has come to; null where there is none any more. */
  takePassed(indexPrice: Price): RunningPeak | null {
    const { nearest } = this.#standing
    return nearest !== null && this.#isAt(nearest.level, indexPrice) ? this.#takeStanding(nearest) : null
  }

  /** What has become of the peaks that the price has passed, at the price: it goes on from there. */
  goOnWith(peak: RunningPeak, indexPrice: Price): void {
    peak.moveTo(indexPrice)
    this.#next = peak
  }

  #nearestBegun(indexPrice: Price): WaitingStop | null {
    const { nearest } = this.#waiting
    return nearest !== null && this.#isAt(nearest.level, indexPrice) ? nearest : null
  }

  /** Whether an index price is at a level or beyond it. */
  #isAt(level: Price, indexPrice: Price): boolean {
    return !isBetter(this.direction, level, indexPrice)
  }

  #peakAt(price: Price): RunningPeak {
    const next = this.#next
    if (next?.level === price) return next
    if (next !== null && isBetter(this.direction, price, next.level))
      return this.#standing.lastAt(price) ?? this.#stand(new RunningPeak(this.direction, price))
    if (next !== null) this.#stand(next)
    this.#next = new RunningPeak(this.direction, price)
    return this.#next
  }

  #stand(peak: RunningPeak): RunningPeak {
    this.#standing.insert(peak)
    return peak
  }

  #takeStanding(peak: RunningPeak | null): RunningPeak | null {
    if (peak !== null) this.#standing.remove(peak)
    return peak
  }
}
