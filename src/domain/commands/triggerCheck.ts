/** A trigger price against the current price and the liquidation price (POST 6, F1, F2, F9, F10, F12). */
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import type { MarketParameters } from '../../terms/marketParameters.ts'
import type { PlaceableOrderType } from '../../terms/orderTypes.ts'
import { type LiquidationTerms, liquidationPrice } from '../formulas/liquidation.ts'
import { atMinimumDistance, type DistancedMarket, type StopPrice } from '../formulas/minimumStopDistance.ts'
import { type SizingTerms, sizeIncrease } from '../formulas/sizing.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import { openPosition } from '../state/openPosition.ts'

/** A trigger price that may be used, as the engine keeps it, or the code that refuses it. */
export type CheckedTrigger = (StopPrice & { readonly rejected: null }) | { readonly rejected: Rejection }

/** What of a market a trigger price is held against. */
export interface TriggerMarket extends DistancedMarket {
  readonly parameters: Pick<MarketParameters, 'minStopDistance' | 'maintenanceMarginRate'>
}

interface TriggerTerms {
  readonly type: PlaceableOrderType
  readonly direction: Direction
  readonly triggerPrice: Price
}

/** Checks a trigger price by order type; equality with either price is accepted (F2). */
export function checkTrigger(
  market: TriggerMarket,
  terms: TriggerTerms,
  position: LiquidationTerms | null,
): CheckedTrigger {
  const { type, direction, triggerPrice } = terms
  const kept = { triggerPrice, requestedTriggerPrice: null, rejected: null }
  switch (type) {
    case 'market':
    case 'trailing_stop':
      return kept
    case 'limit':
      return verdict(currentRejection(market, direction, triggerPrice, 'at_or_below'), kept)
    case 'stop_market':
    case 'stop_limit':
      return verdict(currentRejection(market, direction, triggerPrice, 'at_or_above'), kept)
    case 'stop':
      return triggerPrice === 0n ? kept : checkStop(market, direction, triggerPrice, position)
    case 'take':
      return triggerPrice === 0n ? kept : checkTake(market, direction, triggerPrice, position)
  }
}

/** On the losing side of the market, pushed to the minimum distance, then still before liquidation (F9, F10). */
function checkStop(
  market: TriggerMarket,
  direction: Direction,
  price: Price,
  terms: LiquidationTerms | null,
): CheckedTrigger {
  const rejected = currentRejection(market, direction, price, 'at_or_below')
  if (rejected !== null) return { rejected: rejected }
  const pushed = atMinimumDistance(market, direction, price)
  return verdict(liquidationRejection(market, pushed.triggerPrice, terms), { ...pushed, rejected: null })
}

function checkTake(
  market: TriggerMarket,
  direction: Direction,
  price: Price,
  terms: LiquidationTerms | null,
): CheckedTrigger {
  const rejected =
    currentRejection(market, direction, price, 'at_or_above') ?? liquidationRejection(market, price, terms)
  return verdict(rejected, { triggerPrice: price, requestedTriggerPrice: null, rejected: null })
}

function verdict(rejected: Rejection | null, accepted: CheckedTrigger): CheckedTrigger {
  return rejected === null ? accepted : { rejected: rejected }
}

/** Against the current price, without spread (B3). The side is that of a long; a short mirrors it and its codes (F1). */
function currentRejection(
  market: TriggerMarket,
  direction: Direction,
  price: Price,
  side: 'at_or_below' | 'at_or_above',
): Rejection | null {
  const below = (side === 'at_or_below') === (direction === 'long')
  if (below) return price > market.indexPrice ? rejection('trigger_price_gt_current') : null
  return price < market.indexPrice ? rejection('trigger_price_lt_current') : null
}

function liquidationRejection(
  market: TriggerMarket,
  price: Price,
  terms: LiquidationTerms | null,
): Rejection | null {
  if (terms === null) return null
  const liquidation = liquidationPrice(terms, market.parameters.maintenanceMarginRate)
  if (terms.direction === 'long')
    return price < liquidation ? rejection('trigger_price_lt_liquidation') : null
  return price > liquidation ? rejection('trigger_price_gt_liquidation') : null
}

interface AttachedPrices {
  readonly stopTriggerPrice: Price
  readonly takeTriggerPrice: Price
}

/**
 * Attached prices of a market order: both against the current price, then the stop-loss, as it will be pushed, against
 * the liquidation price the position would have after the fill (F12, J18).
 */
export function attachedToMarketRejection(
  market: Market,
  account: Account,
  sizing: SizingTerms,
  { stopTriggerPrice, takeTriggerPrice }: AttachedPrices,
): Rejection | null {
  const { direction } = sizing
  if (stopTriggerPrice > 0n) {
    const rejected = currentRejection(market, direction, stopTriggerPrice, 'at_or_below')
    if (rejected !== null) return rejected
  }
  if (takeTriggerPrice > 0n) {
    const rejected = currentRejection(market, direction, takeTriggerPrice, 'at_or_above')
    if (rejected !== null) return rejected
  }
  if (stopTriggerPrice === 0n) return null
  if (sizing.sizeMode === 'base' && sizing.baseSize === null) return rejection('order_validation_invariant')
  const projected = projectPosition(market, account, sizing)
  const pushed = atMinimumDistance(market, direction, stopTriggerPrice)
  return liquidationRejection(market, pushed.triggerPrice, projected)
}

/** The position after the fill; null where the fill would fail for want of size, which execution will say. */
function projectPosition(market: Market, account: Account, sizing: SizingTerms): LiquidationTerms | null {
  const fill = sizeIncrease(market, sizing)
  if (fill === null) return null
  const held = openPosition(account, market, sizing.direction)
  return {
    direction: sizing.direction,
    size: fill.size + (held?.size ?? 0n),
    notional: fill.notional + (held?.notional ?? 0n),
    margin: fill.margin + (held?.margin ?? 0n),
  }
}
