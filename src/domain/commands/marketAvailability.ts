/** Whether a market takes an order now, and whether its price can be relied on (POST 4, B7, G1, G2, G4). */

import { type Rejection, rejection } from '../../terms/errors.ts'
import { MARKET_STATUSES } from '../../terms/marketStatus.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'

/** Paused, then category, then close-only; a market close is the one thing a close-only market takes (G4). */
export function tradingMarketRejection(
  market: Market,
  account: Account,
  closesAtMarket: boolean,
): Rejection | null {
  const { takes, rejectsWith } = MARKET_STATUSES[market.status]
  if (takes === 'nothing') return rejection(rejectsWith)
  if (!account.parameters.allowedCategories.includes(market.parameters.category))
    return rejection('market_category_not_allowed')
  return takes === 'orders' || closesAtMarket ? null : rejection(rejectsWith)
}

/** A price must exist and be younger than the market's maximum age; at that age it is stale (B7, A5). */
export function priceRejection(market: Market, at: number): Rejection | null {
  if (market.priceAt === null) return rejection('market_price_unavailable')
  return at - market.priceAt >= market.parameters.maxPriceAgeMs ? rejection('market_price_stale') : null
}
