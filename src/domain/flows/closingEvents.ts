/** What every close of a position says: the execution of its order, and what it settles. */

import type { Settlement } from '../../events/positionEvents.ts'
import { currentTriggerPrice } from '../formulas/trailingStop.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import type { Decision } from './decision.ts'

/** The order behind a close has executed. */
export function executeClosingOrder(
  decision: Decision,
  order: Order,
  market: Market,
  { pnl, rawPnl }: Settlement,
): void {
  decision.emit({
    type: 'orderExecuted',
    orderId: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    triggerPrice: currentTriggerPrice(order),
    released: order.reserve,
    indexPrice: market.indexPrice,
    amount: order.amount,
    realizedPnl: pnl,
    rawRealizedPnl: rawPnl,
    profitAdjustmentApplied: pnl !== rawPnl,
  })
}

/** A close of any kind: whose position it is, and what it settles. What its kind says besides is the caller's to add. */
export function settled<Type extends 'closePosition' | 'liquidate' | 'forceClose'>(
  type: Type,
  position: Position,
  settlement: Settlement,
) {
  // Field by field: a copy by spread of an object with this many fields takes a hundred times as long.
  return {
    type,
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
  }
}
