/** From when to when the data of a plan reaches, without what the plan leaves out. */
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import type { Feed } from '../feed/feed.ts'
import { feedWithin } from '../run/period.ts'
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

/** What all markets of a plan have in common. @throws PlanError where that is nothing; whatever reading throws. */
export async function dataPeriodOf(plan: RunPlan): Promise<DataPeriod> {
  const { from, to } = periodOf(plan)
  const { markets } = await preparePlan(plan)
  const ends = await Promise.all(markets.map(({ feed }) => endsOf(feedWithin(feed, from, to))))
  const common = {
    from: Math.max(...ends.map((end) => end.from)),
    to: Math.min(...ends.map((end) => end.to)),
  }
  if (!(common.from < common.to)) throw new PlanError('the markets of the plan have no time in common')
  return common
}

async function endsOf(feed: Feed): Promise<DataPeriod> {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const lasting = (feed.kind === 'bars' ? feed.intervalMs : null) ?? 1
  for await (const chunk of feed as AsyncIterable<BarColumns | TickColumns>) {
    const time = 'openTime' in chunk ? chunk.openTime : chunk.time
    if (chunk.length === 0) continue
    from = Math.min(from, time[0] as number)
    to = Math.max(to, (time[chunk.length - 1] as number) + lasting)
  }
  return { from, to }
}
