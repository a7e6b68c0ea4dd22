/** Bars made of ticks, for strategies that think in bars. A stretch without a tick makes no bar. */
import type { Bar } from '../strategy/strategy.ts'

interface OpenBar {
  readonly openTime: number
  readonly open: bigint
  high: bigint
  low: bigint
  close: bigint
}

/** The bars of one market. They begin at whole multiples of their length since 1970, UTC. */
export class TickBars {
  readonly #asset: string
  readonly #lengthMs: number
  #bar: OpenBar | null = null

  /** @param lengthMs at least 1, a whole number. */
  constructor(asset: string, lengthMs: number) {
    this.#asset = asset
    this.#lengthMs = lengthMs
  }

  /** The bar that has ended by a time, once; null where none has. Nothing of the tick at that time is in it. */
  endedBy(time: number): Bar | null {
    const bar = this.#bar
    if (bar === null || time < bar.openTime + this.#lengthMs) return null
    this.#bar = null
    const { openTime, open, high, low, close } = bar
    const closeTime = openTime + this.#lengthMs - 1
    return { asset: this.#asset, openTime, closeTime, open, high, low, close, volume: 0 }
  }

  /** The next tick, after {@link endedBy} of its time. */
  add(time: number, price: bigint): void {
    const bar = this.#bar
    if (bar === null) {
      const openTime = time - (time % this.#lengthMs)
      this.#bar = { openTime, open: price, high: price, low: price, close: price }
      return
    }
    if (price > bar.high) bar.high = price
    if (price < bar.low) bar.low = price
    bar.close = price
  }
}
