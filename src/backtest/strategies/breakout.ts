/**
 * Breakout: when a bar closes beyond the highest high or lowest low of the bars before it, enter in that direction with
 * a stop-loss a multiple of the average true range away, and follow the price with a trailing stop of the same width.
 * The size is what loses a fixed part of the equity at the stop-loss.
 */
import { ATR } from 'trading-signals'
import type { Direction } from '../../terms/direction.ts'
import { toPrice } from '../numbers/toNumber.ts'
import type { Indicator } from '../strategy/indicator.ts'
import type { Bar, Strategy, StrategyContext } from '../strategy/strategy.ts'

/** What {@link breakout} can be told. */
export interface BreakoutParameters {
  readonly asset: string
  /** Bars of the channel and of the average true range. Default 480. */
  readonly lookback?: number
  /** Width of the stops in average true ranges. Default 10. */
  readonly width?: number
  /** What an entry loses at its stop-loss, "1%" of equity or an amount. Default 1%. */
  readonly risk?: string
  /** "10" is 10x. Default 10x. */
  readonly leverage?: string
}

/**
 * Buys above the channel of the last bars and sells below it, with stops as wide as the market moves.
 *
 * ```ts
 * breakout({ asset: 'BTC', lookback: 1440, width: 20 }).name // → breakout of 1440 bars on BTC, 10x, risk 1%
 * ```
 *
 * @throws RangeError for parameters out of range.
 */
export function breakout(parameters: BreakoutParameters): Strategy {
  const { asset, lookback = 480, width = 10, risk = '1%', leverage = '10' } = parameters
  if (!(lookback >= 2)) throw new RangeError('the channel must be at least 2 bars')
  if (!(width > 0)) throw new RangeError('the width of the stops must be above zero')
  let averageTrueRange: Indicator
  const highs: bigint[] = []
  const lows: bigint[] = []

  /** The direction in which a close leaves the channel; null while it is inside or the channel is not complete. */
  function directionOf(close: bigint): Direction | null {
    if (highs.length < lookback) return null
    if (highs.every((high) => close > high)) return 'long'
    return lows.every((low) => close < low) ? 'short' : null
  }

  async function enter(direction: Direction, close: bigint, context: StrategyContext): Promise<void> {
    const offset = toPrice((averageTrueRange.value ?? 0) * width)
    const stopLoss = direction === 'long' ? close - offset : close + offset
    if (offset <= 0n || stopLoss <= 0n) return
    await context.open({ asset, direction, sizeBy: { risk }, leverage, stopLoss, trailingStop: { offset } })
  }

  return {
    name: `breakout of ${lookback} bars on ${asset}, ${leverage}x, risk ${risk}`,
    onStart(context: StrategyContext) {
      averageTrueRange = context.indicator(asset, `ATR ${lookback}`, new ATR(lookback), { of: 'candle' })
    },
    onBar(bar: Bar, context: StrategyContext) {
      if (bar.asset !== asset) return
      const direction = directionOf(bar.close)
      highs.push(bar.high)
      lows.push(bar.low)
      if (highs.length > lookback) {
        highs.shift()
        lows.shift()
      }
      if (direction !== null && context.positions(asset).length === 0)
        return enter(direction, bar.close, context)
    },
  }
}
