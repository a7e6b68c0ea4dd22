/** What closing a size settles: pnl, fee, and how both meet the margin (C7–C10, D4, J3). */
import type { Settlement } from '../../events/positionEvents.ts'
import { fractionUp, notionalDown, notionalUp, proRataDown, proRataUp } from '../../quantity/products.ts'
import type { Base, Price, Quote, Rate } from '../../quantity/units.ts'
import { PROFIT_WINDOW_MS } from '../state/venueRules.ts'
import { cappedPnl, referenceShare, type WindowedPosition } from './profitWindow.ts'

/** What of a position its settlement depends on. */
export type SettledPosition = WindowedPosition & { readonly margin: Quote }

/**
 * Settles `size` of a position at an execution price. The margin share is released pro rata and meets pnl and fee; a
 * shortfall is taken from the remaining margin (C9), which may leave none (J4). `0 < size ≤ position.size`.
 */
export function settle(
  position: SettledPosition,
  size: Base,
  price: Price,
  feeRate: Rate,
  at: number,
  profitWindowMs: number = PROFIT_WINDOW_MS,
): Settlement {
  const trade = realize(position, size, price, at, profitWindowMs)
  const fee = clamp(fractionUp(trade.exchangedQuote, feeRate), position.margin + trade.pnl)
  const share = size === position.size ? position.margin : proRataDown(position.margin, size, position.size)
  const settled = share + trade.pnl - fee
  return settled >= 0n ? settlement(trade, fee, share, settled) : settlement(trade, fee, share - settled, 0n)
}

/** A liquidation pays nothing out: the fee takes all that is left (E2). */
export function settleLiquidation(
  position: SettledPosition,
  price: Price,
  at: number,
  profitWindowMs: number = PROFIT_WINDOW_MS,
): Settlement {
  const trade = realize(position, position.size, price, at, profitWindowMs)
  return settlement(trade, position.margin + trade.pnl, position.margin, 0n)
}

type Trade = Omit<Settlement, 'fee' | 'marginReleased' | 'credit'>

function settlement(trade: Trade, fee: Quote, marginReleased: Quote, credit: Quote): Settlement {
  return {
    size: trade.size,
    exchangedQuote: trade.exchangedQuote,
    cost: trade.cost,
    rawPnl: trade.rawPnl,
    pnl: trade.pnl,
    fee,
    marginReleased,
    credit,
    profitReferenceUsed: trade.profitReferenceUsed,
    holdingTimeMs: trade.holdingTimeMs,
  }
}

/** Exchanged quote, cost and pnl of closing a size, the loss bounded by the margin (C7, C10, J3). */
function realize(
  position: SettledPosition,
  size: Base,
  price: Price,
  at: number,
  profitWindowMs: number,
): Trade {
  const cost = closedCost(position, size)
  const exchanged = position.direction === 'long' ? notionalDown(size, price) : notionalUp(size, price)
  const raw = position.direction === 'long' ? exchanged - cost : cost - exchanged
  const rawPnl = raw < -position.margin ? -position.margin : raw
  const exchangedQuote = position.direction === 'long' ? cost + rawPnl : cost - rawPnl
  const profitReferenceUsed = referenceShare(position, size)
  const capped = cappedPnl(position, rawPnl, profitReferenceUsed, at, profitWindowMs)
  const pnl = capped < -position.margin ? -position.margin : capped
  return {
    size,
    exchangedQuote,
    cost,
    rawPnl,
    pnl,
    profitReferenceUsed,
    holdingTimeMs: at - position.lastIncreaseAt,
  }
}

/** Entry notional of the closed size: all of it on a full close, so that the parts add up (C7). */
function closedCost(position: SettledPosition, size: Base): Quote {
  if (size === position.size) return position.notional
  return position.direction === 'long'
    ? proRataUp(position.notional, size, position.size)
    : proRataDown(position.notional, size, position.size)
}

/** Between 0 and what is left. */
function clamp(fee: Quote, left: Quote): Quote {
  if (left <= 0n) return 0n
  return fee < left ? fee : left
}
