/** Where the funding rates of a market come from, instant by instant. */
import type { FundingRates } from './funding.ts'

/** A change of rate to be made at a time, before or at the instant it is for. */
export interface RateChange {
  readonly at: number
  readonly rate: bigint
}

/**
 * Turns a funding file into rate changes: each rate is set one millisecond before its instant, so that a strategy never
 * sees a rate before it applies; where the file has no rate for the instant after it, the rate goes back to zero.
 *
 * @throws RangeError when an instant of the file is no funding instant of the market.
 */
export function rateChanges(rates: FundingRates, intervalMs: number): RateChange[] {
  const changes: RateChange[] = []
  for (let index = 0; index < rates.length; index++) {
    const instant = rates.time[index] as number
    if (instant % intervalMs !== 0)
      throw new RangeError(
        `${new Date(instant).toISOString()} is no funding instant of an interval of ${intervalMs} ms`,
      )
    changes.push({ at: instant - 1, rate: rates.rate[index] as bigint })
    const next = rates.time[index + 1]
    if (index + 1 >= rates.length || next !== instant + intervalMs) changes.push({ at: instant, rate: 0n })
  }
  return changes
}

/** The commonest step between the instants of a file; the venue's interval. Null for fewer than two instants. */
export function fundingIntervalOf(rates: FundingRates): number | null {
  const counts = new Map<number, number>()
  for (let index = 1; index < rates.length; index++) {
    const step = (rates.time[index] as number) - (rates.time[index - 1] as number)
    counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  let commonest: number | null = null
  for (const [step, count] of counts)
    if (commonest === null || count > (counts.get(commonest) as number)) commonest = step
  return commonest
}
