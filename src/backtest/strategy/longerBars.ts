/**
 * Longer bars made of a strategy's own bars: hours of minutes. Only bars that are closed are ever given, so a strategy
 * cannot see ahead through them, and it makes them itself, so they are the same in a backtest and live.
 */
import { intervalMs } from './interval.ts'
import type { Bar } from './strategy.ts'

/**
 * The longer bars of any number of markets. They begin at whole multiples of their length since 1970, UTC.
 *
 * ```ts
 * const hours = new LongerBars('1h')
 * const minute = (n: number) => ({ openTime: at + n * 60_000, closeTime: at + (n + 1) * 60_000 - 1 })
 * const prices = { open: fp9('100'), high: fp9('101'), low: fp9('99'), close: fp9('100'), volume: 1 }
 * for (let n = 0; n < 150; n++) hours.add({ asset: 'BTC', ...minute(n), ...prices })
 * hours.of('BTC').length // → 2
 * ```
 *
 * @throws RangeError for an interval that is none.
 */
export class LongerBars {
  readonly #interval: string
  readonly #lengthMs: number
  readonly #open = new Map<string, Bar>()
  readonly #closed = new Map<string, Bar[]>()

  /**
   * @param interval a whole number of minutes, hours or days: `15m`, `4h`, `1d`.
   * @throws RangeError for anything else.
   */
  constructor(interval: string) {
    this.#interval = interval
    this.#lengthMs = intervalMs(interval)
  }

  /**
   * Call with every bar of `onBar`, in their order. Gives the longer bars of its market that are closed by it, oldest
   * first: mostly none; the one it ends; and one that missing bars left open before it. A longer bar whose last bars are
   * missing closes with the market's next bar, as nothing before says that they are missing.
   *
   * @throws RangeError for a bar that does not lie within one longer bar.
   */
  add(bar: Bar): readonly Bar[] {
    const openTime = bar.openTime - (bar.openTime % this.#lengthMs)
    const closeTime = openTime + this.#lengthMs - 1
    if (bar.closeTime > closeTime)
      throw new RangeError(
        `${bar.asset}: the bar at ${bar.openTime} does not lie within one bar of ${this.#interval}`,
      )

    const closed: Bar[] = []
    let open = this.#open.get(bar.asset)
    if (open !== undefined && open.openTime !== openTime) {
      closed.push(open)
      open = undefined
    }
    const grown = open === undefined ? { ...bar, openTime, closeTime } : joined(open, bar)
    if (bar.closeTime === closeTime) {
      closed.push(grown)
      this.#open.delete(bar.asset)
    } else this.#open.set(bar.asset, grown)
    if (closed.length > 0) this.#series(bar.asset).push(...closed)
    return closed
  }

  /** Every closed longer bar of a market, oldest first. */
  of(asset: string): readonly Bar[] {
    return this.#series(asset)
  }

  #series(asset: string): Bar[] {
    const known = this.#closed.get(asset)
    if (known !== undefined) return known
    const series: Bar[] = []
    this.#closed.set(asset, series)
    return series
  }
}

function joined(open: Bar, bar: Bar): Bar {
  return {
    ...open,
    high: bar.high > open.high ? bar.high : open.high,
    low: bar.low < open.low ? bar.low : open.low,
    close: bar.close,
    volume: open.volume + bar.volume,
  }
}
