/** Orders that come from other orders: attached stop-loss and take-profit (F13), and the limit of a stop_limit (F4). */
import type { Base } from '../../quantity/units.ts'
import type { Market } from '../market/market.ts'
import type { Step } from '../step.ts'
import { endOf } from './ending.ts'
import { atMinimumDistance } from './minimumStopDistance.ts'
import type { Order } from './order.ts'
import { createOrder, NEUTRAL_TERMS } from './terms.ts'

/** Spawned orders are not validated again; one already past the market fires on the next tick (F13). */
export function spawnAttached(
  step: Step,
  parent: Order,
  positionId: string,
  market: Market,
  size: Base,
): void {
  if (parent.stopTriggerPrice === 0n && parent.takeTriggerPrice === 0n) return
  const common = {
    ...NEUTRAL_TERMS,
    accountId: parent.trader,
    marketId: parent.market,
    direction: parent.direction,
    positionId,
    parentOrderId: parent.id,
    amount: size,
  }
  if (parent.stopTriggerPrice > 0n) {
    const stop = atMinimumDistance(market, parent.direction, parent.stopTriggerPrice)
    createOrder(step, { ...common, ...stop, orderType: 'stop', limitPrice: stop.triggerPrice })
  }
  if (parent.takeTriggerPrice > 0n) {
    const triggerPrice = parent.takeTriggerPrice
    createOrder(step, { ...common, orderType: 'take', triggerPrice, limitPrice: triggerPrice })
  }
}

/** The stop_limit turns into a limit order that takes over its reserve, and ends executed having spent nothing (F4). */
export function spawnLimit(step: Step, parent: Order, market: Market): void {
  const triggerPrice = parent.limitPrice
  const reserve = parent.reserve
  createOrder(step, {
    ...NEUTRAL_TERMS,
    accountId: parent.trader,
    marketId: parent.market,
    orderType: 'limit',
    direction: parent.direction,
    triggerPrice,
    limitPrice: triggerPrice,
    stopTriggerPrice: parent.stopTriggerPrice,
    takeTriggerPrice: parent.takeTriggerPrice,
    leverage: parent.leverage,
    parentOrderId: parent.id,
    amount: reserve,
    sizeMode: parent.sizeMode,
    baseSize: parent.baseSize,
    expectedAmount: parent.expectedAmount,
    reserve,
    reserveInherited: true,
  })
  step.emit({
    type: 'orderExecuted',
    ...endOf(step, parent),
    indexPrice: market.indexPrice,
    amount: 0n,
    realizedPnl: null,
    rawRealizedPnl: null,
    profitAdjustmentApplied: false,
  })
}
