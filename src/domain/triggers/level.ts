/** The index price at which an order or a position fires, and from which side it is reached (F1). */
import type { Price } from '../../quantity/units.ts'
import type { Market } from '../market/market.ts'
import { limitLevel } from '../market/pricing.ts'
import type { Order } from '../order/order.ts'
import { trailingTriggerPrice } from '../order/trailingStop.ts'
import { liquidationPrice } from '../position/liquidation.ts'
import type { Position } from '../position/position.ts'

/** `below`: fires at an index at or below the level; `above`: at or above it. */
export type FiringSide = 'below' | 'above'

/** From which side the price reaches an order's level (the table of F1). */
export function firingSide(order: Pick<Order, 'type' | 'direction'>): FiringSide {
  const long = order.direction === 'long'
  switch (order.type) {
    case 'limit':
    case 'stop':
    case 'trailing_stop':
      return long ? 'below' : 'above'
    default:
      return long ? 'above' : 'below'
  }
}

/** Whether an order waits for a price at all: not those that fill in their call, nor a `stop` without trigger (F7). */
export function canFire(order: Order): boolean {
  if (order.type === 'market' || order.type === 'liquidation') return false
  return order.type === 'trailing_stop' || order.triggerPrice > 0n
}

/** The level an order fires at, given the running best price of a trailing stop; null = it cannot fire now. */
export function orderLevel(order: Order, market: Market, watermark: Price | null): Price | null {
  if (!canFire(order)) return null
  if (order.type === 'limit') return limitLevel(market, order.direction, order.triggerPrice)
  if (order.type !== 'trailing_stop') return order.triggerPrice
  const trigger = trailingTriggerPrice(order, watermark)
  return trigger > 0n ? trigger : null
}

/** The level a position is liquidated at; null = never (E1). */
export function positionLevel(position: Position, market: Market): Price | null {
  const level = liquidationPrice(position, market.parameters.maintenanceMarginRate)
  return position.direction === 'long' && level === 0n ? null : level
}

export function reached(side: FiringSide, level: Price, indexPrice: Price): boolean {
  return side === 'below' ? indexPrice <= level : indexPrice >= level
}

export function liquidationSide(position: Pick<Position, 'direction'>): FiringSide {
  return position.direction === 'long' ? 'below' : 'above'
}
