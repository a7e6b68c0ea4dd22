/** Orders that come from other orders: attached stop-loss and take-profit (F13), and the limit of a stop_limit (F4). */
import type { Base } from '../../quantity/units.ts'
import { atMinimumDistance } from '../formulas/minimumStopDistance.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import { createOrder, newClosingOrder, newOrder, setTrigger } from './createOrder.ts'
import type { Decision } from './decision.ts'

/** Spawned orders are not validated again; one already past the market fires on the next tick (F13). */
export function spawnAttached(
  decision: Decision,
  parent: Order,
  positionId: string,
  market: Market,
  size: Base,
): void {
  const { stopTriggerPrice, takeTriggerPrice } = parent
  if (stopTriggerPrice === 0n && takeTriggerPrice === 0n) return
  const position = decision.world.positions.known(positionId)
  if (stopTriggerPrice > 0n) {
    const stop = newClosingOrder(decision, position, 'stop', size)
    setTrigger(stop, atMinimumDistance(market, parent.direction, stopTriggerPrice))
    stop.parentOrderId = parent.id
    createOrder(decision, stop)
  }
  if (takeTriggerPrice > 0n) {
    const take = newClosingOrder(decision, position, 'take', size)
    setTrigger(take, { triggerPrice: takeTriggerPrice, requestedTriggerPrice: null })
    take.parentOrderId = parent.id
    createOrder(decision, take)
  }
}

/** The stop_limit turns into a limit order that takes over all of its reserve, and ends executed having spent nothing (F4). */
export function spawnLimit(decision: Decision, parent: Order, market: Market): void {
  const limit = newOrder(decision, {
    accountId: parent.accountId,
    marketId: parent.marketId,
    orderType: 'limit',
    direction: parent.direction,
    amount: parent.reserve,
  })
  setTrigger(limit, { triggerPrice: parent.limitPrice, requestedTriggerPrice: null })
  limit.stopTriggerPrice = parent.stopTriggerPrice
  limit.takeTriggerPrice = parent.takeTriggerPrice
  limit.leverage = parent.leverage
  limit.parentOrderId = parent.id
  limit.sizeMode = parent.sizeMode
  limit.baseSize = parent.baseSize
  limit.expectedAmount = parent.expectedAmount
  limit.reserve = parent.reserve
  limit.reserveInherited = true
  createOrder(decision, limit)
  decision.emit({
    type: 'orderExecuted',
    orderId: parent.id,
    accountId: parent.accountId,
    marketId: parent.marketId,
    triggerPrice: parent.triggerPrice,
    released: 0n,
    indexPrice: market.indexPrice,
    amount: 0n,
    realizedPnl: null,
    rawRealizedPnl: null,
    profitAdjustmentApplied: false,
  })
}
