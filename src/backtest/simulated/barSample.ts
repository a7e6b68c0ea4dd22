/** The bars that prices are drawn from: those of one market, or of several at the times that all of them have. */
import { type BarColumns, emptyBars, joinBars } from '../feed/columns.ts'
import type { Feed } from '../feed/feed.ts'
import { PlanError } from '../plan/readPlan.ts'
import { stationaryBlockLength } from '../statistics/blockLength.ts'

/** Bars of one market after the other, at the same times. */
export interface BarSample {
  readonly markets: readonly BarColumns[]
  readonly intervalMs: number
  /** Bars that were left out, because another market has none then. */
  readonly unmatched: number
}

/** A market whose bars are drawn from. */
export interface SampledMarket {
  readonly asset: string
  readonly feed: Feed
}

/** Reads all of the data. @throws PlanError for markets that cannot be drawn, or not together. */
export async function barSample(sources: readonly SampledMarket[]): Promise<BarSample> {
  const samples: BarColumns[] = []
  const intervals: number[] = []
  for (const { asset, feed } of sources) {
    if (feed.kind !== 'bars' || feed.intervalMs === null)
      throw new PlanError(
        `${asset}: prices are drawn from bars of a known interval; \`margin-core data convert --interval\` makes them of ticks`,
      )
    const chunks: BarColumns[] = []
    for await (const chunk of feed) chunks.push(chunk)
    samples.push(joinBars(chunks))
    intervals.push(feed.intervalMs)
  }
  const [intervalMs] = intervals as [number]
  if (intervals.some((other) => other !== intervalMs))
    throw new PlanError(
      'markets are drawn together from bars of one interval; `margin-core data convert --interval` makes longer ones',
    )
  const markets = atCommonTimes(samples)
  const [first] = markets as [BarColumns]
  if (first.length < 2)
    throw new PlanError('the data of the markets has fewer than two bars at the same times')
  const unmatched = samples.reduce((sum, { length }) => sum + length - first.length, 0)
  return { markets, intervalMs, unmatched }
}

/**
 * The mean length of blocks, in bars, that keeps how calm and storm follow each other: that of the absolute changes, the longest of all
 * markets (D. N. Politis, H. White 2004).
 */
export function blockLengthOf({ markets }: Pick<BarSample, 'markets'>): number {
  return Math.max(
    ...markets.map((bars) =>
      Math.round(stationaryBlockLength([...changesOf(bars).subarray(1)].map(Math.abs))),
    ),
  )
}

/** Of closes, as fractions; 0 for the first. */
export function changesOf({ close, length }: BarColumns): Float64Array {
  const changes = new Float64Array(length)
  let before = Number(close[0] ?? 0n)
  for (let row = 1; row < length; row++) {
    const now = Number(close[row] as bigint)
    changes[row] = now / before - 1
    before = now
  }
  return changes
}

/** The rows that all samples have. */
function atCommonTimes(samples: readonly BarColumns[]): BarColumns[] {
  if (samples.length === 1) return [...samples]
  const seen = new Map<number, number>()
  for (const { openTime } of samples) for (const time of openTime) seen.set(time, (seen.get(time) ?? 0) + 1)
  return samples.map((bars) => rowsAt(bars, (time) => seen.get(time) === samples.length))
}

function rowsAt(bars: BarColumns, isKept: (time: number) => boolean): BarColumns {
  const rows = [...bars.openTime.keys()].filter((row) => isKept(bars.openTime[row] as number))
  const kept = emptyBars(rows.length)
  for (const [at, row] of rows.entries()) {
    kept.openTime[at] = bars.openTime[row] as number
    kept.open[at] = bars.open[row] as bigint
    kept.high[at] = bars.high[row] as bigint
    kept.low[at] = bars.low[row] as bigint
    kept.close[at] = bars.close[row] as bigint
    kept.volume[at] = bars.volume[row] as number
  }
  return kept
}
