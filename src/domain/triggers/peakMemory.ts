/**
 * The running best prices of trailing stops as they were at one moment, to be asked for while prices go on. A peak moves
 * without an event (F8): the first time that one does, or that a stop changes its segment, what it was is kept.
 */
import type { Price } from '../../quantity/units.ts'
import type { TrailingSegment, TrailingStop } from './trailingSegment.ts'

export class PeakMemory {
  #keeps = false
  readonly #segments = new Map<TrailingSegment, Price>()
  readonly #stops = new Map<TrailingStop, Price | null>()

  /** From here on peaks are remembered as they are now. */
  begin(): void {
    this.#keeps = true
  }

  end(): void {
    this.#keeps = false
    this.#segments.clear()
    this.#stops.clear()
  }

  /** The peak of a segment is about to move. */
  moving(segment: TrailingSegment): void {
    if (this.#keeps && !this.#segments.has(segment)) this.#segments.set(segment, segment.peak)
  }

  /** A stop that waits is about to begin, or one that runs to change its segment. */
  leaving(stop: TrailingStop): void {
    if (this.#keeps && !this.#stops.has(stop)) this.#stops.set(stop, this.peakOf(stop))
  }

  /** Every stop of a segment is about to change into another. */
  dissolving(segment: TrailingSegment): void {
    if (!this.#keeps) return
    segment.walk((stop) => {
      this.leaving(stop)
      return true
    })
  }

  /** Of a stop that was there then; null while it waited. */
  peakOf(stop: TrailingStop): Price | null {
    const kept = this.#stops.get(stop)
    if (kept !== undefined) return kept
    const { segment } = stop
    return segment === null ? null : (this.#segments.get(segment) ?? segment.peak)
  }
}
