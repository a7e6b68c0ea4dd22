// The model of the laws as it stands in a state. A step is checked from there: whatever the laws hold of the step they
// hold of every sequence of steps.

import type { OrderState } from '../../src/domain/state/order.ts'
import type { Position } from '../../src/domain/state/position.ts'
import type { OrderPlaced } from '../../src/events/orderEvents.ts'
import { Model, type ModelOrder, type ModelPosition } from '../../src/testing/index.ts'
import type { State } from './state.ts'

export function modelOf(state: State): Model {
  const model = new Model()
  const { now = 0, seq = 0, house = 0n, created = 0 } = state.scalars
  Object.assign(model, { now, seq, house, created })
  for (const market of state.markets) model.markets.set(market.id, { ...market })
  for (const account of state.accounts) model.accounts.set(account.id, { ...account, inFlight: 0n })
  for (const order of state.orders) {
    const modelled = orderOf(order)
    model.orders.set(order.id, modelled)
    model.active.set(order.id, modelled)
  }
  for (const position of state.positions) {
    const modelled = positionOf(position)
    model.positions.set(position.id, modelled)
    model.open.set(position.id, modelled)
  }
  return model
}

function orderOf(order: OrderState): ModelOrder {
  const { id, sequence, createdAt, phaseOrdinal, status, reserve, peak, amount } = order
  const placed: OrderPlaced = {
    type: 'orderPlaced',
    orderId: id,
    accountId: order.accountId,
    marketId: order.marketId,
    orderType: order.orderType,
    direction: order.direction,
    triggerPrice: order.triggerPrice,
    requestedTriggerPrice: order.requestedTriggerPrice,
    limitPrice: order.limitPrice,
    stopTriggerPrice: order.stopTriggerPrice,
    takeTriggerPrice: order.takeTriggerPrice,
    trailingStopActivationPrice: order.trailingStopActivationPrice,
    trailingStopOffset: order.trailingStopOffset,
    trailingStopOffsetPercent: order.trailingStopOffsetPercent,
    leverage: order.leverage,
    positionId: order.positionId,
    parentOrderId: order.parentOrderId,
    amount,
    sizeMode: order.sizeMode,
    baseSize: order.baseSize,
    expectedAmount: order.expectedAmount,
    watermark: peak,
    reserve,
    reserveInherited: false,
  }
  return { placed, id, sequence, createdAt, phaseOrdinal, status, reserve, peak: peak, amount }
}

function positionOf(position: Position): ModelPosition {
  return {
    ...position,
    id: position.id,
    accountId: position.accountId,
    marketId: position.marketId,
    updatedAt: position.lastUpdatedAt,
    putUp: position.contributedMargin,
    reference: position.profitReference,
    reduced: Object.freeze({ ...position }),
  }
}
