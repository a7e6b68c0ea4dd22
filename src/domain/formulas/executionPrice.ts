/** The execution price: index price and spread, against the trader (B1), multiplied inside the scalping window (B2). */
import { ONE } from '../../quantity/fp9.ts'
import {
  loweredFromUp,
  loweredPriceDown,
  raisedFromDown,
  raisedPriceUp,
  scaledRateUp,
} from '../../quantity/products.ts'
import type { Leverage, Price } from '../../quantity/units.ts'
import { type BookSide, type Direction, increaseSide } from '../../terms/direction.ts'
import type { MarketParameters } from '../../terms/marketParameters.ts'

/** What of a market its execution price depends on. */
export interface SpreadMarket {
  readonly indexPrice: Price
  readonly parameters: Pick<MarketParameters, 'spread'>
}

/**
 * Price at which one side executes: a buy at ⌈index·(ONE + s′)/ONE⌉, a sell at ⌊index·(ONE − s′)/ONE⌋ with
 * s′ = ⌈spread·coefficient/ONE⌉ (B1).
 */
export function executionPrice(market: SpreadMarket, side: BookSide, coefficient: Leverage = ONE): Price {
  const { spread } = market.parameters
  const charged = coefficient === ONE ? spread : scaledRateUp(spread, coefficient)
  if (charged === 0n) return market.indexPrice
  return side === 'buy'
    ? raisedPriceUp(market.indexPrice, charged)
    : loweredPriceDown(market.indexPrice, charged)
}

/** The spread multiplier of a close by order: the market's inside the scalping window, else 1.0 (B2). */
export function scalpingCoefficient(
  market: { readonly parameters: Pick<MarketParameters, 'scalpingWindowMs' | 'scalpingCoefficient'> },
  holdingTimeMs: number,
): Leverage {
  const { scalpingWindowMs, scalpingCoefficient } = market.parameters
  return holdingTimeMs < scalpingWindowMs ? scalpingCoefficient : ONE
}

/**
 * The index price at which a limit order becomes executable (F3, J12): for a long the largest index whose execution
 * price is at or below the limit, for a short the smallest whose execution price is at or above it.
 */
export function limitLevel(
  market: Pick<SpreadMarket, 'parameters'>,
  direction: Direction,
  limitPrice: Price,
): Price {
  const { spread } = market.parameters
  if (spread === 0n) return limitPrice
  return increaseSide(direction) === 'buy'
    ? raisedFromDown(limitPrice, spread)
    : loweredFromUp(limitPrice, spread)
}
