/** What the data of a run leaves out or bends: told, because no figure shows it. */
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
}

/** Markets whose data begins after the run does by more than this are told. */
const LATE_MS = 3_600_000

/** Markets whose data begins late, or ends before the run does. */
export function dataNotes(markets: readonly NotedMarket[], played: Played): string[] {
  const { from, time, ends } = played
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
