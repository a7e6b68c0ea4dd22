/** The close before the weekly session ends (G3). */

import type { WeeklySessionRiskClose } from '../../events/command.ts'
import { leverageUp, notionalUp } from '../../quantity/products.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import { closeByPlatform } from '../flows/closeByPlatform.ts'
import type { Decision } from '../flows/decision.ts'
import { cancelOrder } from '../flows/endOrder.ts'
import { unrealizedPnl } from '../formulas/profitWindow.ts'
import type { Market } from '../state/market.ts'
import type { Position } from '../state/position.ts'

/**
 * Before the weekly session ends: every order of the market is cancelled and every position closed. With a weekend
 * maximum leverage, only positions above it go, and only their attached orders (G3).
 */
export function weeklySessionRiskClose(
  decision: Decision,
  command: WeeklySessionRiskClose,
): Rejection | null {
  const market = decision.world.markets.get(command.marketId)
  if (market === undefined) return rejection('market_not_found')
  const maximum = market.parameters.weekendMaxLeverage
  if (maximum === null)
    for (const order of [...market.orders]) cancelOrder(decision, order, 'weekly_session_risk_close')
  for (const position of [...market.positions])
    if (maximum === null || exceedsLeverage(decision, position, market, maximum))
      closeByPlatform(decision, position, market, 'weekly_session_risk_close')
  return null
}

/** Effective leverage: value at the index over margin and unrealized pnl. */
function exceedsLeverage(decision: Decision, position: Position, market: Market, maximum: bigint): boolean {
  const { at, world } = decision
  const backing = position.margin + unrealizedPnl(position, market.indexPrice, at, world.rules.profitWindowMs)
  return backing <= 0n || leverageUp(notionalUp(position.size, market.indexPrice), backing) > maximum
}
