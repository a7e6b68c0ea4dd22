/** Costs are never silently zero: what a run does not charge, it says. */
import type { MarketRecord } from '../../projections/marketRecord.ts'
import { formatInstant } from '../../projections/wire.ts'
import type { FundingRates } from '../feed/funding.ts'
import { fundingIntervalOf } from '../feed/fundingSchedule.ts'

interface NotedMarket {
  readonly asset: string
  readonly funding?: FundingRates
}

/** `records` are the markets as listed, in the order of the run. */
export function costNotes(records: readonly MarketRecord[], markets: readonly NotedMarket[]): string[] {
  const notes: string[] = []
  for (const [index, { asset, funding }] of markets.entries()) {
    const { config, state } = records[index] as MarketRecord
    if (config.feeRate === 0n) notes.push(`${asset}: no fees are charged`)
    if (config.spread === 0n) notes.push(`${asset}: no spread is charged`)
    if (funding !== undefined) continue
    if (state.fundingRate === 0n) notes.push(`${asset}: no funding is charged`)
    else notes.push(`${asset}: no funding file; every instant uses the constant rate of the market`)
  }
  return notes
}

/** Instants of the run, [from, to], that a funding file says nothing about. */
export function fundingNotes(markets: readonly NotedMarket[], from: number, to: number): string[] {
  return markets.flatMap(({ asset, funding }) => {
    if (funding === undefined || funding.length === 0) return []
    const first = funding.time[0] as number
    const last = funding.time[funding.length - 1] as number
    const interval = fundingIntervalOf(funding) ?? Number.POSITIVE_INFINITY
    const missing = missingInstants(funding, interval, from, to)
    const notes: string[] = []
    if (missing > 0)
      notes.push(`${asset}: ${missing} funding instant(s) have no rate in the file; none was charged`)
    if (first - interval > from)
      notes.push(`${asset}: the funding file begins at ${formatInstant(first)}; none was charged before`)
    if (last + interval <= to)
      notes.push(`${asset}: the funding file ends at ${formatInstant(last)}; none was charged after`)
    return notes
  })
}

function missingInstants(rates: FundingRates, interval: number, from: number, to: number): number {
  let missing = 0
  for (let index = 1; index < rates.length; index++) {
    const before = rates.time[index - 1] as number
    const after = rates.time[index] as number
    for (let instant = before + interval; instant < after; instant += interval)
      if (instant > from && instant <= to) missing += 1
  }
  return missing
}
