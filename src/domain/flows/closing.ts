/** The three ways a position is closed: by an order, by liquidation, by the platform. */

import type { Settlement } from '../../events/positionEvents.ts'
import type { Base } from '../../quantity/units.ts'
import { closeSide } from '../../terms/direction.ts'
import type { CloseReason } from '../../terms/orderStatus.ts'
import { executionPrice, scalpingCoefficient } from '../formulas/executionPrice.ts'
import { liquidationPrice } from '../formulas/liquidation.ts'
import { settle, settleLiquidation } from '../formulas/settlement.ts'
import { currentTriggerPrice } from '../formulas/trailingStop.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import { createOrder, newClosingOrder, setTrigger } from './creation.ts'
import type { Decision } from './decision.ts'
import { cancelAttachedOrders, cancelOrder } from './ending.ts'

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
  executeOrder(decision, order, market, settlement)
  decision.emit(
    Object.assign(settled('closePosition', position, settlement), {
      closes,
      orderId: order.id,
      indexPrice: market.indexPrice,
      feeRate: market.parameters.feeRate,
      scalpingCoefficient: coefficient,
    }),
  )
  if (closes) cancelAttachedOrders(decision, position.id)
}

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
  executeOrder(decision, order, market, settlement)
  decision.emit(
    Object.assign(settled('liquidate', position, settlement), {
      orderId: order.id,
      indexPrice: market.indexPrice,
      margin,
      spread: market.parameters.spread,
      maintenanceMarginRate: market.parameters.maintenanceMarginRate,
      liquidationPrice: level,
      formula: 1 as const,
    }),
  )
  cancelAttachedOrders(decision, position.id)
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
  decision.emit(
    Object.assign(settled('forceClose', position, settlement), {
      closeReason,
      indexPrice: market.indexPrice,
      feeRate,
      spread,
      margin: position.margin,
      formula: 1 as const,
    }),
  )
}

function executeOrder(decision: Decision, order: Order, market: Market, { pnl, rawPnl }: Settlement): void {
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

/** One position by itself: what is attached to it goes first, for the same reason (H2). */
export function closeByPlatform(
  decision: Decision,
  position: Position,
  market: Market,
  reason: CloseReason,
): void {
  for (const order of [...(decision.world.closeOrders.get(position.id) ?? [])])
    cancelOrder(decision, order, reason)
  forceClose(decision, position, market, reason)
}

/** A close of any kind: whose position it is, and what it settles. What its kind says besides is the caller's to add. */
function settled<Type extends 'closePosition' | 'liquidate' | 'forceClose'>(
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
