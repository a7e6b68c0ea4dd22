/** What the data of a run leaves out or bends: told, because no figure shows it. */
import { dayStretches, type EmptyDays } from '../feed/emptyDays.ts'
import { count, moment, span } from '../output/presentation.ts'
import type { DataEnds } from './dataEnds.ts'
import type { EndedMarket } from './endMarket.ts'

interface NotedMarket {
  readonly asset: string
}

interface Played {
  readonly from: number | null
  readonly time: number
  readonly ends: { readonly data: DataEnds; readonly ended: readonly EndedMarket[] }
  readonly emptyDays: EmptyDays
}

/** Markets whose data begins after the run does by more than this are told. */
const LATE_MS = 3_600_000

/** Days without a tick, and of several markets those whose data begins late, or ends before the run does. */
export function dataNotes(markets: readonly NotedMarket[], played: Played): string[] {
  return [...emptyDayNotes(markets, played), ...spanNotes(markets, played)]
}

/** More stretches than these are left to `result.json`, which names each day. */
const NAMED = 12

function emptyDayNotes(markets: readonly NotedMarket[], { emptyDays }: Played): string[] {
  return markets.flatMap(({ asset }, market) => {
    const days = emptyDays.of(market)
    const stretches = dayStretches(days)
    if (days.length === 0) return []
    const further = stretches.length > NAMED ? [`and ${stretches.length - NAMED} more`] : []
    return [
      `${asset}: ${count(days.length)} day(s) without a tick: ${[...stretches.slice(0, NAMED), ...further].join(', ')}`,
    ]
  })
}

function spanNotes(markets: readonly NotedMarket[], { from, time, ends }: Played): string[] {
  if (from === null || markets.length === 1) return []
  const late = markets.flatMap(({ asset }, market) => {
    const data = ends.data.spanOf(market)
    if (data === null) return [`${asset}: its data has no row in the period`]
    return data.from - from < LATE_MS
      ? []
      : [`${asset}: its data begins at ${moment(data.from)} UTC, ${span(data.from - from)} after the run`]
  })
  const early = ends.ended.flatMap(({ market, closed }) => {
    const { asset } = markets[market] as NotedMarket
    const data = ends.data.spanOf(market)
    if (data === null) return []
    const told = `${asset}: its data ends at ${moment(data.to)} UTC, ${span(time - data.to)} before the run`
    return closed === null
      ? [`${told}; its price stands still from there on`]
      : [`${told}; its market was ended there, ${count(closed)} position(s) closed at the last price`]
  })
  return [...late, ...early]
}

/** Where a price counts as current for longer than on the venue (B7), because the data tells none more often. */
export function priceAgeNote(asset: string, maxPriceAgeMs: number, venueMs: number): string {
  const [here, there] = [span(maxPriceAgeMs), span(venueMs)]
  return `${asset}: a price counts as current for ${here} instead of the venue's ${there}; the data tells none more often`
}
