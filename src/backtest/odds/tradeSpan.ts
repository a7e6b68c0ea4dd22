/** What is told of a span of trades that looks as if a date of them were wrong, or of which most days are idle. */
import { plural } from '../output/presentation.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import type { OwnTrade } from './ownTrade.ts'

/** Longer without a trade is told as a date that may be wrong. */
const LONG_DAYS = 366
/** Fewer idle days are those of a trader who trades now and then. */
const MOST_IDLE = 0.9

/** @param trades one or more, in the order of closing. */
export function spanNotes(trades: readonly OwnTrade[]): string[] {
  const days = [...new Set(trades.map(({ closedAt }) => Math.floor(closedAt / DAY_MS)))]
  const all = (days.at(-1) ?? 0) - (days[0] ?? 0) + 1
  const idle = all - days.length
  if (idle === 0) return []
  const [from, to] = longestRest(days)
  const told = `${idle} of the ${all} days ${plural(idle, 'has', 'have')} no trade and ${plural(idle, 'is', 'are')} drawn so`
  if (to - from > LONG_DAYS)
    return [`${told}; none was closed between ${dateOf(from)} and ${dateOf(to)}: is a date wrong?`]
  return idle / all > MOST_IDLE ? [told] : []
}

function longestRest(days: readonly number[]): [number, number] {
  let longest: [number, number] = [days[0] ?? 0, days[0] ?? 0]
  for (let index = 1; index < days.length; index++) {
    const [from, to] = [days[index - 1] as number, days[index] as number]
    if (to - from > longest[1] - longest[0]) longest = [from, to]
  }
  return longest
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
