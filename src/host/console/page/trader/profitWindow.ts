// The minute after an increase, in which the pnl of a position cannot grow (D1–D8), from the events of the position.

import type { ApiPosition, ApiPositionEvent } from '../../../../client/client.ts'
import { referenceAfterIncrease, referenceShare } from '../../../../domain/formulas/profitWindow.ts'
import { PROFIT_WINDOW_MS } from '../../../../domain/state/venueRules.ts'
import { quantity } from '../shared/amounts.ts'
import { positionTerms } from './formulaTerms.ts'

export interface ProfitWindow {
  /** Epoch ms. */
  readonly lastIncreaseAt: number
  /** The pnl that a close within the window realizes at most. */
  readonly profitReference: bigint
}

/** Where the window of a position stands after its events, oldest first. */
export function windowAfter(events: readonly ApiPositionEvent[]): ProfitWindow {
  let window: ProfitWindow = { lastIncreaseAt: 0, profitReference: 0n }
  let before: ApiPositionEvent | null = null
  for (const event of events) {
    const at = Date.parse(event.lastUpdatedAt)
    if (event.eventName === 'increasePosition')
      window = { lastIncreaseAt: at, profitReference: referenceAfter(before, event, window, at) }
    else if (event.eventName === 'closePosition' && before !== null)
      window = { ...window, profitReference: window.profitReference - shareOf(before, event, window) }
    before = event
  }
  return window
}

/** Nothing on opening; else what the pnl was just before, at the price of the increase. */
function referenceAfter(
  before: ApiPositionEvent | null,
  { order }: ApiPositionEvent,
  window: ProfitWindow,
  at: number,
): bigint {
  if (before === null || order?.indexPrice == null) return 0n
  const position = { ...positionTerms(before), ...window }
  return referenceAfterIncrease(position, quantity(order.indexPrice), at, PROFIT_WINDOW_MS)
}

function shareOf(
  before: ApiPositionEvent,
  { exchangedBase }: ApiPositionEvent,
  window: ProfitWindow,
): bigint {
  return referenceShare({ ...positionTerms(before), ...window }, quantity(exchangedBase))
}

/**
 * What of the window can be told without the events: nothing but that it is over, or where it stands with one event. `scalpingWindowMs`:
 * for how long after an increase a close pays the multiplied spread.
 */
export function windowKnown(
  position: ApiPosition,
  now: number,
  scalpingWindowMs: number,
): ProfitWindow | 'over' | 'unknown' {
  const asked = Math.max(PROFIT_WINDOW_MS, scalpingWindowMs)
  if (now - Date.parse(position.lastUpdatedAt) >= asked) return 'over'
  return position.version === 1
    ? { lastIncreaseAt: Date.parse(position.openedAt), profitReference: 0n }
    : 'unknown'
}

/** Milliseconds that it still runs. */
export function windowLeft({ lastIncreaseAt }: ProfitWindow, now: number): number {
  return Math.max(0, lastIncreaseAt + PROFIT_WINDOW_MS - now)
}
