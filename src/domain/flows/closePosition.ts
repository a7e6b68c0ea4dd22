/** A position is closed by an order, whole or in part. */

import type { Base } from '../../quantity/units.ts'
import { closeSide } from '../../terms/direction.ts'
import { executionPrice, scalpingCoefficient } from '../formulas/executionPrice.ts'
import { settle } from '../formulas/settlement.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import { executeClosingOrder } from './closingEvents.ts'
import type { Decision } from './decision.ts'
import { cancelAttachedOrders } from './endOrder.ts'

/** Executes a close order against its position; an amount above the size closes it in full (C7, F14). */
export function executeClose(decision: Decision, order: Order, position: Position, market: Market): void {
  const size: Base = order.amount < position.size ? order.amount : position.size
  const closes = size === position.size
  const coefficient = scalpingCoefficient(market, decision.at - position.lastIncreaseAt)
  const price = executionPrice(market, closeSide(position.direction), coefficient)
  const settlement = settle(
    position,
    size,
    price,
    market.parameters.feeRate,
    decision.at,
    decision.world.rules.profitWindowMs,
  )
  executeClosingOrder(decision, order, market, settlement)
  // Written out, like every close: copying what they share from one object takes ten times as long for so many fields.
  decision.emit({
    type: 'closePosition',
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
    closes,
    orderId: order.id,
    indexPrice: market.indexPrice,
    feeRate: market.parameters.feeRate,
    scalpingCoefficient: coefficient,
  })
  if (closes) cancelAttachedOrders(decision, position.id)
}
