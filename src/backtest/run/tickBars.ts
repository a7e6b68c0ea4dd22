/** Bars made of ticks, for strategies that think in bars. A stretch without a tick makes no bar. */
import type { Bar } from '../strategy/strategy.ts'

/** A bar that is not over. */
export interface OpenBar {
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

  /** The bar that is not over; null without one. */
  get open(): OpenBar | null {
    return this.#bar
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

/**
 * Those of every market of a run. A bar is over when its time is, whichever market the price comes from that says so: one that is seldom
 * priced would hear of it with its own next price, when the others are far beyond it.
 */
export class MarketTickBars {
  readonly #bars: readonly (TickBars | null)[]
  readonly #lengthMs: number
  /** When the bars end that have begun: all at once, because none is begun before the one before it has been told. */
  #end = Number.POSITIVE_INFINITY

  /** @param assets null where a market has bars of its own, or nobody hears them. */
  constructor(assets: readonly (string | null)[], lengthMs: number) {
    this.#bars = assets.map((asset) => (asset === null ? null : new TickBars(asset, lengthMs)))
    this.#lengthMs = lengthMs
  }

  /** Whether any market has bars that are made of its ticks. */
  get areMade(): boolean {
    return this.#bars.some((bars) => bars !== null)
  }

  /** Whether any may have: cheaper than to ask for it. */
  haveEndedBy(time: number): boolean {
    return time >= this.#end
  }

  /** The next bar that has ended by a time, in the order of the markets; null where none is left. */
  endedBy(time: number): Bar | null {
    if (time < this.#end) return null
    for (const bars of this.#bars) {
      const bar = bars?.endedBy(time) ?? null
      if (bar !== null) return bar
    }
    this.#end = Number.POSITIVE_INFINITY
    return null
  }

  /** The bar of a market that is not over; null without one. */
  openOf(market: number): OpenBar | null {
    return this.#bars[market]?.open ?? null
  }

  /** The next tick of a market, after all that have ended by its time. */
  add(market: number, time: number, price: bigint): void {
    const bars = this.#bars[market] ?? null
    if (bars === null) return
    bars.add(time, price)
    if (this.#end === Number.POSITIVE_INFINITY) this.#end = time - (time % this.#lengthMs) + this.#lengthMs
  }
}
