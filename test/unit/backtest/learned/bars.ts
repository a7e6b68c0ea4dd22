// Bars of a market in minutes, from closes.
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
