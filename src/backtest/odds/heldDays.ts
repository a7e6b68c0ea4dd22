/** Days of trades that have their paths: what was open at once stays so, and a trade is held over its midnights. */
import { DAY_MS } from '../statistics/equityCurve.ts'
import type { OwnTrade } from './ownTrade.ts'
import { type DayTrade, type HeldTrade, USUAL_MS } from './tradeDays.ts'
import type { TradePath } from './tradePath.ts'

/** A trade's times, as they are played: apart, and within its days. */
interface Whole {
  readonly trade: OwnTrade
  readonly path: TradePath | null
  readonly number: number
  readonly opens: number
  readonly closes: number
}

/** Opening, something between, closing. */
const LEAST_MS = 2

/**
 * Every UTC day from the first opening to the last close. A trade without a path is played on the day that it closes on.
 *
 * @param balance what the account had when the trades were made, quote currency.
 * @param leverage of all trades that say none; null where nothing is known of it.
 */
export function heldDays(
  trades: readonly OwnTrade[],
  paths: readonly (TradePath | null)[],
  balance: number,
  leverage: number | null,
): DayTrade[][] {
  const wholes = trades.map((trade, number) => wholeOf(trade, paths[number] ?? null, number))
  const lanes = lanesOf(wholes)
  const first = Math.min(...wholes.map(({ opens }) => dayOf(opens)))
  const last = Math.max(...wholes.map(({ closes }) => dayOf(closes)))
  const days: DayTrade[][] = Array.from({ length: last - first + 1 }, () => [])
  for (const whole of wholes)
    for (const part of partsOf(whole, lanes[whole.number] as number, balance, leverage))
      days[part.held.day - first]?.push(part)
  for (const day of days) day.sort((a, b) => a.opens - b.opens)
  return days
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS)
}

function wholeOf(trade: OwnTrade, path: TradePath | null, number: number): Whole {
  const closes = trade.closedAt
  const opened = trade.openedAt ?? closes - USUAL_MS
  const begun = path === null ? Math.max(opened, dayOf(closes) * DAY_MS) : opened
  // A trade of no length at the end of a day is opened that much earlier.
  const opens = Math.min(begun, (dayOf(begun) + 1) * DAY_MS - 1 - LEAST_MS)
  return { trade, path, number, opens, closes: Math.max(opens + LEAST_MS, closes) }
}

/** The first lane that is free when a trade opens, in the order of opening. */
function lanesOf(wholes: readonly Whole[]): number[] {
  const lanes: number[] = []
  const freeFrom: number[] = []
  for (const { number, opens, closes } of [...wholes].sort((a, b) => a.opens - b.opens)) {
    const free = freeFrom.findIndex((time) => time < opens)
    const lane = free < 0 ? freeFrom.length : free
    freeFrom[lane] = closes
    lanes[number] = lane
  }
  return lanes
}

function partsOf(
  { trade, path, number, opens, closes }: Whole,
  lane: number,
  balance: number,
  leverage: number | null,
): (DayTrade & { readonly held: HeldTrade })[] {
  const { at, gains } = pointsOf(trade, path, opens, closes)
  const least = Math.min(0, trade.pnl, ...gains) / balance
  const known = path?.leverage ?? leverage
  const margin =
    path === null || known === null
      ? null
      : { side: path.side, notional: path.notional / balance, leverage: known }
  const parts: (DayTrade & { readonly held: HeldTrade })[] = []
  let [begin, from] = [0, 0]
  for (let day = dayOf(opens); day <= dayOf(closes); day++) {
    const midnight = day * DAY_MS
    let end = begin
    while (end < at.length && (at[end] as number) < midnight + DAY_MS) end += 1
    const [wasOpen, staysOpen] = [opens < midnight, closes >= midnight + DAY_MS]
    const gain = staysOpen ? (end > begin ? (gains[end - 1] as number) / balance : from) : trade.pnl / balance
    parts.push({
      opens: wasOpen ? 0 : opens - midnight,
      closes: staysOpen ? DAY_MS - 1 : closes - midnight,
      gain,
      worst: 0,
      held: {
        ...{ trade: number, day, lane, from, wasOpen, staysOpen, margin, least },
        at: Float64Array.from(at.slice(begin, end), (time) => time - midnight),
        gains: Float64Array.from(gains.slice(begin, end), (own) => own / balance),
      },
    })
    begin = end
    from = gain
  }
  return parts
}

/**
 * What is played between opening and closing. Of the prices of one moment those come first at which trades gain, so that what one side
 * of a market loses is never seen without what the other has gained; a deeper loss than the prices show is played at their lowest.
 */
function pointsOf(
  { pnl, worst }: OwnTrade,
  path: TradePath | null,
  opens: number,
  closes: number,
): { readonly at: number[]; readonly gains: number[] } {
  const gains = path === null ? [] : [...path.gain]
  const at =
    path === null
      ? []
      : [...path.at].map((time, index) => {
          const isGain = (gains[index] as number) > (gains[index - 1] ?? 0)
          return Math.max(opens, Math.floor(time / DAY_MS) * DAY_MS, isGain ? time - 1 : time)
        })
  const lowest = Math.min(0, pnl, ...gains)
  if (worst === null || worst >= lowest) return { at, gains }
  const place = gains.indexOf(lowest)
  if (place >= 0) gains[place] = worst
  else {
    const middle = Math.floor((opens + closes) / 2)
    const after = at.findIndex((time) => time > middle)
    at.splice(after < 0 ? at.length : after, 0, middle)
    gains.splice(after < 0 ? gains.length : after, 0, worst)
  }
  return { at, gains }
}
