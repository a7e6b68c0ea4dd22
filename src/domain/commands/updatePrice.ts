/**
 * A tick: the price moves along the straight path from the last evaluated index, and everything on it fires (B4–B6). Of a
 * paused market it is the price alone (J6).
 */

import type { UpdatePrice } from '../../events/command.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import { MARKET_STATUSES } from '../../terms/marketStatus.ts'
import { firingSide, stopsLoss } from '../../terms/orderTypes.ts'
import { executeClose } from '../flows/closePosition.ts'
import type { Decision } from '../flows/decision.ts'
import { executeIncrease } from '../flows/increasePosition.ts'
import { liquidatePosition } from '../flows/liquidatePosition.ts'
import { liquidateChanged } from '../flows/riskChecks.ts'
import { isLiquidatable } from '../formulas/liquidation.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import { orderLevel, reached } from '../triggers/level.ts'

export function updatePrice(decision: Decision, command: UpdatePrice): Rejection | null {
  const { world } = decision
  const market = world.markets.get(command.marketId)
  if (market === undefined) return rejection('market_not_found')
  const from = market.evaluatedPrice
  decision.emit({ type: 'priceUpdated', marketId: market.id, indexPrice: command.indexPrice })
  if (!MARKET_STATUSES[market.status].evaluates) return null
  for (const firing of world.triggers.firing(market, from)) {
    if (firing.kind === 'order') fireOrder(decision, world.orders.at(firing.row, firing.sequence), market)
    else fireLiquidation(decision, world.positions.get(firing.positionId), market)
  }
  if (!decision.changed.isEmpty) liquidateChanged(decision)
  for (const account of world.triggers.accountsAtRisk(market, decision.at)) decision.touched.add(account)
  return null
}

/** Executes an order whose turn on the path has come, unless what fired before it has changed that, or ended it. */
function fireOrder(decision: Decision, order: Order | undefined, market: Market): void {
  if (order === undefined) return
  if (!decision.world.rules.stopsFire && stopsLoss(order.orderType)) return
  const level = orderLevel(order, market)
  if (level === null || !reached(firingSide(order), level, market.indexPrice)) return
  if (order.positionId === null) return executeIncrease(decision, order, market)
  executeClose(decision, order, decision.world.positions.known(order.positionId), market)
}

function fireLiquidation(decision: Decision, position: Position | undefined, market: Market): void {
  if (position === undefined) return
  if (isLiquidatable(position, market.parameters.maintenanceMarginRate, market.indexPrice))
    liquidatePosition(decision, position, market)
}
