/** `POST /orders`: every check in its place (I1), then the order, and its fill where it fills inside the call. */

import type { Caller } from '../../events/command.ts'
import type { Placement } from '../../events/placeOrder.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import {
  fillsAtOnce,
  isCloseType,
  isIncreaseType,
  isTrailing,
  spawnsLimit,
  takesTriggerPrice,
} from '../../terms/orderTypes.ts'
import { executeClose } from '../flows/closing.ts'
import { createOrder, type NewOrder, newOrder, setTrigger } from '../flows/creation.ts'
import { executeIncrease } from '../flows/increase.ts'
import type { Step } from '../flows/step.ts'
import { maximumLeverage } from '../formulas/maximumLeverage.ts'
import type { StopPrice } from '../formulas/minimumStopDistance.ts'
import { fitsOpenNotional, maxOpenNotional } from '../formulas/openNotional.ts'
import { placementNotional } from '../formulas/sizing.ts'
import { ratchet } from '../formulas/trailingStop.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import type { Position } from '../state/position.ts'
import type { World } from '../state/world.ts'
import { accessAccount, tradingFault } from './access.ts'
import { priceFault, tradingMarketFault } from './availability.ts'
import { placementSchemaFault, placementShapeFault } from './orderShape.ts'
import { attachedToMarketFault, checkTrigger } from './triggerCheck.ts'

export function placeOrder(step: Step, command: Placement, caller: Caller | null): Refusal | null {
  const formFault = placementSchemaFault(command) ?? placementShapeFault(command)
  if (formFault !== null) return formFault

  const access = accessAccount(step.world, command.accountId, caller, true)
  if (access.refused !== null) return access.refused
  const { account } = access
  const market = step.world.markets.get(command.marketId)
  if (market === undefined) return refusal('market_not_found')

  const atOnce = fillsAtOnce({ orderType: command.orderType, triggerPrice: command.triggerPrice ?? 0n })
  const closesAtMarket = atOnce && isCloseType(command.orderType)
  const tradingRefused =
    leverageBoundFault(command, account, market) ??
    tradingFault(account) ??
    fundsFault(command, account) ??
    restingFault(command, account) ??
    tradingMarketFault(market, account, closesAtMarket)
  if (tradingRefused !== null) return tradingRefused

  const target = isCloseType(command.orderType) ? findTarget(step.world, command) : NO_TARGET
  if (target.refused !== null) return target.refused

  const noPrice = priceFault(market, step.at)
  if (noPrice !== null) return noPrice
  const trigger = checkTrigger(
    market,
    { type: command.orderType, direction: command.direction, triggerPrice: command.triggerPrice ?? 0n },
    target.position,
  )
  if (trigger.refused !== null) return trigger.refused
  const fitFault = attachedFault(command, account, market) ?? notionalFault(command, market)
  if (fitFault !== null) return fitFault

  const on = { account, market, position: target.position }
  const order = createOrder(step, orderOf(step, command, on, trigger))
  step.answer = order
  if (atOnce && isIncreaseType(command.orderType)) executeIncrease(step, order, market)
  if (closesAtMarket) executeClose(step, order, target.position as Position, market)
  return null
}

/** POST 2: the market's minimum, and the smaller of the market's and the phase's maximum (I1). */
function leverageBoundFault(command: Placement, account: Account, market: Market): Refusal | null {
  if (!isIncreaseType(command.orderType)) return null
  const leverage = command.leverage as bigint
  const { minLeverage } = market.parameters
  if (leverage < minLeverage) return { code: 'invalid_leverage', leverage, minLeverage }
  const maxLeverage = maximumLeverage(account, market)
  return leverage > maxLeverage ? { code: 'invalid_leverage', leverage, maxLeverage } : null
}

/** POST 3: the managed capital lock and the free balance concern increases only. */
function fundsFault(command: Placement, account: Account): Refusal | null {
  if (!isIncreaseType(command.orderType)) return null
  if (account.locked) return refusal('funded_limit_trading_locked')
  return command.amount > account.free ? refusal('insufficient_balance') : null
}

/**
 * K2: what would rest after this order, its attached ones counted, must be within the account's limit. One that fills
 * at once does not rest itself, so alone it is never refused; what others spawn later is not asked again.
 */
function restingFault(command: Placement, account: Account): Refusal | null {
  const { maxActiveOrders } = account.parameters
  if (maxActiveOrders === null) return null
  const more = leftResting(command)
  return more > 0 && account.orders.size + more > maxActiveOrders ? refusal('too_many_active_orders') : null
}

