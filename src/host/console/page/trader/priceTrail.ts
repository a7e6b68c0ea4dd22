// The prices of a market that were heard since the page is open, one a second: the venue keeps no candles.
import { approximately } from '../shared/amounts.ts'

export interface TrailPoint {
  /** Epoch seconds. */
  readonly time: number
  readonly value: number
}

/** Two hours at a price a second; then the oldest go, in one piece. */
const [MOST, GO_AT_ONCE] = [7_200, 600]

export class PriceTrail {
  readonly #points: TrailPoint[] = []

  /** Oldest first; at most one a second. */
  get points(): readonly TrailPoint[] {
    return this.#points
  }

  /** Of a second the last price stays; one that is older than what is known is left out. */
  add(at: number, indexPrice: bigint): void {
    const time = Math.floor(at / 1000)
    const last = this.#points.at(-1)
    if (last !== undefined && time < last.time) return
    if (last?.time === time) this.#points.pop()
    this.#points.push({ time, value: approximately(indexPrice) })
    if (this.#points.length > MOST) this.#points.splice(0, GO_AT_ONCE)
  }
}
