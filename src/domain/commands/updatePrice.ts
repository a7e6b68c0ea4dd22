/** A tick: the price moves along the straight path from the last evaluated index, and everything on it fires (B4–B6). */

import type { UpdatePrice } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import { firingSide, isIncreaseType, stopsLoss } from '../../terms/orderTypes.ts'
import { executeClose, liquidatePosition } from '../flows/closing.ts'
import { executeIncrease } from '../flows/increase.ts'
import { liquidateChanged } from '../flows/risk.ts'
import type { Step } from '../flows/step.ts'
import { isLiquidatable } from '../formulas/liquidation.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import { orderLevel, reached } from '../triggers/level.ts'

export function updatePrice(step: Step, command: UpdatePrice): Refusal | null {
  const { world } = step
  const market = world.markets.get(command.marketId)
  if (market === undefined) return refusal('market_not_found')
  const from = market.evaluatedPrice
  step.emit({ type: 'priceUpdated', marketId: market.id, indexPrice: command.indexPrice })
  if (market.status === 'paused') return null
  for (const firing of world.triggers.firing(market, from)) {
    if (firing.kind === 'order') fireOrder(step, firing.order, market)
    else fireLiquidation(step, firing.position, market)
  }
  if (!step.changed.isEmpty) liquidateChanged(step)
  for (const account of world.triggers.accountsAtRisk(market, step.at)) step.touched.add(account)
  return null
}

/** Executes an order whose turn on the path has come, unless what fired before it has changed that. */
function fireOrder(step: Step, order: Order, market: Market): void {
  if (order.status !== 'active') return
  if (!step.world.rules.stopsFire && stopsLoss(order.orderType)) return
  const level = orderLevel(order, market, step.world.triggers.peakOf(order))
  if (level === null || !reached(firingSide(order), level, market.indexPrice)) return
  if (isIncreaseType(order.orderType)) return executeIncrease(step, order, market)
  executeClose(step, order, step.world.positions.get(order.positionId as string) as Position, market)
}

function fireLiquidation(step: Step, position: Position, market: Market): void {
  if (position.status !== 'opened') return
  if (isLiquidatable(position, market.parameters.maintenanceMarginRate, market.indexPrice))
    liquidatePosition(step, position, market)
}
