/** A position is liquidated. */

import { closeSide } from '../../terms/direction.ts'
import { executionPrice } from '../formulas/executionPrice.ts'
import { liquidationPrice } from '../formulas/liquidation.ts'
import { settleLiquidation } from '../formulas/settlement.ts'
import type { Market } from '../state/market.ts'
import type { Position } from '../state/position.ts'
import { executeClosingOrder } from './closingEvents.ts'
import { createOrder, newClosingOrder, setTrigger } from './createOrder.ts'
import type { Decision } from './decision.ts'
import { cancelAttachedOrders } from './endOrder.ts'

/** Liquidates a position in full at the index price, with an order of type `liquidation` to show for it (E2, E3). */
export function liquidatePosition(decision: Decision, position: Position, market: Market): void {
  const level = liquidationPrice(position, market.parameters.maintenanceMarginRate)
  const { size, margin } = position
  const settlement = settleLiquidation(
    position,
    executionPrice(market, closeSide(position.direction)),
    decision.at,
    decision.world.rules.profitWindowMs,
  )
  const closing = newClosingOrder(decision, position, 'liquidation', size)
  setTrigger(closing, { triggerPrice: level, requestedTriggerPrice: null })
  const order = createOrder(decision, closing)
  executeClosingOrder(decision, order, market, settlement)
  // Written out, like every close: copying what they share from one object takes ten times as long for so many fields.
  decision.emit({
    type: 'liquidate',
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
    orderId: order.id,
    indexPrice: market.indexPrice,
    margin,
    spread: market.parameters.spread,
    maintenanceMarginRate: market.parameters.maintenanceMarginRate,
    liquidationPrice: level,
    formula: 1,
  })
  cancelAttachedOrders(decision, position.id)
}
