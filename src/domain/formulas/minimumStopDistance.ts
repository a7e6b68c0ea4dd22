/** Stops too close to the market are pushed out, not refused (F9). */
import { loweredPriceDown, raisedPriceUp } from '../../quantity/products.ts'
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import type { Market } from '../state/market.ts'

/** A stop price as the engine keeps it. */
export interface StopPrice {
  readonly triggerPrice: Price
  /** What was asked for, where it was pushed; else null. */
  readonly requestedTriggerPrice: Price | null
}

/**
 * Long: min(T, ⌊index·(ONE − d)/ONE⌋); short: max(T, ⌈index·(ONE + d)/ONE⌉). Without a minimum distance nothing is
 * pushed: a stop spawned beyond the market keeps its price (F13).
 */
export function atMinimumDistance(market: Market, direction: Direction, triggerPrice: Price): StopPrice {
  const distance = market.parameters.minStopDistance
  if (distance === 0n) return { triggerPrice, requestedTriggerPrice: null }
  const nearest =
    direction === 'long'
      ? loweredPriceDown(market.indexPrice, distance)
      : raisedPriceUp(market.indexPrice, distance)
  const tooClose = direction === 'long' ? triggerPrice > nearest : triggerPrice < nearest
  return tooClose
    ? { triggerPrice: nearest, requestedTriggerPrice: triggerPrice }
    : { triggerPrice, requestedTriggerPrice: null }
}
