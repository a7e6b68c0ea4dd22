/**
 * Funding carry: hold the side that the last funding rate paid, while it paid enough, and step out when it no longer
 * does. Margin is topped up when the price has moved
 * far against the position.
 */
import type { PositionRecord } from '../../domain/state/position.ts'
import { fp9 } from '../../quantity/decimal.ts'
import { toNumber } from '../numbers/toNumber.ts'
import type { Bar, Strategy, StrategyContext } from '../strategy/strategy.ts'

/** What {@link fundingCarry} can be told. */
export interface FundingCarryParameters {
  readonly asset: string
  /** The least rate per funding interval worth holding for. Default 0.01%. */
  readonly threshold?: string
  /** Notional of the position: an amount, or a percentage of equity. Default 100%. */
  readonly notional?: string
  /** "10" is 10x. Default 3x. */
  readonly leverage?: string
}

/** Topped up where less than this part of the margin that the leverage asks for is left. */
const TOP_UP_BELOW = 0.6

/**
 * Holds the side that funding pays while it pays enough.
 *
 * ```ts
 * fundingCarry({ asset: 'BTC' }).name // → funding carry above 0.01% on BTC, 3x, notional 100%
 * ```
 *
 * @throws RangeError for parameters out of range.
 */
export function fundingCarry(parameters: FundingCarryParameters): Strategy {
  const { asset, threshold = '0.01%', notional = '100%', leverage = '3' } = parameters
  const least = fp9(threshold)
  if (least < 0n) throw new RangeError('the least rate must not be below zero')
  let rate: bigint | null = null

  async function hold(wanted: 'long' | 'short' | null, context: StrategyContext): Promise<void> {
    let held = false
    for (const position of context.positions(asset)) {
      if (position.direction === wanted) held = true
      else await context.close({ position })
    }
    if (wanted !== null && !held)
      await context.open({ asset, direction: wanted, sizeBy: { notional }, leverage })
  }

  /** What is left of the margin as a fraction of what the leverage asks for. */
  function cover(position: PositionRecord, close: number): number {
    const value = (Number(position.size) / 1e9) * close
    const entry = Number(position.notional) / 1e9
    const pnl = position.direction === 'long' ? value - entry : entry - value
    return ((Number(position.margin) / 1e9 + pnl) * Number(leverage)) / entry
  }

  return {
    name: `funding carry above ${threshold} on ${asset}, ${leverage}x, notional ${notional}`,
    onBar(bar: Bar, context: StrategyContext) {
      if (bar.asset !== asset) return
      const { fundingRate } = context.market(asset).state
      if (fundingRate !== rate) {
        rate = fundingRate
        // A positive rate is paid by longs: the short side earns it.
        const wanted = fundingRate >= least ? 'short' : -fundingRate >= least ? 'long' : null
        return hold(wanted, context)
      }
      for (const position of context.positions(asset)) {
        if (cover(position, toNumber(bar.close)) >= TOP_UP_BELOW) continue
        const change = position.margin / 2n
        if (change > 0n && change <= context.freeBalance()) return topUp(position, change, context)
      }
    },
  }

  async function topUp(position: PositionRecord, change: bigint, context: StrategyContext): Promise<void> {
    await context.changeMargin(position, change)
  }
}
