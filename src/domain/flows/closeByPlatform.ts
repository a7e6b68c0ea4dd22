/** A position is closed by the platform. */

import type { CloseReason } from '../../terms/closeReason.ts'
import { closeSide } from '../../terms/direction.ts'
import { executionPrice } from '../formulas/executionPrice.ts'
import { settle } from '../formulas/settlement.ts'
import type { Market } from '../state/market.ts'
import type { Position } from '../state/position.ts'
import type { Decision } from './decision.ts'
import { cancelOrder } from './endOrder.ts'

/** One position by itself: what is attached to it goes first, for the same reason (H2). */
export function closeByPlatform(
  decision: Decision,
  position: Position,
  market: Market,
  reason: CloseReason,
): void {
  for (const order of decision.world.orders.closing(position.id)) cancelOrder(decision, order, reason)
  forceClose(decision, position, market, reason)
}

/** Closes a position by the platform: index price, base spread, normal fee (H2). Its orders are the caller's. */
export function forceClose(
  decision: Decision,
  position: Position,
  market: Market,
  closeReason: CloseReason,
): void {
  const { feeRate, spread } = market.parameters
  const price = executionPrice(market, closeSide(position.direction))
  const settlement = settle(
    position,
    position.size,
    price,
    feeRate,
    decision.at,
    decision.world.rules.profitWindowMs,
  )
  // Written out, like every close: copying what they share from one object takes ten times as long for so many fields.
  decision.emit({
    type: 'forceClose',
    positionId: position.id,
    accountId: position.accountId,
    marketId: position.marketId,
    direction: position.direction,
    size: settlement.size,
    exchangedQuote: settlement.exchangedQuote,
    cost: settlement.cost,
    rawPnl: settlement.rawPnl,
    pnl: settlement.pnl,
    fee: settlement.fee,
    marginReleased: settlement.marginReleased,
    credit: settlement.credit,
    profitReferenceUsed: settlement.profitReferenceUsed,
    holdingTimeMs: settlement.holdingTimeMs,
    closeReason,
    indexPrice: market.indexPrice,
    feeRate,
    spread,
    margin: position.margin,
    formula: 1,
  })
}
