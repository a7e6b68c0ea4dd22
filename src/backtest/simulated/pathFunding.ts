/**
 * The funding rates of a path. A block takes its rates along: at each instant of the path the rate is paid that was the next one
 * when the bar before the instant was drawn from, so that storms keep the rates that storms have.
 */
import { type FundingRates, fundingIndexFrom } from '../feed/funding.ts'
import { fundingIntervalOf } from '../feed/fundingSchedule.ts'

/** Rates by row of a sample, with the distance of the instants that they are for. */
export interface SampleFunding {
  readonly intervalMs: number
  readonly rates: BigInt64Array
}

/**
 * The rate that is next when each bar of a sample closes; zero where a file says none within an interval, as in a run.
 *
 * @returns null for a file of fewer than two instants, which does not say how far they are apart.
 */
export function sampleFunding(
  openTime: Float64Array,
  barMs: number,
  funding: FundingRates,
): SampleFunding | null {
  const intervalMs = fundingIntervalOf(funding)
  if (intervalMs === null) return null
  const rates = new BigInt64Array(openTime.length)
  for (let row = 0; row < openTime.length; row++) {
    const closed = (openTime[row] as number) + barMs
    const next = fundingIndexFrom(funding, closed)
    const isNear = (funding.time[next] ?? Number.POSITIVE_INFINITY) - closed < intervalMs
    rates[row] = isNear ? (funding.rate[next] as bigint) : 0n
  }
  return { intervalMs, rates }
}

/**
 * The rates of the instants within a path.
 *
 * @param rows of the sample, bar after bar of the path.
 */
export function pathFunding(
  { intervalMs, rates }: SampleFunding,
  rows: Uint32Array,
  startTime: number,
  barMs: number,
): FundingRates {
  const first = (Math.floor(startTime / intervalMs) + 1) * intervalMs
  const end = startTime + rows.length * barMs
  const length = Math.max(0, Math.floor((end - first) / intervalMs) + 1)
  const time = Float64Array.from({ length }, (_, index) => first + index * intervalMs)
  const rate = BigInt64Array.from(time, (instant) => {
    const bar = Math.ceil((instant - startTime) / barMs) - 1
    return rates[rows[bar] as number] as bigint
  })
  return { length, time, rate }
}
