/** The documented records of orders and positions: frozen copies, exactly 29, 28 and 28 + 1 fields. */

import { currentTriggerPrice } from '../domain/formulas/trailingStop.ts'
import type { Order, OrderRecord } from '../domain/state/order.ts'
import type { PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { Price } from '../quantity/units.ts'
import { isTrailing } from '../terms/orderTypes.ts'

/** An order as it stands. The trigger price of an active trailing stop follows its peak (F8). */
export function orderRecord(order: Order): OrderRecord {
  if (!isTrailing(order.orderType) || order.status !== 'active') return endedOrderRecord(order)
  const trailing = currentTriggerPrice(order)
  return fieldsOfOrder(order, trailing, trailing)
}

/** An order that has ended: nothing of it depends on the market any more. */
export function endedOrderRecord(order: OrderRecord): OrderRecord {
  return fieldsOfOrder(order, order.triggerPrice, order.limitPrice)
}

function fieldsOfOrder(order: OrderRecord, triggerPrice: Price, limitPrice: Price): OrderRecord {
  return Object.freeze({
    id: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    status: order.status,
    orderType: order.orderType,
    direction: order.direction,
    triggerPrice,
    requestedTriggerPrice: order.requestedTriggerPrice,
    stopPrice: order.stopPrice,
    limitPrice,
    stopTriggerPrice: order.stopTriggerPrice,
    takeTriggerPrice: order.takeTriggerPrice,
    trailingStopActivationPrice: order.trailingStopActivationPrice,
    trailingStopOffset: order.trailingStopOffset,
    trailingStopOffsetPercent: order.trailingStopOffsetPercent,
    leverage: order.leverage,
    positionId: order.positionId,
    parentOrderId: order.parentOrderId,
    amount: order.amount,
    indexPrice: order.indexPrice,
    createdAt: order.createdAt,
    realizedPnl: order.realizedPnl,
    rawRealizedPnl: order.rawRealizedPnl,
    profitAdjustmentApplied: order.profitAdjustmentApplied,
    sizeMode: order.sizeMode,
    baseSize: order.baseSize,
    reservedAmount: order.reservedAmount,
    errorCode: order.errorCode,
    reason: order.reason,
  })
}

/** A position as it stands. */
export function positionRecord(position: PositionRecord): PositionRecord {
  return Object.freeze(fieldsOf(position))
}

/** A position right after an event, with the order that caused it (I13). */
export function positionEventRecord(
  position: PositionRecord,
  order: OrderRecord | null,
): PositionEventRecord {
  return Object.freeze({ ...fieldsOf(position), order })
}

function fieldsOf(position: PositionRecord): PositionRecord {
  return {
    id: position.id,
    version: position.version,
    openedAt: position.openedAt,
    lastUpdatedAt: position.lastUpdatedAt,
    closedAt: position.closedAt,
    status: position.status,
    marketId: position.marketId,
    accountId: position.accountId,
    size: position.size,
    notional: position.notional,
    margin: position.margin,
    pnl: position.pnl,
    funding: position.funding,
    fee: position.fee,
    feeRate: position.feeRate,
    exchangedQuote: position.exchangedQuote,
    exchangedBase: position.exchangedBase,
    direction: position.direction,
    eventName: position.eventName,
    pnlInEvent: position.pnlInEvent,
    rawPnlInEvent: position.rawPnlInEvent,
    profitAdjustmentApplied: position.profitAdjustmentApplied,
    holdingTimeMs: position.holdingTimeMs,
    feeInEvent: position.feeInEvent,
    fundingInEvent: position.fundingInEvent,
    roe: position.roe,
    scalpingCoefficient: position.scalpingCoefficient,
    closeReason: position.closeReason,
  }
}
