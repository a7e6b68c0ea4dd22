/**
 * Learned direction: a ridge regression learns how much the price changes over so many bars, from how far the close is from four averages and
 * from how much prices move. It enters where the change that is foretold is larger than a threshold, and leaves where the opposite is foretold.
 */
import { ATR, EMA } from 'trading-signals'
import type { Direction } from '../../terms/direction.ts'
import type { Learned } from '../learned/learned.ts'
import { ridge } from '../learned/ridge.ts'
import { correlation, sameSide, skill } from '../learned/scores.ts'
import { decimal } from '../numbers/decimals.ts'
import { toNumber } from '../numbers/toNumber.ts'
import type { Indicator } from '../strategy/indicator.ts'
import type { Bar, Strategy, StrategyContext } from '../strategy/strategy.ts'

/** What {@link learnedDirection} can be told. */
export interface LearnedDirectionParameters {
  readonly asset: string
  /** Bars ahead that are foretold. Default 60. */
  readonly horizon?: number
  /** Days that a fit learns from: whole. Default 30. */
  readonly window?: number
  /** Days between two fits: whole. Default 1. */
  readonly every?: number
  /** The least change that is traded on, "0.1%" of the price. Default 0.1%. */
  readonly threshold?: string
  /** Notional of each entry: an amount, or a percentage of equity. Default 50%. */
  readonly notional?: string
  /** "10" is 10x. Default 5x. */
  readonly leverage?: string
}

/** Bars of the averages. */
const LOOKBACKS = [5, 20, 60, 240]

/**
 * Learns which way the price goes, and follows.
 *
 * ```ts
 * learnedDirection({ asset: 'BTC' }).name // → learned direction of 60 bars on BTC, 5x, notional 50%
 * ```
 *
 * @throws RangeError for parameters out of range.
 */
export function learnedDirection(parameters: LearnedDirectionParameters): Strategy {
  const { asset, horizon = 60, window = 30, every = 1, threshold = '0.1%' } = parameters
  const { notional = '50%', leverage = '5' } = parameters
  const least = toNumber(decimal(threshold))
  if (!(least >= 0)) throw new RangeError('the threshold is a change of the price, zero or more')
  let averages: readonly Indicator[]
  let range: Indicator
  let change: Learned

  /** In average ranges, so that calm and storm are told on one scale. */
  function featuresOf(bar: Bar): readonly number[] | null {
    const close = toNumber(bar.close)
    const means = averages.map(({ value }) => value)
    const moves = range.value ?? 0
    if (moves <= 0 || means.some((mean) => mean === null)) return null
    return [...means.map((mean) => (close - (mean ?? close)) / moves), moves / close]
  }

  /** `wanted` is the side to be on; null for none in particular, where what is held on the foretold side stays. */
  async function turn(wanted: Direction | null, context: StrategyContext): Promise<void> {
    const foretold = change.isAbove(0) ? 'long' : 'short'
    let isHeld = false
    for (const position of context.positions(asset)) {
      if (position.direction === foretold) isHeld = true
      else await context.close({ position })
    }
    if (wanted !== null && !isHeld)
      await context.open({ asset, direction: wanted, sizeBy: { notional }, leverage })
  }

  return {
    name: `learned direction of ${horizon} bars on ${asset}, ${leverage}x, notional ${notional}`,
    onStart(context: StrategyContext) {
      averages = LOOKBACKS.map((bars) => context.indicator(asset, `EMA ${bars}`, new EMA(bars)))
      range = context.indicator(asset, 'ATR 240', new ATR(240), { of: 'candle', chart: 'none' })
      change = context.learn(asset, `change in ${horizon} bars`, {
        horizon,
        window: `${window}d`,
        every: `${every}d`,
        features: featuresOf,
        label: (ahead, { close }) => toNumber((ahead.at(-1) as Bar).close) / toNumber(close) - 1,
        fit: ridge(),
        scores: { correlation, skill, sameSide: sameSide() },
      })
    },
    onBar(bar: Bar, context: StrategyContext) {
      if (bar.asset !== asset || change.value === null) return
      if (change.isAbove(least)) return turn('long', context)
      if (change.isBelow(-least)) return turn('short', context)
      return turn(null, context)
    },
  }
}
