/** Bars of the prices that are seen: of the clock's own intervals, each from the first price inside it. */
import type { Price } from '../../quantity/units.ts'
import type { OpenBar } from '../run/tickBars.ts'
import type { Bar } from '../strategy/strategy.ts'

/** The bars of several markets while they are being gathered. */
export class GatheredBars {
  readonly #intervalMs: number
  readonly #open = new Map<string, GatheredBar>()
  /** By market, where the bar that was ended last ended: no bar begins before. */
  readonly #ended = new Map<string, number>()

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  /** A bar of a market that had begun when the prices before ended. */
  goOnWith(asset: string, { openTime, open, high, low, close }: OpenBar): void {
    const gathered = new GatheredBar(openTime, open)
    for (const price of [high, low, close]) gathered.add(price)
    this.#open.set(asset, gathered)
  }

  /** A price of a market at a time; call {@link endedBy} before it. @returns how many whole intervals without a price came before it. */
  add(asset: string, time: number, price: Price): number {
    const gathered = this.#open.get(asset)
    if (gathered !== undefined) {
      gathered.add(price)
      return 0
    }
    const ended = this.#ended.get(asset)
    const openTime = Math.max(this.#openTime(time), ended ?? 0)
    this.#open.set(asset, new GatheredBar(openTime, price))
    return ended === undefined ? 0 : (openTime - ended) / this.#intervalMs
  }

  /** The bar of a market that a time has ended; null without one. */
  endedBy(asset: string, time: number): Bar | null {
    const gathered = this.#open.get(asset)
    if (gathered === undefined || gathered.openTime >= this.#openTime(time)) return null
    this.#open.delete(asset)
    this.#ended.set(asset, gathered.openTime + this.#intervalMs)
    return gathered.bar(asset, this.#intervalMs)
  }

  #openTime(time: number): number {
    return Math.floor(time / this.#intervalMs) * this.#intervalMs
  }
}

class GatheredBar {
  readonly openTime: number
  readonly #open: Price
  #high: Price
  #low: Price
  #close: Price

  constructor(openTime: number, price: Price) {
    this.openTime = openTime
    this.#open = price
    this.#high = price
    this.#low = price
    this.#close = price
  }

  add(price: Price): void {
    if (price > this.#high) this.#high = price
    if (price < this.#low) this.#low = price
    this.#close = price
  }

  /** The venue tells no volume. */
  bar(asset: string, intervalMs: number): Bar {
    return {
      asset,
      openTime: this.openTime,
      closeTime: this.openTime + intervalMs - 1,
      open: this.#open,
      high: this.#high,
      low: this.#low,
      close: this.#close,
      volume: 0,
    }
  }
}
