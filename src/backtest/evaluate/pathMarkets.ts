/** The markets of a path: prices resampled from data, those of several markets together, or simulated ones. */
import { type PreparedPlan, periodOf } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import { PlanError } from '../plan/readPlan.ts'
import { feedWithin } from '../run/period.ts'
import { type BarSample, barSample } from '../simulated/barSample.ts'
import { demoFeeds } from '../simulated/demoFeed.ts'
import { type DrawnMarket, drawnMarkets } from '../simulated/drawnMarkets.ts'
import { priceModelOf } from '../simulated/marketModel.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import { PATH_START } from './life.ts'

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

/** The markets of a path by its number, in their order; each path has its own. */
export type PathMarkets = (number: number) => readonly DrawnMarket[]

/** Little is drawn beyond the verdict. */
const CHUNK_ROWS = 1_440
/** Calm, ordinary, wild. */
const REGIMES = 3

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
  const drawnBy = drawnMarkets(
    sample,
    prepared.markets.map(({ funding }) => funding),
    { meanBlock, regimes: blocks === 'regimes' ? REGIMES : 1, chunkRows: CHUNK_ROWS },
  )
  const length = Math.floor((days * DAY_MS) / sample.intervalMs)
  return (number) => drawnBy({ seed: `${seed}/${number}`, startTime: PATH_START, length, from: 'last close' })
}

/** Null where the markets are simulated. @throws PlanError for markets that cannot be drawn, or not together. */
export async function pathSample(plan: RunPlan, prepared: PreparedPlan): Promise<BarSample | null> {
  const given = plan.markets.filter(({ data }) => data !== undefined)
  if (given.length === 0) return null
  if (given.length < plan.markets.length)
    throw new PlanError(
      'markets are drawn together from data or simulated together: give data for all or for none',
    )
  if (given.some(({ simulate }) => simulate !== undefined))
    throw new PlanError(
      'paths are drawn in blocks from data as they are: leave bootstrapped away, and say how with --block and --blocks',
    )
  const { from, to } = periodOf(plan)
  return barSample(prepared.markets.map(({ asset, feed }) => ({ asset, feed: feedWithin(feed, from, to) })))
}
