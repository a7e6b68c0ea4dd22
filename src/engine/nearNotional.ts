/** What rests near the price: what could be open soon without anybody asking again (C5). */

import { placementNotional } from '../domain/formulas/sizing.ts'
import type { Market } from '../domain/state/market.ts'
import { leverageOf } from '../domain/state/order.ts'
import { orderLevel } from '../domain/triggers/level.ts'
import { raisedPriceUp } from '../quantity/products.ts'
import type { Quote, Rate } from '../quantity/units.ts'
import type { Direction } from '../terms/direction.ts'
import { isIncreaseType } from '../terms/orderTypes.ts'

/** A hundredth of the price is near. */
const NEAR: Rate = 10_000_000n
/** Orders that are looked at: it is asked twice a second, and nothing is wrong where it says too little. */
const MOST = 4_096

/** Σ notional that resting increases whose level is near the index price would open. */
export function nearNotional(market: Market, direction: Direction): Quote {
  const { indexPrice, parameters, orders } = market
  const reach = raisedPriceUp(indexPrice, NEAR) - indexPrice
  let sum = 0n
  let seen = 0
  for (const order of orders) {
    if (++seen > MOST) break
    if (order.direction !== direction || !isIncreaseType(order.orderType)) continue
    const level = orderLevel(order, market)
    if (level === null || level > indexPrice + reach || level < indexPrice - reach) continue
    sum += placementNotional(order.reserve, leverageOf(order), parameters.feeRate)
  }
  return sum
}
