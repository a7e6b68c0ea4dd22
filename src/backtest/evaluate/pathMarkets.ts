/** The markets of a path: prices resampled from data, those of several markets together, or simulated ones. */
import type { BarColumns } from '../feed/columns.ts'
import { emptyBars, joinBars } from '../feed/columns.ts'
import type { BarFeed } from '../feed/feed.ts'
import type { FundingRates } from '../feed/funding.ts'
import { commonStep } from '../feed/priceSteps.ts'
import { type PreparedPlan, periodOf } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import { PlanError } from '../plan/readPlan.ts'
import { feedWithin } from '../run/period.ts'
import { bootstrapFeed } from '../simulated/blockBootstrap.ts'
import { type BlockDraw, BlockRows } from '../simulated/blockRows.ts'
import { demoFeeds } from '../simulated/demoFeed.ts'
import { priceModelOf } from '../simulated/marketModel.ts'
import { Random } from '../simulated/random.ts'
import { volatilityRegimes } from '../simulated/regimes.ts'
import { stationaryBlockLength } from '../statistics/blockLength.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import { PATH_START } from './life.ts'
import { pathFunding, sampleFunding } from './pathFunding.ts'

/** How blocks of bars follow each other: any after any, or each in the regime in which the one before it ended. */
export type BlockKind = 'any' | 'regimes'

export interface PathDraw {
  /** Length of a path. */
  readonly days: number
  /** Mean length of a block of resampled bars, in bars. */
  readonly meanBlock: number
  /** Default `any`. */
  readonly blocks?: BlockKind
  readonly seed: string
}

/** A market of a path. */
export interface PathMarket {
  readonly feed: BarFeed
  /** Null where the market's constant rate applies. */
  readonly funding: FundingRates | null
}

/** The markets of a path by its number, in their order; each path has its own. */
export type PathMarkets = (number: number) => readonly PathMarket[]

/** The bars that paths are drawn from, of one market after the other, at the same times. */
export interface PathSample {
  readonly markets: readonly BarColumns[]
  readonly intervalMs: number
  /** Bars that were left out, because another market has none then. */
  readonly unmatched: number
}

/** Little is drawn beyond the verdict. */
const CHUNK_ROWS = 1_440

/** @throws PlanError for markets that cannot be drawn, or not together. */
export async function pathMarkets(
  plan: RunPlan,
  prepared: PreparedPlan,
  draw: PathDraw,
): Promise<PathMarkets> {
  const { days, meanBlock, blocks = 'any', seed } = draw
  const sample = await pathSample(plan, prepared)
  if (sample === null) {
    const models = plan.markets.map(({ simulate }) => priceModelOf(simulate))
    const { correlation } = plan
    return (number) =>
      demoFeeds(`${seed}/${number}`, models, { days, correlation }).map((feed) => ({ feed, funding: null }))
  }
  const { intervalMs } = sample
  const regimes =
    blocks === 'regimes' ? volatilityRegimes(sample.markets.map(changesOf), Math.ceil(meanBlock)) : undefined
  const markets = sample.markets.map((bars, index) => {
    const funding = prepared.markets[index]?.funding ?? null
    return {
      prices: {
        sample: bars,
        tickSize: commonStep([bars.open, bars.high, bars.low, bars.close]),
        startPrice: bars.close[bars.length - 1] ?? 0n,
      },
      funding: funding === null ? null : sampleFunding(bars.openTime, intervalMs, funding),
    }
  })
  const isFunded = markets.some(({ funding }) => funding !== null)
  const [{ length: rows }] = sample.markets as [BarColumns]
  const length = Math.floor((days * DAY_MS) / intervalMs)
  // One seed and one length: every market draws the same rows, so that what happened together does.
  return (number) => {
    const seeded = { meanBlock, seed: `${seed}/${number}` }
    const drawn = isFunded ? drawnRows({ rows, regimes: regimes ?? null, ...seeded }, length) : null
    return markets.map(({ prices, funding }) => ({
      feed: bootstrapFeed({
        ...prices,
        ...seeded,
        ...(regimes === undefined ? {} : { regimes }),
        startTime: PATH_START,
        intervalMs,
        length,
        chunkRows: CHUNK_ROWS,
      }),
      funding:
        funding === null || drawn === null ? null : pathFunding(funding, drawn, PATH_START, intervalMs),
    }))
  }
}

/** The rows that a feed of the same seed is made of. */
function drawnRows({ seed, ...draw }: BlockDraw & { readonly seed: string }, length: number): Uint32Array {
  const rows = new BlockRows(draw, new Random(seed))
  return Uint32Array.from({ length }, () => rows.next())
}

/** Null where the markets are simulated. @throws PlanError for markets that cannot be drawn, or not together. */
export async function pathSample(plan: RunPlan, prepared: PreparedPlan): Promise<PathSample | null> {
  const given = plan.markets.filter(({ data }) => data !== undefined)
  if (given.length === 0) return null
  if (given.length < plan.markets.length)
    throw new PlanError(
      'markets are drawn together from data or simulated together: give data for all or for none',
    )
  const { from, to } = periodOf(plan)
  const samples: BarColumns[] = []
  const intervals: number[] = []
  for (const { asset, feed: whole } of prepared.markets) {
    const feed = feedWithin(whole, from, to)
    if (feed.kind !== 'bars' || feed.intervalMs === null)
      throw new PlanError(`${asset}: an evaluation resamples bars; the data must be bars of a known interval`)
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
export function blockLengthOf({ markets }: PathSample): number {
  return Math.max(
    ...markets.map((bars) =>
      Math.round(stationaryBlockLength([...changesOf(bars).subarray(1)].map(Math.abs))),
    ),
  )
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

/** Of closes, as fractions; 0 for the first. */
function changesOf({ close, length }: BarColumns): Float64Array {
  const changes = new Float64Array(length)
  let before = Number(close[0] ?? 0n)
  for (let row = 1; row < length; row++) {
    const now = Number(close[row] as bigint)
    changes[row] = now / before - 1
    before = now
  }
  return changes
}
