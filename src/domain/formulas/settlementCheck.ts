/**
 * A liquidation or force close checked again from its event alone: whoever holds the event can tell that the level, the
 * price and the settlement follow from what it states. Other evidence than the event is not needed, and not looked at.
 */
import type { ForceClose, Liquidate } from '../../events/positionEvents.ts'
import { ONE } from '../../quantity/fp9.ts'
import {
  fractionUp,
  loweredPriceDown,
  notionalDown,
  notionalUp,
  raisedPriceUp,
} from '../../quantity/products.ts'
import type { Price, Quote, Rate } from '../../quantity/units.ts'
import { PROFIT_WINDOW_MS } from '../state/venueRules.ts'
import { liquidationPrice } from './liquidation.ts'

/** The events that can be checked alone: each states all that its amounts follow from. */
export type EvidencedClose = Liquidate | ForceClose

/** What a close says that does not follow: the field, as stated and as it should be. */
export interface SettlementMismatch {
  readonly field: string
  /** What the close says: an fp9 quantity, milliseconds or a name, as the field is. */
  readonly stated: bigint | number | string
  /** What it should say or which values would do: an fp9 quantity, milliseconds or a name, as the field is. */
  readonly expected: bigint | number | string
}

/**
 * Rechecks a close by the formulas of its version (B1, C7–C10, D4, E1, E2, J3).
 *
 * What two closes can both truthfully say is beyond it: ids are taken as they are, a price is told only as far as its
 * rounding and the bound of C10 let through, and holding time and reference count only where the cap depends on them.
 *
 * ```ts
 * const outcome = engine.dispatch({ type: 'updatePrice', marketId: BTC, indexPrice: fp9('40000') })
 * const liquidation = outcome.ok ? outcome.events.find(({ type }) => type === 'liquidate') : undefined
 * recheckSettlement(liquidation).length // → 0
 * ```
 *
 * @returns the faults, first the most basic; empty for a close that is right.
 */
export function recheckSettlement(close: EvidencedClose): readonly SettlementMismatch[] {
  const faults: SettlementMismatch[] = []
  const expect = <T extends bigint | number | string>(field: string, stated: T, expected: T) => {
    if (stated !== expected) faults.push({ field, stated, expected })
  }
  const { direction, size, margin, cost, rawPnl, pnl, exchangedQuote } = close
  expect('formula', close.formula, 1)
  if (size <= 0n) faults.push({ field: 'size', stated: size, expected: 'above zero' })
  for (const field of ['margin', 'cost', 'spread', 'indexPrice', 'exchangedQuote', 'holdingTimeMs'] as const)
    if (close[field] < 0) faults.push({ field, stated: close[field], expected: 'at least zero' })
  if (faults.length > 0) return faults

  const exchanged = exchangedAt(close)
  const raw = direction === 'long' ? exchanged - cost : cost - exchanged
  expect('rawPnl', rawPnl, atLeast(raw, -margin))
  expect('exchangedQuote', exchangedQuote, direction === 'long' ? cost + rawPnl : cost - rawPnl)
  expect('pnl', pnl, cappedPnl(close))
  expect('marginReleased', close.marginReleased, margin)
  if (close.type === 'liquidate') checkLiquidation(close, expect, faults)
  else {
    expect('fee', close.fee, between(fractionUp(exchangedQuote, close.feeRate), margin + pnl))
    expect('credit', close.credit, margin + pnl - close.fee)
  }
  return faults
}

type Expect = <T extends bigint | number | string>(field: string, stated: T, expected: T) => void

/** E1 and E2: the level follows from the position, the index has reached it, and nothing is paid out. */
function checkLiquidation(close: Liquidate, expect: Expect, faults: SettlementMismatch[]): void {
  const { direction, size, cost: notional, margin, maintenanceMarginRate, indexPrice } = close
  const level = liquidationPrice({ direction, size, notional, margin }, maintenanceMarginRate)
  expect('liquidationPrice', close.liquidationPrice, level)
  const isBeyond = direction === 'long' ? level > 0n && indexPrice <= level : indexPrice >= level
  if (!isBeyond) faults.push({ field: 'indexPrice', stated: indexPrice, expected: `beyond ${level}` })
  expect('fee', close.fee, margin + close.pnl)
  expect('credit', close.credit, 0n)
}

/** What the whole size is worth at the index price less the spread, against the trader (B1, C7). */
function exchangedAt({ direction, indexPrice, spread, size }: EvidencedClose): Quote {
  return direction === 'long'
    ? notionalDown(size, soldAt(indexPrice, spread))
    : notionalUp(size, spread === 0n ? indexPrice : raisedPriceUp(indexPrice, spread))
}

function soldAt(indexPrice: Price, spread: Rate): Price {
  return spread >= ONE ? 0n : loweredPriceDown(indexPrice, spread)
}

/** min(raw, reference) within the minute, and never below what there is (D4, J3). */
function cappedPnl({ rawPnl, profitReferenceUsed, holdingTimeMs, margin }: EvidencedClose): Quote {
  const capped =
    holdingTimeMs < PROFIT_WINDOW_MS && rawPnl > profitReferenceUsed ? profitReferenceUsed : rawPnl
  return atLeast(capped, -margin)
}

function atLeast(value: Quote, least: Quote): Quote {
  return value < least ? least : value
}

/** Between 0 and what is left. */
function between(fee: Quote, left: Quote): Quote {
  if (left <= 0n) return 0n
  return fee < left ? fee : left
}
