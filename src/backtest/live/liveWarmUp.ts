/** A live strategy before it trades: it is told the data before now, and what between the two it is not told is said, or refused. */
import type { Feed } from '../feed/feed.ts'
import { moment, span } from '../output/presentation.ts'
import { LiveError } from './liveError.ts'
import type { LiveOptions, LiveWarmUp } from './liveOptions.ts'
import { pastOf, surveyedPast, type ToldPast, tellPast } from './toldPast.ts'

/** Bars that may be missing between the data and now where nothing else is said. */
const GAP_BARS = 60

/** What is to be told before a run that begins at a time, epoch ms. */
export interface PlannedPast {
  readonly past: readonly Feed[]
  readonly told: ToldPast
}

/**
 * Reads the data once, before anybody is told of it.
 *
 * @throws LiveError for bars of another length, for data that ends too long ago, and for none; FeedError for data that cannot be read.
 */
export async function plannedPast(
  { feeds, spanMs, gapMs }: LiveWarmUp,
  assets: readonly string[],
  intervalMs: number,
  now: number,
): Promise<PlannedPast> {
  for (const [market, feed] of feeds.entries())
    if (feed.kind === 'bars' && feed.intervalMs !== intervalMs)
      throw new LiveError(
        `${assets[market]}: the data has bars of ${span(feed.intervalMs ?? 0)}, and the run tells bars of ${span(intervalMs)}: a strategy would be warmed up on others than it trades; give --interval, or make others with \`margin-core data convert --interval\``,
      )
  const from = now - spanMs
  const past = pastOf(feeds, from, now)
  const told = await surveyedPast(assets, past, from, now)
  const most = gapMs ?? GAP_BARS * intervalMs
  for (const { asset, rows, to, gapMs: gap } of told.markets) {
    if (rows === 0)
      throw new LiveError(
        `${asset}: the data has no row in the ${span(spanMs)} before ${moment(now)} UTC, of which the strategy was to be told`,
      )
    if (gap > most)
      throw new LiveError(
        `${asset}: the data ends at ${moment(to)} UTC, ${span(gap)} before the run begins, and at most ${span(most)} may be missing; bring it up to date, or say with --warm-up-gap how much may`,
      )
  }
  return { past, told }
}

/** Tells the strategy, which trades on none of it. @returns with what the first bars of the run go on, by market. */
export async function warmedUp(
  { context, strategy, assets, warmUp, signal }: LiveOptions,
  intervalMs: number,
  { past, told }: PlannedPast,
): ReturnType<typeof tellPast> {
  const markets = assets.map((asset) => ({ id: context.market(asset).id, asset }))
  const open = await tellPast(past, {
    ...{ markets, intervalMs, warmUp: context.warmUp, to: told.to, signal },
    hearer: {
      hearsTicks: strategy.onTick !== undefined,
      hearsBars: true,
      start: async () => strategy.onStart?.(context),
      tick: async (tick) => strategy.onTick?.(tick, context),
      async bar(bar) {
        const ready = context.ready(bar)
        if (ready !== undefined && !(await ready)) return
        context.hear(bar)
        await strategy.onBar?.(bar, context)
      },
    },
  })
  warmUp?.onWarmedUp?.(told)
  return open
}
