/** Data kept in memory, for many runs over the same rows. */
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import type { Feed } from '../feed/feed.ts'
import type { PreparedPlan } from './options.ts'

/**
 * The plan with all its data read. The chunks are shared by all runs and must not be changed.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const prepared = await inMemory(await preparePlan(plan))
 * const { stateHash } = await runBacktest(optionsOf(plan, prepared))
 * stateHash === (await runBacktest(optionsOf(plan, prepared))).stateHash // → true
 * ```
 */
export async function inMemory(prepared: PreparedPlan): Promise<PreparedPlan> {
  const markets = await Promise.all(
    prepared.markets.map(async (market) => ({ ...market, feed: await feedInMemory(market.feed) })),
  )
  return { ...prepared, markets }
}

async function feedInMemory(feed: Feed): Promise<Feed> {
  const chunks: (BarColumns | TickColumns)[] = []
  for await (const chunk of feed) chunks.push(chunk)
  const summary = feed.summary()
  const kept = { ...feed, summary: () => summary }
  return {
    ...kept,
    async *[Symbol.asyncIterator]() {
      yield* chunks
    },
  } as Feed
}
