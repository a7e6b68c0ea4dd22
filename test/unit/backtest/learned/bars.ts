// Bars of a market in minutes, from closes.
import { type BarFeed, barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import { toPrice } from '../../../../src/backtest/numbers/toNumber.ts'
import type { Bar } from '../../../../src/backtest/strategy/bar.ts'

export const MINUTE_MS = 60_000
/** A midnight, so that hours and days begin with it. */
export const BEGIN = Date.UTC(2026, 0, 5)

/** The bar of a minute, counted from a midnight. */
export function minuteBar(minute: number, close: number): Bar {
  const openTime = BEGIN + minute * MINUTE_MS
  const price = toPrice(close)
  return {
    ...{ asset: 'BTC', openTime, closeTime: openTime + MINUTE_MS - 1 },
    ...{ open: price, high: price, low: price, close: price, volume: 1 },
  }
}

/** Minutes from a midnight on, each of which begins at the close before it. */
export function barsOf(closes: readonly number[]): BarFeed {
  const close = BigInt64Array.from(closes, toPrice)
  const open = close.map((price, row) => close[row - 1] ?? price)
  const columns = {
    length: closes.length,
    openTime: Float64Array.from(closes, (_, minute) => BEGIN + minute * MINUTE_MS),
    open,
    high: close.map((price, row) => ((open[row] as bigint) > price ? (open[row] as bigint) : price)),
    low: close.map((price, row) => ((open[row] as bigint) < price ? (open[row] as bigint) : price)),
    close,
    volume: new Float64Array(closes.length),
  }
  return barFeedOf('bars of a test', MINUTE_MS, () => [columns])
}
