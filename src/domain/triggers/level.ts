/** The index price at which an order or a position fires. */
import type { Price } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import { canFire, type FiringSide, isTrailing } from '../../terms/orderTypes.ts'
import { limitLevel } from '../formulas/executionPrice.ts'
import { type LiquidationTerms, liquidationPrice } from '../formulas/liquidation.ts'
import { currentTriggerPrice } from '../formulas/trailingStop.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'

/** The level an order fires at; null = it cannot fire now. */
export function orderLevel(order: Order, market: Market): Price | null {
  if (!canFire(order)) return null
  if (order.orderType === 'limit') return limitLevel(market, order.direction, order.triggerPrice)
  const trigger = currentTriggerPrice(order)
  return isTrailing(order.orderType) && trigger === 0n ? null : trigger
}

/** The level a position is liquidated at; null = never (E1). */
export function positionLevel(position: LiquidationTerms, market: Market): Price | null {
  const level = liquidationPrice(position, market.parameters.maintenanceMarginRate)
  return position.direction === 'long' && level === 0n ? null : level
}

export function reached(side: FiringSide, level: Price, indexPrice: Price): boolean {
  return side === 'below' ? indexPrice <= level : indexPrice >= level
}

export function liquidationSide(direction: Direction): FiringSide {
  return direction === 'long' ? 'below' : 'above'
}
