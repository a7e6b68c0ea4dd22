/** `POST /orders`: every check in its place (I1), then the order, and its fill where it fills inside the call. */

import type { Caller } from '../../events/command.ts'
import {
  isIncrease,
  leavesLimit,
  type PlaceClose,
  type PlaceIncrease,
  type Placement,
  type PlaceOrder,
} from '../../events/placeOrder.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import { fillsAtOnce, isIncreaseType, isTrailing, takesTriggerPrice } from '../../terms/orderTypes.ts'
import { executeClose } from '../flows/closePosition.ts'
import { createOrder, type NewOrder, newOrder, setTrigger } from '../flows/createOrder.ts'
import type { Decision } from '../flows/decision.ts'
import { executeIncrease } from '../flows/increasePosition.ts'
import { maximumLeverage } from '../formulas/maximumLeverage.ts'
import type { StopPrice } from '../formulas/minimumStopDistance.ts'
import { fitsOpenNotional, maxOpenNotional } from '../formulas/openNotional.ts'
import { placementNotional } from '../formulas/sizing.ts'
import { activates } from '../formulas/trailingStop.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import type { Position } from '../state/position.ts'
import type { World } from '../state/world.ts'
import { accessAccount, tradingRejection } from './access.ts'
import { priceRejection, tradingMarketRejection } from './marketAvailability.ts'
import { placementSchemaRejection, placementShapeRejection, shapedOrder } from './orderShape.ts'
import { aboutOrder, type Ruling } from './ruling.ts'
import { attachedToMarketRejection, checkTrigger } from './triggerCheck.ts'

export function placeOrder(decision: Decision, placement: Placement, caller: Caller | null): Ruling {
  const formRejection = placementSchemaRejection(placement) ?? placementShapeRejection(placement)
  if (formRejection !== null) return { rejected: formRejection }
  const command = shapedOrder(placement)

  const access = accessAccount(decision.world, command.accountId, caller, true)
  if (access.rejected !== null) return access
  const { account } = access
  const market = decision.world.markets.get(command.marketId)
  if (market === undefined) return { rejected: rejection('market_not_found') }

  const atOnce = fillsAtOnce({ orderType: command.orderType, triggerPrice: command.triggerPrice ?? 0n })
  const increases = isIncrease(command)
  const tradingRefused =
    leverageBoundRejection(command, account, market) ??
    tradingRejection(account) ??
    fundsRejection(command, account) ??
    restingRejection(command, account) ??
    tradingMarketRejection(market, account, atOnce && !increases)
  if (tradingRefused !== null) return { rejected: tradingRefused }

  const target = increases ? NO_TARGET : findTarget(decision.world, command)
  if (target.rejected !== null) return target

  const noPrice = priceRejection(market, decision.at)
  if (noPrice !== null) return { rejected: noPrice }
  const trigger = checkTrigger(
    market,
    { type: command.orderType, direction: command.direction, triggerPrice: command.triggerPrice ?? 0n },
    target.position,
  )
  if (trigger.rejected !== null) return trigger
  const fitRejection = attachedRejection(command, account, market) ?? notionalRejection(command, market)
  if (fitRejection !== null) return { rejected: fitRejection }

  const on = { account, market, position: target.position }
  const order = createOrder(decision, orderOf(decision, command, on, trigger))
  if (!atOnce) return aboutOrder(order)
  if (target.position === null) executeIncrease(decision, order, market)
  else executeClose(decision, order, target.position, market)
  return aboutOrder(order)
}

/** POST 2: the market's minimum, and the smaller of the market's and the phase's maximum (I1). */
function leverageBoundRejection(command: PlaceOrder, account: Account, market: Market): Rejection | null {
  if (!isIncrease(command)) return null
  const { leverage } = command
  const { minLeverage } = market.parameters
  if (leverage < minLeverage) return { code: 'invalid_leverage', leverage, minLeverage }
  const maxLeverage = maximumLeverage(account, market)
  return leverage > maxLeverage ? { code: 'invalid_leverage', leverage, maxLeverage } : null
}

/** POST 3: the managed capital lock (H4) and the free balance concern increases only. */
function fundsRejection(command: PlaceOrder, account: Account): Rejection | null {
  if (!isIncrease(command)) return null
  if (account.locked) return rejection('funded_limit_trading_locked')
  return command.amount > account.free ? rejection('insufficient_balance') : null
}

/**
 * K2: what would rest after this order, its attached ones counted, must be within the account's limit. One that fills
 * at once does not rest itself, so alone it is never rejected; what others spawn later is not asked again. Nothing else
 * bounds how many rest, or for how long (F17).
 */
function restingRejection(command: PlaceOrder, account: Account): Rejection | null {
  const { maxActiveOrders } = account.parameters
  if (maxActiveOrders === null) return null
  const more = leftResting(command)
  return more > 0 && account.orders.size + more > maxActiveOrders ? rejection('too_many_active_orders') : null
}

