/** Stops too close to the market are pushed out, not refused (F9). */
import { loweredPriceDown, raisedPriceUp } from '../../quantity/products.ts'
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import type { MarketParameters } from '../../terms/marketParameters.ts'

/** A stop price as the engine keeps it. */
export interface StopPrice {
  readonly triggerPrice: Price
  /** What was asked for, where it was pushed; else null. */
  readonly requestedTriggerPrice: Price | null
}

/** What of a market the distance depends on. */
export interface DistancedMarket {
  readonly indexPrice: Price
  readonly parameters: Pick<MarketParameters, 'minStopDistance'>
}

/**
 * Long: min(T, ⌊index·(ONE − d)/ONE⌋); short: max(T, ⌈index·(ONE + d)/ONE⌉). Without a minimum distance nothing is
 * pushed: a stop spawned beyond the market keeps its price (F13).
 */
export function atMinimumDistance(
  market: DistancedMarket,
  direction: Direction,
  triggerPrice: Price,
): StopPrice {
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
