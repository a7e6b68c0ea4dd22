/**
 * EMA cross: long while the fast exponential moving average is above the slow one, short while it is below, always in
 * the market once both are warm.
 */
import { EMA } from 'trading-signals'
import type { Indicator } from '../strategy/indicator.ts'
import type { Bar, Strategy, StrategyContext } from '../strategy/strategy.ts'

/** What {@link emaCross} can be told. */
export interface EmaCrossParameters {
  readonly asset: string
  /** Bars of the two averages. Default 20 and 50. */
  readonly fast?: number
  /** Bars of the slower average. Default 50. */
  readonly slow?: number
  /** "10" is 10x. Default 5x. */
  readonly leverage?: string
  /** Margin of each entry, "10%" of equity or an amount. Default 10%. */
  readonly margin?: string
}

/**
 * Long while the fast average is above the slow one, short while it is below.
 *
 * ```ts
 * emaCross({ asset: 'BTC', fast: 20, slow: 50, leverage: '5' }).name // → EMA cross 20/50 on BTC, 5x, margin 10%
 * ```
 *
 * @throws RangeError for parameters out of range.
 */
export function emaCross(parameters: EmaCrossParameters): Strategy {
  const { asset, fast = 20, slow = 50, leverage = '5', margin = '10%' } = parameters
  if (!(fast >= 1 && slow > fast))
    throw new RangeError('the fast average must be at least 1 bar and shorter than the slow')
  let fastAverage: Indicator
  let slowAverage: Indicator
  let side: 'long' | 'short' | null = null

  async function turn(wanted: 'long' | 'short', context: StrategyContext): Promise<void> {
    for (const position of context.positions(asset)) await context.close({ position })
    await context.open({ asset, direction: wanted, sizeBy: { margin }, leverage })
  }

  return {
    name: `EMA cross ${fast}/${slow} on ${asset}, ${leverage}x, margin ${margin}`,
    onStart(context: StrategyContext) {
      fastAverage = context.indicator(asset, `EMA ${fast}`, new EMA(fast))
      slowAverage = context.indicator(asset, `EMA ${slow}`, new EMA(slow))
    },
    onBar(bar: Bar, context: StrategyContext) {
      if (bar.asset !== asset) return
      const wanted = fastAverage.isAbove(slowAverage)
        ? 'long'
        : fastAverage.isBelow(slowAverage)
          ? 'short'
          : null
      if (wanted === null || wanted === side) return
      side = wanted
      return turn(wanted, context)
    },
  }
}
