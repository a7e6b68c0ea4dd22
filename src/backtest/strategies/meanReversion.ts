/**
 * Mean reversion: when the close leaves the Bollinger bands, rest a limit order a little further out against the move,
 * with a stop-loss and with the middle of the bands as take-profit. An order that has not filled by the next bar is
 * cancelled.
 */
import { BollingerBands } from 'trading-signals'
import type { Direction } from '../../terms/direction.ts'
import { toNumber, toPrice } from '../numbers/toNumber.ts'
import type { Indicator } from '../strategy/indicator.ts'
import type { Bar, Strategy, StrategyContext } from '../strategy/strategy.ts'

/** What {@link meanReversion} can be told. */
export interface MeanReversionParameters {
  readonly asset: string
  /** Bars of the bands. Default 240. */
  readonly lookback?: number
  /** Half the width of the bands in standard deviations. Default 3. */
  readonly deviations?: number
  /** Distance of the stop-loss from the entry, as a multiple of the distance to the middle. Default 1. */
  readonly stop?: number
  /** Notional of each entry: an amount, or a percentage of equity. Default 50%. */
  readonly notional?: string
  /** "10" is 10x. Default 5x. */
  readonly leverage?: string
}

/** How far beyond the close the limit rests, as a fraction of the price. */
const BEYOND = 0.0002

/**
 * Buys below the bands around the mean and sells above them.
 *
 * ```ts
 * meanReversion({ asset: 'BTC' }).name // → mean reversion of 240 bars on BTC, 5x, notional 50%
 * ```
 *
 * @throws RangeError for parameters out of range.
 */
export function meanReversion(parameters: MeanReversionParameters): Strategy {
  const { asset, lookback = 240, deviations = 3, stop = 1, notional = '50%', leverage = '5' } = parameters
  if (!(lookback >= 2 && deviations > 0 && stop > 0))
    throw new RangeError('the bands need at least 2 bars and a width and a stop above zero')
  let bands: Indicator<{ readonly lower: number; readonly middle: number; readonly upper: number }>

  async function enter(direction: Direction, close: number, middle: number, context: StrategyContext) {
    const sign = direction === 'long' ? 1 : -1
    const entry = close * (1 - sign * BEYOND)
    await context.open({
      asset,
      direction,
      type: 'limit',
      sizeBy: { notional },
      leverage,
      triggerPrice: toPrice(entry),
      stopLoss: toPrice(entry - stop * (middle - entry)),
      takeProfit: toPrice(middle),
    })
  }

  async function decide(close: number, context: StrategyContext): Promise<void> {
    for (const order of context.orders(asset)) if (order.orderType === 'limit') await context.cancel(order.id)
    const middle = bands.line('middle').value
    if (middle === null || context.positions(asset).length > 0) return
    if (bands.line('lower').isAbove(close)) await enter('long', close, middle, context)
    else if (bands.line('upper').isBelow(close)) await enter('short', close, middle, context)
  }

  return {
    name: `mean reversion of ${lookback} bars on ${asset}, ${leverage}x, notional ${notional}`,
    onStart(context: StrategyContext) {
      bands = context.indicator(asset, `bands ${lookback}`, new BollingerBands(lookback, deviations))
    },
    onBar(bar: Bar, context: StrategyContext) {
      if (bar.asset !== asset || bands.line('middle').value === null) return
      const close = toNumber(bar.close)
      const isOutside = bands.line('lower').isAbove(close) || bands.line('upper').isBelow(close)
      if (isOutside || context.orders(asset).length > 0) return decide(close, context)
    },
  }
}
