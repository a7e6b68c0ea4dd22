/** From when to when the data of a plan reaches, without what the plan leaves out. */
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import type { Feed } from '../feed/feed.ts'
import { feedWithin } from '../run/period.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import { periodOf, preparePlan } from './options.ts'
import type { RunPlan } from './plan.ts'
import { PlanError } from './readPlan.ts'

/** [from, to), epoch ms: from the first row to the end of the last. */
export interface DataPeriod {
  /** Included, epoch ms. */
  readonly from: number
  /** Not included, epoch ms. */
  readonly to: number
}

/** A period, and how much data there is in it. */
export interface DataDays extends DataPeriod {
  /** Rows by market and UTC day, counted from 1970. */
  readonly rows: readonly ReadonlyMap<number, number>[]
}

/** What all markets of a plan have in common. @throws PlanError where that is nothing; whatever reading throws. */
export async function dataPeriodOf(plan: RunPlan): Promise<DataPeriod> {
  const { from, to } = await dataDaysOf(plan)
  return { from, to }
}

/** The same with the rows of each day. */
export async function dataDaysOf(plan: RunPlan): Promise<DataDays> {
  const ends = await marketDaysOf(plan)
  const common = {
    from: Math.max(...ends.map((end) => end.from)),
    to: Math.min(...ends.map((end) => end.to)),
    rows: ends.map(({ rows }) => rows),
  }
  if (!(common.from < common.to)) throw new PlanError('the markets of the plan have no time in common')
  return common
}

/**
 * The plan with the period that its runs play, from the first row of any market to the end of the last, as far as the plan takes it: for
 * pages, which are read where the data is not.
 */
export async function datedPlan(plan: RunPlan): Promise<RunPlan> {
  const ends = await marketDaysOf(plan)
  const [from, to] = [Math.min(...ends.map((end) => end.from)), Math.max(...ends.map((end) => end.to))]
  return from < to ? { ...plan, from, to } : plan
}

async function marketDaysOf(plan: RunPlan): Promise<MarketDays[]> {
  const { from, to } = periodOf(plan)
  const { markets } = await preparePlan(plan)
  return Promise.all(markets.map(({ feed }) => daysOf(feedWithin(feed, from, to))))
}

/** Rows of the market that has the fewest in a period of whole days. */
export function leastRowsIn({ rows }: DataDays, { from, to }: DataPeriod): number {
  const counts = rows.map((ofDay) => {
    let count = 0
    for (let day = from / DAY_MS; day < to / DAY_MS; day++) count += ofDay.get(day) ?? 0
    return count
  })
  return Math.min(...counts)
}

interface MarketDays extends DataPeriod {
  readonly rows: ReadonlyMap<number, number>
}

async function daysOf(feed: Feed): Promise<MarketDays> {
  const rows = new Map<number, number>()
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const lasting = (feed.kind === 'bars' ? feed.intervalMs : null) ?? 1
  for await (const chunk of feed as AsyncIterable<BarColumns | TickColumns>) {
    const time = 'openTime' in chunk ? chunk.openTime : chunk.time
    if (chunk.length === 0) continue
    from = Math.min(from, time[0] as number)
    to = Math.max(to, (time[chunk.length - 1] as number) + lasting)
    for (let row = 0; row < chunk.length; row++) {
      const day = Math.floor((time[row] as number) / DAY_MS)
      rows.set(day, (rows.get(day) ?? 0) + 1)
    }
  }
  return { from, to, rows }
}
