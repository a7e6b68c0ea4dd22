/** Executing an increase order: size it, check it, open or grow the position, attach stop-loss and take-profit. */

import type { Quote } from '../../quantity/units.ts'
import type { ExecutionErrorCode } from '../../terms/errors.ts'
import { MARKET_STATUSES } from '../../terms/marketStatus.ts'
import { spawnsLimit } from '../../terms/orderTypes.ts'
import { fitsOpenNotional } from '../formulas/openNotional.ts'
import { referenceAfterIncrease } from '../formulas/profitWindow.ts'
import { type Fill, sizeIncrease } from '../formulas/sizing.ts'
import { isOutsideTolerance } from '../formulas/slippageTolerance.ts'
import type { Market } from '../state/market.ts'
import { openPosition } from '../state/openPosition.ts'
import { leverageOf, type Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import { spawnAttached, spawnLimit } from './attachedOrders.ts'
import type { Decision } from './decision.ts'
import { failOrder } from './endOrder.ts'

/** Executes an increase order at the market's index price, or fails it with its error code (C4). */
export function executeIncrease(decision: Decision, order: Order, market: Market): void {
  if (MARKET_STATUSES[market.status].takes !== 'orders')
    return failOrder(decision, order, 'market_close_only_at_execution')
  if (spawnsLimit(order.orderType)) return spawnLimit(decision, order, market)
  const fill = sizeIncrease(market, sizingTerms(order))
  if (fill === null) return failOrder(decision, order, 'order_zero_size_at_execution')
  const error = executionError(order, market, fill)
  if (error !== null) return failOrder(decision, order, error)
  fillIncrease(decision, order, market, fill)
}

function sizingTerms(order: Order) {
  const { direction, sizeMode, baseSize } = order
  return { direction, sizeMode, baseSize, amount: order.reserve, leverage: leverageOf(order) }
}

/** Reserve, minimum notional, depth (B8), open notional, slippage: in this order (C4). */
function executionError(order: Order, market: Market, fill: Fill): ExecutionErrorCode | null {
  const { minNotional, maxOrderNotional } = market.parameters
  if (fill.spent > order.reserve) return 'insufficient_reserve_at_execution'
  if (fill.notional < minNotional) return 'order_below_min_notional'
  if (maxOrderNotional !== null && fill.notional > maxOrderNotional) return 'order_exceeds_market_depth'
  if (!fitsOpenNotional(market, order.direction, fill.notional)) return 'order_exceeds_max_open_notional'
  return isOutsideTolerance(order, fill) ? 'slippage_tolerance' : null
}

function fillIncrease(decision: Decision, order: Order, market: Market, fill: Fill): void {
  const account = decision.world.accounts.known(order.accountId)
  const held = openPosition(account, market, order.direction)
  const positionId = held?.id ?? decision.newId()
  decision.emit({
    type: 'orderExecuted',
    orderId: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    triggerPrice: order.triggerPrice,
    released: order.reserve - fill.spent,
    indexPrice: market.indexPrice,
    amount: fill.spent,
    realizedPnl: null,
    rawRealizedPnl: null,
    profitAdjustmentApplied: false,
  })
  decision.emit({
    type: 'increasePosition',
    positionId,
    accountId: order.accountId,
    marketId: order.marketId,
    direction: order.direction,
    opens: held === undefined,
    orderId: order.id,
    indexPrice: market.indexPrice,
    size: fill.size,
    notional: fill.notional,
    margin: fill.margin,
    leverage: leverageOf(order),
    fee: fill.fee,
    feeRate: market.parameters.feeRate,
    profitReference: referenceOf(decision, held, market),
  })
  spawnAttached(decision, order, positionId, market, fill.size)
}

/** Nothing on open (D2), the adjusted unrealized pnl just before on an increase (D3). */
function referenceOf({ at, world }: Decision, held: Position | undefined, market: Market): Quote {
  if (held === undefined) return 0n
  return referenceAfterIncrease(held, market.indexPrice, at, world.rules.profitWindowMs)
}
