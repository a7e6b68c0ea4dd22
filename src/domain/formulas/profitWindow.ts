/**
 * The 60-second profit adjustment (D1–D8): within a minute of an open or increase, the pnl of a position cannot grow
 * above what it was at that moment.
 */

import { proRataDown } from '../../quantity/products.ts'
import type { Base, Price, Quote } from '../../quantity/units.ts'
import type { Position } from '../state/position.ts'
import { PROFIT_WINDOW_MS } from '../state/venueRules.ts'
import { rawUnrealizedPnl } from './rawUnrealizedPnl.ts'

/** What of a position its profit depends on. */
export type WindowedPosition = Pick<
  Position,
  'direction' | 'size' | 'notional' | 'lastIncreaseAt' | 'profitReference'
>

/** The window is half-open: 59,999 ms after the increase is inside, 60,000 ms is not (D1, A5). */
function insideProfitWindow(
  position: WindowedPosition,
  at: number,
  windowMs: number = PROFIT_WINDOW_MS,
): boolean {
  return at - position.lastIncreaseAt < windowMs
}

/** Unrealized pnl as equity counts it: min(raw, reference) while the window is open (D7). */
export function unrealizedPnl(
  position: WindowedPosition,
  indexPrice: Price,
  at: number,
  windowMs: number = PROFIT_WINDOW_MS,
): Quote {
  const raw = rawUnrealizedPnl(position, indexPrice)
  return insideProfitWindow(position, at, windowMs) && raw > position.profitReference
    ? position.profitReference
    : raw
}

/**
 * The part of the reference that falls to closing `size` of the position: ⌊B·c/q⌋, all of it on a full close (D4).
 * Taken off the reference by the close, inside the window or not.
 */
export function referenceShare(position: WindowedPosition, size: Base): Quote {
  return size === position.size
    ? position.profitReference
    : proRataDown(position.profitReference, size, position.size)
}

/** What a close realizes of its raw pnl: min(raw, share of the reference) inside the window (D4, D5). */
export function cappedPnl(
  position: WindowedPosition,
  rawPnl: Quote,
  share: Quote,
  at: number,
  windowMs: number,
): Quote {
  return insideProfitWindow(position, at, windowMs) && rawPnl > share ? share : rawPnl
}

/**
 * The reference after an increase: the adjusted unrealized pnl just before the fill, at the fill's index (D3). It must
 * be the adjusted one: with the raw pnl, a dust increase would lift the cap to the profit grown inside the window.
 */
export function referenceAfterIncrease(
  position: WindowedPosition,
  indexPrice: Price,
  at: number,
  windowMs: number,
): Quote {
  return unrealizedPnl(position, indexPrice, at, windowMs)
}