/** How many orders a placement leaves behind once everything attached to it rests. */
function leftResting({ orderType, triggerPrice, stopTriggerPrice, takeTriggerPrice }: Placement): number {
  const own = fillsAtOnce({ orderType: orderType, triggerPrice: triggerPrice ?? 0n }) ? 0 : 1
  if (!isIncreaseType(orderType)) return own
  return own + ((stopTriggerPrice ?? 0n) > 0n ? 1 : 0) + ((takeTriggerPrice ?? 0n) > 0n ? 1 : 0)
}

type Target = { readonly position: Position | null; readonly refused: null } | { readonly refused: Refusal }

const NO_TARGET: Target = { position: null, refused: null }

/**
 * POST 5: the position must exist, be open, and be the order account's on the order's market and side. Another
 * account's position is unavailable, not forbidden (I14); one of an earlier phase does not exist (H3).
 */
function findTarget(world: World, command: Placement): Target {
  const positionId = command.positionId as string
  const position = world.positions.get(positionId)
  if (position === undefined) return { refused: endedPositionFault(world, positionId, command.accountId) }
  const matches =
    position.accountId === command.accountId &&
    position.marketId === command.marketId &&
    position.direction === command.direction
  return matches ? { position, refused: null } : { refused: refusal('position_not_available') }
}

function endedPositionFault(world: World, positionId: string, accountId: string): Refusal {
  const ended = world.archive.endedPosition(positionId)
  if (ended === undefined) return refusal('position_not_found')
  const ofEarlierPhase =
    ended.accountId === accountId && world.accounts.get(accountId)?.phaseOrdinal !== ended.phaseOrdinal
  return refusal(ofEarlierPhase ? 'position_not_found' : 'position_not_available')
}

function attachedFault(command: Placement, account: Account, market: Market): Refusal | null {
  if (!isIncreaseType(command.orderType) || takesTriggerPrice(command.orderType)) return null
  const stopTriggerPrice = command.stopTriggerPrice ?? 0n
  const takeTriggerPrice = command.takeTriggerPrice ?? 0n
  if (stopTriggerPrice === 0n && takeTriggerPrice === 0n) return null
  const sizing = {
    direction: command.direction,
    sizeMode: command.sizeMode ?? 'quote',
    amount: command.amount,
    baseSize: command.baseSize ?? null,
    leverage: command.leverage as bigint,
  }
  return attachedToMarketFault(market, account, sizing, { stopTriggerPrice, takeTriggerPrice })
}

/** POST 7. */
function notionalFault(command: Placement, market: Market): Refusal | null {
  if (!isIncreaseType(command.orderType)) return null
  if (maxOpenNotional(market, command.direction) === null) return null
  const notional = placementNotional(command.amount, command.leverage as bigint, market.parameters.feeRate)
  return fitsOpenNotional(market, command.direction, notional)
    ? null
    : refusal('order_exceeds_max_open_notional')
}

/** What an order is about. Its event takes the ids from here: those of the command are texts of their own, to be kept. */
interface On {
  readonly account: Account
  readonly market: Market
  /** null on increase orders. */
  readonly position: Position | null
}

function orderOf(
  step: Step,
  command: Placement,
  { account, market, position }: On,
  trigger: StopPrice,
): NewOrder {
  const order = newOrder(step, {
    accountId: account.id,
    marketId: market.id,
    orderType: command.orderType,
    direction: command.direction,
    amount: command.amount,
  })
  if (isTrailing(command.orderType)) setTrailing(order, command, market)
  else setTrigger(order, trigger)
  if (position === null) setIncrease(order, command)
  else order.positionId = position.id
  return order
}

function setIncrease(order: NewOrder, command: Placement): void {
  if (spawnsLimit(command.orderType)) order.limitPrice = command.stopLimitPrice as bigint
  order.stopTriggerPrice = command.stopTriggerPrice ?? 0n
  order.takeTriggerPrice = command.takeTriggerPrice ?? 0n
  order.leverage = command.leverage as bigint
  order.expectedAmount = command.expectedAmount ?? 0n
  order.reserve = command.amount
  if (command.sizeMode !== 'base') return
  order.sizeMode = 'base'
  order.baseSize = command.baseSize as bigint
}

/** Without an activation price that is still to be reached, it trails from the current index (F8). */
function setTrailing(order: NewOrder, command: Placement, { indexPrice }: Market): void {
  order.trailingStopActivationPrice = command.trailingStopActivationPrice ?? 0n
  order.trailingStopOffset = command.trailingStopOffset ?? 0n
  order.trailingStopOffsetPercent = command.trailingStopOffsetPercent ?? 0n
  order.watermark = ratchet(order, null, indexPrice)
}
