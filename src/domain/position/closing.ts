/** The three ways a position is closed: by an order, by liquidation, by the platform. */

import type { Settlement } from '../../events/positionEvents.ts'
import type { Base } from '../../quantity/units.ts'
import { closeSide, type Market } from '../market/market.ts'
import { executionPrice, scalpingCoefficient } from '../market/pricing.ts'
import { cancelAttachedOrders, endOf } from '../order/ending.ts'
import type { CloseReason, Order } from '../order/order.ts'
import { createOrder, NEUTRAL_TERMS } from '../order/terms.ts'
import type { Step } from '../step.ts'
import { liquidationPrice } from './liquidation.ts'
import type { Position } from './position.ts'
import { settle, settleLiquidation } from './settlement.ts'

/** Executes a close order against its position; an amount above the size closes it in full. */
export function executeClose(step: Step, order: Order, position: Position, market: Market): void {
  const size: Base = order.amount < position.size ? order.amount : position.size
  const closes = size === position.size
  const coefficient = scalpingCoefficient(market, step.at - position.lastIncreaseAt)
  const price = executionPrice(market, closeSide(position.direction), coefficient)
  const settlement = settle(
    position,
    size,
    price,
    market.parameters.feeRate,
    step.at,
    step.world.rules.profitWindowMs,
  )
  executeOrder(step, order, market, settlement)
  step.emit({
    type: 'closePosition',
    ...identify(position),
    ...settlement,
    closes,
    orderId: order.id,
    indexPrice: market.indexPrice,
    feeRate: market.parameters.feeRate,
    scalpingCoefficient: coefficient,
  })
  if (closes) cancelAttachedOrders(step, position.idx)
}

/** Liquidates a position in full at the index price, with an order of type `liquidation` to show for it (E2, E3). */
export function liquidatePosition(step: Step, position: Position, market: Market): void {
  const level = liquidationPrice(position, market.parameters.maintenanceMarginRate)
  const { size, margin } = position
  const settlement = settleLiquidation(
    position,
    executionPrice(market, closeSide(position.direction)),
    step.at,
    step.world.rules.profitWindowMs,
  )
  const order = createOrder(step, {
    ...NEUTRAL_TERMS,
    accountId: position.trader,
    marketId: position.market,
    orderType: 'liquidation',
    direction: position.direction,
    triggerPrice: level,
    limitPrice: level,
    positionId: position.idx,
    amount: size,
  })
  executeOrder(step, order, market, settlement)
  step.emit({
    type: 'liquidate',
    ...identify(position),
    ...settlement,
    orderId: order.id,
    indexPrice: market.indexPrice,
    margin,
    spread: market.parameters.spread,
    maintenanceMarginRate: market.parameters.maintenanceMarginRate,
    liquidationPrice: level,
    formula: 1,
  })
  cancelAttachedOrders(step, position.idx)
}

/** Closes a position by the platform: index price, base spread, normal fee (H2). Its orders are the caller's. */
export function forceClose(step: Step, position: Position, market: Market, closeReason: CloseReason): void {
  const { feeRate, spread } = market.parameters
  const price = executionPrice(market, closeSide(position.direction))
  const settlement = settle(position, position.size, price, feeRate, step.at, step.world.rules.profitWindowMs)
  step.emit({
    type: 'forceClose',
    ...identify(position),
    ...settlement,
    closeReason,
    indexPrice: market.indexPrice,
    feeRate,
    spread,
    margin: position.margin,
    formula: 1,
  })
}

function identify(position: Position) {
  return {
    positionId: position.idx,
    accountId: position.trader,
    marketId: position.market,
    direction: position.direction,
  }
}

function executeOrder(step: Step, order: Order, market: Market, { pnl, rawPnl }: Settlement): void {
  step.emit({
    type: 'orderExecuted',
    ...endOf(step, order),
    indexPrice: market.indexPrice,
    amount: order.amount,
    realizedPnl: pnl,
    rawRealizedPnl: rawPnl,
    profitAdjustmentApplied: pnl !== rawPnl,
  })
}
