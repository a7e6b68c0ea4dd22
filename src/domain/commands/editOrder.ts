/** `PATCH /orders/{orderId}`: an edit replaces the order, in one step or not at all (I3). */

import type { Caller, EditOrder } from '../../events/command.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import { hasNoTrigger, isIncreaseType, isPlaceable, isTrailing, spawnsLimit } from '../../terms/orderTypes.ts'
import { createOrder, newOrder, setTrigger } from '../flows/createOrder.ts'
import type { Decision } from '../flows/decision.ts'
import type { StopPrice } from '../formulas/minimumStopDistance.ts'
import { fitsOpenNotional } from '../formulas/openNotional.ts'
import { placementNotional } from '../formulas/sizing.ts'
import { currentTriggerPrice } from '../formulas/trailingStop.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import { leverageOf, type Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import { tradingRejection } from './access.ts'
import { findActiveOrder } from './findOrder.ts'
import { priceRejection, tradingMarketRejection } from './marketAvailability.ts'
import { attachedRejection, stopLimitSideRejection } from './orderShape.ts'
import { aboutOrder, type Ruling } from './ruling.ts'
import { type CheckedTrigger, checkTrigger } from './triggerCheck.ts'

export function editOrder(decision: Decision, command: EditOrder, caller: Caller | null): Ruling {
  const found = findActiveOrder(decision.world, command.orderId, caller)
  if (found.rejected !== null) return found
  const { order, account } = found
  const closed = tradingRejection(account)
  if (closed !== null) return { rejected: closed }

  const edit = applicableEdit(command, order)
  if (isEmpty(edit)) return aboutOrder(order)

  const market = decision.world.markets.known(order.marketId)
  const rejected =
    updatableRejection(order, edit) ??
    (account.locked && growth(order, edit) > 0n ? rejection('funded_limit_trading_locked') : null) ??
    sizeRejection(order, edit) ??
    triggerShapeRejection(order, edit) ??
    (growth(order, edit) > account.free ? rejection('insufficient_balance') : null) ??
    tradingMarketRejection(market, account, false)
  if (rejected !== null) return { rejected }

  const trigger = editedTrigger(decision, order, edit, market)
  if (trigger.rejected !== null) return trigger
  if (!fitsMarket(order, edit, market)) return { rejected: rejection('order_exceeds_max_open_notional') }

  return aboutOrder(replace(decision, order, edit, trigger, account))
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

/** What can be edited of an order; of a trailing stop only the amount (F8). */
function updatableRejection(order: Order, edit: Edit): Rejection | null {
  if (hasNoTrigger(order)) return rejection('order_not_updatable')
  if (edit.triggerPrice === null) return null
  if (isTrailing(order.orderType)) return rejection('order_not_updatable')
  return edit.triggerPrice === 0n ? rejection('trigger_price_reset_forbidden') : null
}

/** By how much the reserve would grow; never above 0 on a close order, which reserves nothing. */
function growth(order: Order, edit: Edit): bigint {
  return isIncreaseType(order.orderType) && edit.amount !== null ? edit.amount - order.reserve : 0n
}

/** A base size comes with its amount, be it the present one, on whatever order (J23, J27). */
function sizeRejection(order: Order, edit: Edit): Rejection | null {
  if (edit.baseSize !== null) {
    if (edit.amount === null) return rejection('base_size_requires_amount')
    if (order.sizeMode !== 'base') return rejection('base_size_not_allowed')
  }
  if (edit.amount !== null && edit.amount <= 0n) return rejection('amount_not_positive')
  if (edit.baseSize === 0n) return rejection('base_size_required')
  return edit.baseSize !== null && edit.baseSize < 0n ? rejection('base_size_negative') : null
}

function triggerShapeRejection(order: Order, { triggerPrice }: Edit): Rejection | null {
  if (triggerPrice === null) return null
  if (triggerPrice < 0n) return rejection('trigger_price_negative')
  if (!isIncreaseType(order.orderType)) return null
  const stopLimitPrice = spawnsLimit(order.orderType) ? order.limitPrice : 0n
  const { direction, orderType, stopTriggerPrice, takeTriggerPrice } = order
  return (
    attachedRejection({
      direction,
      type: orderType,
      triggerPrice,
      stopLimitPrice,
      stopTriggerPrice,
      takeTriggerPrice,
    }) ?? (spawnsLimit(orderType) ? stopLimitSideRejection(direction, triggerPrice, stopLimitPrice) : null)
  )
}

/** A price is needed only where the trigger price is set (B7). */
function editedTrigger(decision: Decision, order: Order, edit: Edit, market: Market): CheckedTrigger {
  if (edit.triggerPrice === null) {
    const { triggerPrice, requestedTriggerPrice } = order
    return { triggerPrice, requestedTriggerPrice, rejected: null }
  }
  const noPrice = priceRejection(market, decision.at)
  if (noPrice !== null) return { rejected: noPrice }
  const { orderType: type, direction } = order
  if (!isPlaceable(type)) throw new TypeError(`a ${type} order rests nowhere`)
  const terms = { type, direction, triggerPrice: edit.triggerPrice }
  return checkTrigger(market, terms, positionOf(decision, order))
}

function positionOf(decision: Decision, order: Order): Position | null {
  return order.positionId === null ? null : decision.world.positions.known(order.positionId)
}

/** POST 7 on the resulting order. */
function fitsMarket(order: Order, edit: Edit, market: Market): boolean {
  if (!isIncreaseType(order.orderType)) return true
  const amount = edit.amount ?? order.amount
  const notional = placementNotional(amount, leverageOf(order), market.parameters.feeRate)
  return fitsOpenNotional(market, order.direction, notional)
}

/** Ends the order and creates its replacement, which keeps everything the edit does not name. */
function replace(decision: Decision, order: Order, edit: Edit, trigger: StopPrice, account: Account): Order {
  const amount = edit.amount ?? order.amount
  const placed = newOrder(decision, {
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
  placed.watermark = order.peak?.price ?? null
  if (isIncreaseType(order.orderType)) placed.reserve = amount
  decision.emit({
    type: 'orderReplaced',
    orderId: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    triggerPrice: currentTriggerPrice(order),
    released: order.reserve,
    replacementId: placed.orderId,
  })
  return createOrder(decision, placed)
}
