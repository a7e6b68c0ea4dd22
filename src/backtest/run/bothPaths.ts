/**
 * One strategy on both paths inside bars. A bar tells four prices and not their order; what differs between the two
 * runs is what the data cannot decide, and the bars where they part are named.
 */

import type { Trade } from '../accounting/tradeLog.ts'
import { Recording } from '../recording/recording.ts'
import { exploreOrders, type OrderBounds } from './orderBounds.ts'
import { type BacktestOptions, type BacktestResult, runBacktest } from './run.ts'

/** A trade that both runs opened in the same bar and that did not end the same way. */
export interface Divergence {
  readonly marketId: string
  /** The bar in which the first of the two ended: the one responsible. Epoch ms. */
  readonly openTime: number
  readonly side: 'long' | 'short'
  /** How it ended on each path. */
  readonly adverse: string
  readonly optimistic: string
  /** Pnl on the optimistic path minus pnl on the adverse one, fp9. */
  readonly difference: bigint
}

/** The same run on both paths through each bar, the adverse and the optimistic one. */
export interface PathComparison {
  readonly adverse: BacktestResult
  readonly optimistic: BacktestResult
  readonly adverseRecording: Recording
  readonly optimisticRecording: Recording
  /** Trades opened in the same bar on the same side in both runs. */
  readonly commonTrades: number
  /** In the order of time; the first is where the runs part. */
  readonly divergences: readonly Divergence[]
  /** The best and the worst that mixed orders come to: neither plain path is a bound of the other. */
  readonly bounds: OrderBounds
}

/**
 * Runs the same options on both paths. `options` is called once for each run, because strategies remember what they saw:
 * it must make them anew. Its path and recorder are replaced.
 *
 * ```ts
 * const paths = await runBothPaths(() => ({
 *   markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }],
 *   strategy: emaCross({ asset: 'BTC' }),
 * }))
 * Object.keys(paths).length > 1 // → true
 * ```
 *
 * @throws what {@link runBacktest} throws.
 */
export async function runBothPaths(options: () => BacktestOptions): Promise<PathComparison> {
  const adverseRecording = new Recording()
  const adverse = await runBacktest({ ...options(), path: 'adverse', recorder: adverseRecording })
  const optimisticRecording = new Recording()
  const optimistic = await runBacktest({ ...options(), path: 'optimistic', recorder: optimisticRecording })
  const pairs = commonTrades(adverse.trades, optimistic.trades, adverseRecording)
  return {
    adverse,
    optimistic,
    adverseRecording,
    optimisticRecording,
    commonTrades: pairs.length,
    divergences: divergencesOf(pairs, adverseRecording, optimisticRecording),
    bounds: await exploreOrders(options, { adverse, adverseRecording, optimistic }),
  }
}

type Pair = readonly [adverse: Trade, optimistic: Trade]

/** Trades are the same when they open on the same side of a market in the same bar, counted within that bar. */
function commonTrades(adverse: readonly Trade[], optimistic: readonly Trade[], recording: Recording): Pair[] {
  const barOf = barFinder(recording)
  const keyed = (trades: readonly Trade[]) => {
    const seen = new Map<string, number>()
    return trades.map((trade) => {
      const key = `${trade.marketId} ${trade.side} ${barOf(trade.marketId, trade.openedAt)}`
      const before = seen.get(key) ?? 0
      seen.set(key, before + 1)
      return [`${key} ${before}`, trade] as const
    })
  }
  const others = new Map(keyed(optimistic))
  return keyed(adverse).flatMap(([key, trade]) => {
    const other = others.get(key)
    return other === undefined ? [] : [[trade, other] as const]
  })
}

function divergencesOf(pairs: readonly Pair[], adverse: Recording, optimistic: Recording): Divergence[] {
  const barOf = barFinder(adverse)
  const [adverseEnds, optimisticEnds] = [endReasons(adverse), endReasons(optimistic)]
  return pairs
    .filter(
      ([a, o]) =>
        a.exitPrice !== o.exitPrice || barOf(a.marketId, a.closedAt) !== barOf(o.marketId, o.closedAt),
    )
    .map(([a, o]) => ({
      marketId: a.marketId,
      openTime: barOf(a.marketId, Math.min(a.closedAt, o.closedAt)),
      side: a.side,
      adverse: adverseEnds.get(a.positionId) ?? a.end,
      optimistic: optimisticEnds.get(o.positionId) ?? o.end,
      difference: o.pnl - a.pnl,
    }))
    .sort((a, b) => a.openTime - b.openTime)
}

function endReasons(recording: Recording): Map<string, string> {
  return new Map(recording.fills.map(({ positionId, reason }) => [positionId, reason]))
}

/** When the bar around a time opened; of ticks, the time itself. */
function barFinder(recording: Recording): (marketId: string, at: number) => number {
  const intervals = new Map(recording.markets.map(({ id, intervalMs }) => [id, intervalMs ?? 1]))
  return (marketId, at) => at - (at % (intervals.get(marketId) ?? 1))
}
