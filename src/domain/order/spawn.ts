/** Orders that come from other orders: attached stop-loss and take-profit (F13), and the limit of a stop_limit (F4). */
import type { Base } from '../../quantity/units.ts'
import type { Market } from '../market/market.ts'
import type { Position } from '../position/position.ts'
import type { Step } from '../step.ts'
import { closingTerms, createOrder } from './creation.ts'
import { atMinimumDistance } from './minimumStopDistance.ts'
import type { Order } from './order.ts'

/** Spawned orders are not validated again; one already past the market fires on the next tick (F13). */
export function spawnAttached(
  step: Step,
  parent: Order,
  positionId: string,
  market: Market,
  size: Base,
): void {
  const { stopTriggerPrice, takeTriggerPrice } = parent
  if (stopTriggerPrice === 0n && takeTriggerPrice === 0n) return
  const position = step.world.positions.get(positionId) as Position
  if (stopTriggerPrice > 0n) {
    const { triggerPrice, requestedTriggerPrice } = atMinimumDistance(
      market,
      parent.direction,
      stopTriggerPrice,
    )
    createOrder(step, {
      ...closingTerms(step.newId(), position, 'stop', size),
      triggerPrice,
      requestedTriggerPrice,
      parentOrderId: parent.id,
    })
  }
  if (takeTriggerPrice > 0n)
    createOrder(step, {
      ...closingTerms(step.newId(), position, 'take', size),
      triggerPrice: takeTriggerPrice,
      parentOrderId: parent.id,
    })
}

/** The stop_limit turns into a limit order that takes over its reserve, and ends executed having spent nothing (F4). */
export function spawnLimit(step: Step, parent: Order, market: Market): void {
  createOrder(step, {
    orderId: step.newId(),
    accountId: parent.trader,
    marketId: parent.market,
    orderType: 'limit',
    direction: parent.direction,
    triggerPrice: parent.limitPrice,
    stopTriggerPrice: parent.stopTriggerPrice,
    takeTriggerPrice: parent.takeTriggerPrice,
    leverage: parent.leverage,
    parentOrderId: parent.id,
    amount: parent.reserve,
    sizeMode: parent.sizeMode,
    baseSize: parent.baseSize,
    expectedAmount: parent.expectedAmount,
    reserve: parent.reserve,
    reserveInherited: true,
  })
  step.emit({
    type: 'orderExecuted',
    orderId: parent.id,
    accountId: parent.trader,
    marketId: parent.market,
    triggerPrice: parent.triggerPrice,
    released: parent.reserve,
    indexPrice: market.indexPrice,
    amount: 0n,
    realizedPnl: null,
    rawRealizedPnl: null,
    profitAdjustmentApplied: false,
  })
}
