/** `PATCH /orders/{orderId}`: an edit replaces the order, in one step or not at all (I3). */

import type { Caller, EditOrder } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import {
  hasNoTrigger,
  isIncreaseType,
  isTrailing,
  type PlaceableOrderType,
  spawnsLimit,
} from '../../terms/orderTypes.ts'
import { createOrder, newOrder, setTrigger } from '../flows/creation.ts'
import { currentTriggerPrice } from '../flows/ending.ts'
import type { Step } from '../flows/step.ts'
import type { StopPrice } from '../formulas/minimumStopDistance.ts'
import { fitsOpenNotional } from '../formulas/openNotional.ts'
import { placementNotional } from '../formulas/sizing.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import { tradingFault } from './access.ts'
import { priceFault, tradingMarketFault } from './availability.ts'
import { findActiveOrder } from './findOrder.ts'
import { attachedFault, stopLimitSideFault } from './orderShape.ts'
import { type CheckedTrigger, checkTrigger } from './triggerCheck.ts'

export function editOrder(step: Step, command: EditOrder, caller: Caller | null): Refusal | null {
  const found = findActiveOrder(step.world, command.orderId, caller)
  if (found.refused !== null) return found.refused
  const { order, account } = found
  const closed = tradingFault(account)
  if (closed !== null) return closed

  const edit = applicableEdit(command, order)
  step.answer = order
  if (isEmpty(edit)) return null

  const market = step.world.markets.get(order.marketId) as Market
  const refused =
    updatableFault(order, edit) ??
    (account.locked && growth(order, edit) > 0n ? refusal('funded_limit_trading_locked') : null) ??
    sizeFault(order, edit) ??
    triggerShapeFault(order, edit) ??
    (growth(order, edit) > account.free ? refusal('insufficient_balance') : null) ??
    tradingMarketFault(market, account, false)
  if (refused !== null) return refused

  const trigger = editedTrigger(step, order, edit, market)
  if (trigger.refused !== null) return trigger.refused
  if (!fitsMarket(order, edit, market)) return refusal('order_exceeds_max_open_notional')

  step.answer = replace(step, order, edit, trigger, account)
  return null
}

/** The fields of an edit that are set and apply to the order's type (J22). */
interface Edit {
  readonly triggerPrice: bigint | null
  readonly amount: bigint | null
  readonly expectedAmount: bigint | null
  readonly baseSize: bigint | null
}

function applicableEdit(command: EditOrder, order: Order): Edit {
  return {
    triggerPrice: command.triggerPrice ?? null,
    amount: command.amount ?? null,
    expectedAmount: isIncreaseType(order.orderType) ? (command.expectedAmount ?? null) : null,
    baseSize: command.baseSize ?? null,
  }
}

function isEmpty(edit: Edit): boolean {
  return (
    edit.triggerPrice === null &&
    edit.amount === null &&
    edit.expectedAmount === null &&
    edit.baseSize === null
  )
}

/** PATCH 2; of a trailing stop only the amount may change (F8). */
function updatableFault(order: Order, edit: Edit): Refusal | null {
  if (hasNoTrigger(order)) return refusal('order_not_updatable')
  if (edit.triggerPrice === null) return null
  if (isTrailing(order.orderType)) return refusal('order_not_updatable')
  return edit.triggerPrice === 0n ? refusal('trigger_price_reset_forbidden') : null
}

/** By how much the reserve would grow; never above 0 on a close order, which reserves nothing. */
function growth(order: Order, edit: Edit): bigint {
  return isIncreaseType(order.orderType) && edit.amount !== null ? edit.amount - order.reserve : 0n
}

function sizeFault(order: Order, edit: Edit): Refusal | null {
  if (edit.baseSize !== null) {
    if (edit.amount === null) return refusal('base_size_requires_amount')
    if (order.sizeMode !== 'base') return refusal('base_size_not_allowed')
  }
  if (edit.amount !== null && edit.amount <= 0n) return refusal('amount_not_positive')
  if (edit.baseSize === 0n) return refusal('base_size_required')
  return edit.baseSize !== null && edit.baseSize < 0n ? refusal('base_size_negative') : null
}

function triggerShapeFault(order: Order, { triggerPrice }: Edit): Refusal | null {
  if (triggerPrice === null) return null
  if (triggerPrice < 0n) return refusal('trigger_price_negative')
  if (!isIncreaseType(order.orderType)) return null
  const stopLimitPrice = spawnsLimit(order.orderType) ? order.limitPrice : 0n
  const { direction, orderType, stopTriggerPrice, takeTriggerPrice } = order
  return (
    attachedFault({
      direction,
      type: orderType,
      triggerPrice,
      stopLimitPrice,
      stopTriggerPrice,
      takeTriggerPrice,
    }) ?? (spawnsLimit(orderType) ? stopLimitSideFault(direction, triggerPrice, stopLimitPrice) : null)
  )
}

/** A price is needed only where the trigger price is set (B7). */
function editedTrigger(step: Step, order: Order, edit: Edit, market: Market): CheckedTrigger {
  if (edit.triggerPrice === null) {
    const { triggerPrice, requestedTriggerPrice } = order
    return { triggerPrice, requestedTriggerPrice, refused: null }
  }
  const noPrice = priceFault(market, step.at)
  if (noPrice !== null) return { refused: noPrice }
  const terms = {
    type: order.orderType as PlaceableOrderType,
    direction: order.direction,
    triggerPrice: edit.triggerPrice,
  }
  return checkTrigger(market, terms, positionOf(step, order))
}

function positionOf(step: Step, order: Order): Position | null {
  return order.positionId === null ? null : (step.world.positions.get(order.positionId) as Position)
}

/** POST 7 on the resulting order. */
function fitsMarket(order: Order, edit: Edit, market: Market): boolean {
  if (!isIncreaseType(order.orderType)) return true
  const amount = edit.amount ?? order.amount
  const notional = placementNotional(amount, order.leverage as bigint, market.parameters.feeRate)
  return fitsOpenNotional(market, order.direction, notional)
}

/** Ends the order and creates its replacement, which keeps everything the edit does not name. */
function replace(step: Step, order: Order, edit: Edit, trigger: StopPrice, account: Account): Order {
  const amount = edit.amount ?? order.amount
  const placed = newOrder(step, {
    accountId: account.id,
    marketId: order.marketId,
    orderType: order.orderType,
    direction: order.direction,
    amount,
  })
  setTrigger(placed, trigger)
  if (spawnsLimit(order.orderType)) placed.limitPrice = order.limitPrice
  placed.stopTriggerPrice = order.stopTriggerPrice
  placed.takeTriggerPrice = order.takeTriggerPrice
  placed.trailingStopActivationPrice = order.trailingStopActivationPrice
  placed.trailingStopOffset = order.trailingStopOffset
  placed.trailingStopOffsetPercent = order.trailingStopOffsetPercent
  placed.leverage = order.leverage
  placed.positionId = order.positionId
  placed.parentOrderId = order.parentOrderId
  placed.sizeMode = order.sizeMode
  placed.baseSize = edit.baseSize ?? order.baseSize
  placed.expectedAmount = edit.expectedAmount ?? order.expectedAmount
  placed.watermark = step.world.triggers.peakOf(order)
  if (isIncreaseType(order.orderType)) placed.reserve = amount
  step.emit({
    type: 'orderReplaced',
    orderId: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    triggerPrice: currentTriggerPrice(step, order),
    released: order.reserve,
    replacementId: placed.orderId,
  })
  return createOrder(step, placed)
}
