/** A trader's trades by day, so that days are drawn as they were: with their trades, their hours and their idleness. */
import type { Direction } from '../../terms/direction.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import type { OwnTrade } from './ownTrade.ts'

/** One trade of a day; times count from its midnight, ms. */
export interface DayTrade {
  readonly opens: number
  readonly closes: number
  /** As a share of the balance that the trades were made with. */
  readonly gain: number
  readonly worst: number
  /** Where trades have their paths: how this one went. */
  readonly held?: HeldTrade
}

/** How a trade went on one of its days, as it was held. Gains are shares of the balance, counted from its opening. */
export interface HeldTrade {
  /** Which of all trades, and which of all days. */
  readonly trade: number
  readonly day: number
  /** Trades that are open at once have markets of their own. */
  readonly lane: number
  /** Gain at which the day began, and whether the trade was open then and is at the day's end. */
  readonly from: number
  readonly wasOpen: boolean
  readonly staysOpen: boolean
  /** Between the opening and the closing; ms from midnight. */
  readonly at: Float64Array
  readonly gains: Float64Array
  /** Null where the margin is not known: it then covers what the trade ever lost. */
  readonly margin: { readonly side: Direction; readonly notional: number; readonly leverage: number } | null
  /** Least gain of the whole trade, 0 or less. */
  readonly least: number
}

/** Where a table does not say how long a trade was open: longer than the profit adjustment looks at. */
export const USUAL_MS = 300_000

/**
 * Every UTC day from the first close to the last, those without a trade included. A trade belongs to the day it closes on and
 * opens no earlier than that; of trades that overlap, the later begins when the earlier has ended.
 *
 * @param balance what the account had when the trades were made, quote currency.
 */
export function tradeDays(trades: readonly OwnTrade[], balance: number): DayTrade[][] {
  const first = Math.floor((trades[0]?.closedAt ?? 0) / DAY_MS)
  const last = Math.floor((trades.at(-1)?.closedAt ?? 0) / DAY_MS)
  const days: DayTrade[][] = Array.from({ length: last - first + 1 }, () => [])
  for (const { openedAt, closedAt, pnl, worst } of trades) {
    const day = days[Math.floor(closedAt / DAY_MS) - first] as DayTrade[]
    const midnight = Math.floor(closedAt / DAY_MS) * DAY_MS
    const free = (day.at(-1)?.closes ?? -1) + 1
    const opens = Math.max(free, Math.max(0, (openedAt ?? closedAt - USUAL_MS) - midnight))
    const closes = Math.max(opens + 2, closedAt - midnight)
    day.push({ opens, closes, gain: pnl / balance, worst: Math.min(0, pnl, worst ?? 0) / balance })
  }
  return days
}

/** What each day brought, as a share of the balance. */
export function dayGains(days: readonly (readonly DayTrade[])[]): number[] {
  return days.map((day) => day.reduce((sum, { gain, held }) => sum + gain - (held?.from ?? 0), 0))
}
