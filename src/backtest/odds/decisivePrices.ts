/**
 * Of the prices of a trade's path those that can decide anything. While nothing else is open or happens, the equity of the account
 * rises and falls with this trade alone, its floors stand still until midnight and so does its liquidation price: what is not
 * lower than it was that day already reaches none of them. Such a price is left out. The first and the last of a day stay, which
 * midnights and payouts are reckoned at, and so does every price around which another trade is open, opened or closed.
 */
import type { DayTrade } from './tradeDays.ts'

export function decisiveDay(day: readonly DayTrade[]): DayTrade[] {
  return day.map((trade) => decisiveTrade(trade, day))
}

function decisiveTrade(trade: DayTrade, day: readonly DayTrade[]): DayTrade {
  const { held, closes } = trade
  if (held === undefined || held.at.length < LEAST_PRICES) return trade
  const { at, gains } = held
  const others = day.filter((other) => other !== trade)
  const kept: number[] = []
  let lowest = Number.POSITIVE_INFINITY
  for (let index = 0; index < at.length; index++) {
    const next = at[index + 1] ?? closes
    const isAlone = !others.some((other) => other.opens <= next && other.closes >= (at[index] as number))
    const gain = gains[index] as number
    const isEnd = index === 0 || index === at.length - 1
    if (isEnd || !isAlone || gain < lowest) kept.push(index)
    // What was reached beside another trade says nothing of what is reached alone.
    lowest = isAlone ? Math.min(lowest, gain) : Number.POSITIVE_INFINITY
  }
  return {
    ...trade,
    held: {
      ...held,
      at: Float64Array.from(kept, (index) => at[index] as number),
      gains: Float64Array.from(kept, (index) => gains[index] as number),
    },
  }
}

/** Of fewer none is left out. */
const LEAST_PRICES = 3
