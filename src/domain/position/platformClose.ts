/** Positions closed by the platform one by one: a single force close (H2) and the weekly session close (G3). */
import { leverageUp, notionalUp } from '../../quantity/products.ts'
import type { ForceClosePosition, WeeklySessionRiskClose } from '../command.ts'
import { type Refusal, refusal } from '../errors.ts'
import type { Market } from '../market/market.ts'
import { cancelOrder } from '../order/ending.ts'
import type { CloseReason } from '../order/order.ts'
import type { Step } from '../step.ts'
import { forceClose } from './closing.ts'
import { endedPositionFault } from './lookup.ts'
import type { Position } from './position.ts'
import { unrealizedPnl } from './profitCap.ts'

export function forceClosePosition(step: Step, command: ForceClosePosition): Refusal | null {
  const position = step.world.positions.get(command.positionId)
  if (position === undefined) return endedPositionFault(step.world, command.positionId, null)
  closeByPlatform(step, position, step.world.markets.get(position.market) as Market, 'force_close')
  return null
}

/**
 * Before the weekly session ends: every order of the market is cancelled and every position closed. With a weekend
 * maximum leverage, only positions above it go, and only their attached orders (G3).
 */
export function weeklySessionRiskClose(step: Step, command: WeeklySessionRiskClose): Refusal | null {
  const market = step.world.markets.get(command.marketId)
  if (market === undefined) return refusal('market_not_found')
  const maximum = market.parameters.weekendMaxLeverage
  if (maximum === null)
    for (const order of [...market.orders]) cancelOrder(step, order, 'weekly_session_risk_close')
  for (const position of [...market.positions])
    if (maximum === null || exceedsLeverage(step, position, market, maximum))
      closeByPlatform(step, position, market, 'weekly_session_risk_close')
  return null
}

/** Effective leverage: value at the index over margin and unrealized pnl. */
function exceedsLeverage(step: Step, position: Position, market: Market, maximum: bigint): boolean {
  const { at, world } = step
  const backing = position.margin + unrealizedPnl(position, market.indexPrice, at, world.rules.profitWindowMs)
  return backing <= 0n || leverageUp(notionalUp(position.size, market.indexPrice), backing) > maximum
}

function closeByPlatform(step: Step, position: Position, market: Market, reason: CloseReason): void {
  for (const order of [...(step.world.closeOrders.get(position.idx) ?? [])]) cancelOrder(step, order, reason)
  forceClose(step, position, market, reason)
}
