/** What every close of a position by an order says first: that its order has executed. */

import type { Settlement } from '../../events/positionEvents.ts'
import { currentTriggerPrice } from '../formulas/trailingStop.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
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