/** How many orders a placement leaves behind once everything attached to it rests. */
function leftResting({ orderType, triggerPrice, stopTriggerPrice, takeTriggerPrice }: PlaceOrder): number {
  const own = fillsAtOnce({ orderType: orderType, triggerPrice: triggerPrice ?? 0n }) ? 0 : 1
  if (!isIncreaseType(orderType)) return own
  return own + ((stopTriggerPrice ?? 0n) > 0n ? 1 : 0) + ((takeTriggerPrice ?? 0n) > 0n ? 1 : 0)
}

type Target =
  | { readonly position: Position | null; readonly rejected: null }
  | { readonly rejected: Rejection }

const NO_TARGET: Target = { position: null, rejected: null }

/**
 * POST 5: the position must exist, be open, and be the order account's on the order's market and side. Another
 * account's position is unavailable, not forbidden (I14); one of an earlier phase does not exist (H3).
 */
function findTarget(world: World, command: PlaceClose): Target {
  const { positionId } = command
  const position = world.positions.get(positionId)
  if (position === undefined)
    return { rejected: endedPositionRejection(world, positionId, command.accountId) }
  const matches =
    position.accountId === command.accountId &&
    position.marketId === command.marketId &&
    position.direction === command.direction
  return matches ? { position, rejected: null } : { rejected: rejection('position_not_available') }
}

function endedPositionRejection(world: World, positionId: string, accountId: string): Rejection {
  const ended = world.archive.endedPosition(positionId)
  if (ended === undefined) return rejection('position_not_found')
  const ofEarlierPhase =
    ended.accountId === accountId && world.accounts.get(accountId)?.phaseOrdinal !== ended.phaseOrdinal
  return rejection(ofEarlierPhase ? 'position_not_found' : 'position_not_available')
}

function attachedRejection(command: PlaceOrder, account: Account, market: Market): Rejection | null {
  if (!isIncrease(command) || takesTriggerPrice(command.orderType)) return null
  const stopTriggerPrice = command.stopTriggerPrice ?? 0n
  const takeTriggerPrice = command.takeTriggerPrice ?? 0n
  if (stopTriggerPrice === 0n && takeTriggerPrice === 0n) return null
  const sizing = {
    direction: command.direction,
    sizeMode: command.sizeMode ?? 'quote',
    amount: command.amount,
    baseSize: command.baseSize ?? null,
    leverage: command.leverage,
  }
  return attachedToMarketRejection(market, account, sizing, { stopTriggerPrice, takeTriggerPrice })
}

/** POST 7. */
function notionalRejection(command: PlaceOrder, market: Market): Rejection | null {
  if (!isIncrease(command)) return null
  if (maxOpenNotional(market, command.direction) === null) return null
  const notional = placementNotional(command.amount, command.leverage, market.parameters.feeRate)
  return fitsOpenNotional(market, command.direction, notional)
    ? null
    : rejection('order_exceeds_max_open_notional')
}

/** What an order is about. Its event takes the ids from here: those of the command are texts of their own, to be kept. */
interface OrderTarget {
  readonly account: Account
  readonly market: Market
  /** null on increase orders. */
  readonly position: Position | null
}

function orderOf(
  decision: Decision,
  command: PlaceOrder,
  { account, market, position }: OrderTarget,
  trigger: StopPrice,
): NewOrder {
  const order = newOrder(decision, {
    accountId: account.id,
    marketId: market.id,
    orderType: command.orderType,
    direction: command.direction,
    amount: command.amount,
  })
  if (isTrailing(command.orderType)) setTrailing(order, command, market)
  else setTrigger(order, trigger)
  if (isIncrease(command)) setIncrease(order, command)
  if (position !== null) order.positionId = position.id
  return order
}

function setIncrease(order: NewOrder, command: PlaceIncrease): void {
  if (leavesLimit(command)) order.limitPrice = command.stopLimitPrice
  order.stopTriggerPrice = command.stopTriggerPrice ?? 0n
  order.takeTriggerPrice = command.takeTriggerPrice ?? 0n
  order.leverage = command.leverage
  order.expectedAmount = command.expectedAmount ?? 0n
  order.reserve = command.amount
  if (command.sizeMode !== 'base') return
  order.sizeMode = 'base'
  order.baseSize = command.baseSize
}

/** Without an activation price that is still to be reached, it trails from the current index (F8). */
function setTrailing(order: NewOrder, command: PlaceOrder, { indexPrice }: Market): void {
  order.trailingStopActivationPrice = command.trailingStopActivationPrice ?? 0n
  order.trailingStopOffset = command.trailingStopOffset ?? 0n
  order.trailingStopOffsetPercent = command.trailingStopOffsetPercent ?? 0n
  order.watermark = activates(order, indexPrice) ? indexPrice : null
}
