/**
 * Prices at which something happens, by the model: each as the inequality that the rules state, not as the closed
 * form that the engine uses.
 */

import { ONE } from '../quantity/fp9.ts'
import type { Direction } from '../terms/direction.ts'
import type { ModelMarket, ModelOrder, ModelPosition } from './modelState.ts'

/** The price a buy or a sell executes at: against the trader by the spread, rounded against the trader (B1). */
export function execution(indexPrice: bigint, spread: bigint, side: 'buy' | 'sell'): bigint {
  if (side === 'sell') return (indexPrice * (ONE - spread)) / ONE
  return (indexPrice * (ONE + spread) + ONE - 1n) / ONE
}

/**
 * Whether an index price is at or beyond the liquidation price (E1): M + u ≤ mmr·q·index, on exact products, one unit
 * of price in the house's favour.
 */
export function liquidatable(position: ModelPosition, mmr: bigint, indexPrice: bigint): boolean {
  const { direction, size, notional, margin } = position
  return direction === 'long'
    ? (indexPrice - 1n) * size * (ONE - mmr) < (notional - margin) * ONE * ONE
    : (indexPrice + 1n) * size * (ONE + mmr) > (notional + margin) * ONE * ONE
}

/** The price nearest to the market at which a position is liquidated, found by halving; null = never. */
export function liquidationLevel(position: ModelPosition, market: ModelMarket): bigint | null {
  const mmr = market.parameters.maintenanceMarginRate
  const long = position.direction === 'long'
  let safe = long ? market.indexPrice * 1_000n : 0n
  let gone = long ? 0n : market.indexPrice * 1_000n
  if (!liquidatable(position, mmr, long ? 1n : gone)) return null
  while (long ? safe - gone > 1n : gone - safe > 1n) {
    const middle = (safe + gone) / 2n
    if (liquidatable(position, mmr, middle)) gone = middle
    else safe = middle
  }
  return gone
}

/** Unrealized pnl before the cap: what the position is worth at the index, less what it cost (C11). */
export function rawUnrealized({ direction, size, notional }: ModelPosition, indexPrice: bigint): bigint {
  const exact = size * indexPrice
  return direction === 'long' ? exact / ONE - notional : notional - (exact + ONE - 1n) / ONE
}

/** Unrealized pnl as equity counts it: capped for a minute after an increase (D7). */
export function unrealized(position: ModelPosition, indexPrice: bigint, at: number): bigint {
  const raw = rawUnrealized(position, indexPrice)
  return at < position.lastIncreaseAt + 60_000 && raw > position.reference ? position.reference : raw
}

/** The best price of a trailing stop after a tick (F8). */
export function trailed({ placed, peak }: ModelOrder, indexPrice: bigint): bigint | null {
  if (placed.orderType !== 'trailing_stop') return null
  const better = (than: bigint) => (placed.direction === 'long' ? indexPrice >= than : indexPrice <= than)
  if (peak !== null) return better(peak) ? indexPrice : peak
  const activation = placed.trailingStopActivationPrice
  return activation === 0n || better(activation) ? indexPrice : null
}

/** What an order's `triggerPrice` reads now (F5, F8, J20). */
export function triggerPrice({ placed, peak }: ModelOrder): bigint {
  if (placed.orderType !== 'trailing_stop') return placed.triggerPrice
  if (peak === null) return 0n
  const offset =
    placed.trailingStopOffset > 0n
      ? placed.trailingStopOffset
      : (peak * placed.trailingStopOffsetPercent) / ONE
  const price = placed.direction === 'long' ? peak - offset : peak + offset
  return price > 0n ? price : 0n
}

/** The index price at which an order fires, and whether at or below it or at or above it (F1, F3); null = it waits. */
export function firing(order: ModelOrder, market: ModelMarket): { level: bigint; below: boolean } | null {
  const trigger = triggerPrice(order)
  if (trigger === 0n) return null
  const { orderType, direction } = order.placed
  const long = direction === 'long'
  if (orderType === 'limit') {
    const { spread } = market.parameters
    const level = long ? (trigger * ONE) / (ONE + spread) : up(trigger * ONE, ONE - spread)
    return { level, below: long }
  }
  const onTheLosingSide = orderType === 'stop' || orderType === 'trailing_stop'
  return { level: trigger, below: onTheLosingSide === long }
}

/** The side that opens a direction. */
export function opening(direction: Direction): 'buy' | 'sell' {
  return direction === 'long' ? 'buy' : 'sell'
}

function up(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}
