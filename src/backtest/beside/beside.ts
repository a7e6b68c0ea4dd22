/**
 * What stands beside a run so that its figures can be judged: what the same account would have come to by holding the
 * markets and by doing nothing, and how far the figures would scatter.
 */
import { type BacktestOptions, type BacktestResult, runBacktest } from '../run/run.ts'
import type { Verdict } from '../run/verdict.ts'
import { type RunConfidence, runConfidence } from '../statistics/confidence.ts'
import { dailyReturns } from '../statistics/dailyReturns.ts'
import { buyAndHold } from '../strategies/buyAndHold.ts'

/** Another way to have had the same account, under the same rules over the same time. */
export interface Benchmark {
  readonly name: string
  /** fp9 quote currency, after all costs. */
  readonly netProfit: bigint
  /** As a fraction of the balance it began with; null without any. */
  readonly totalReturn: number | null
  /** As a fraction of the peak; 0 without one. */
  readonly maxDrawdown: number
  /** Annualised; null for too few days, or where nothing varied. */
  readonly sharpeRatio: number | null
  readonly outcome: Verdict['outcome']
}

/** What the figures of a run are judged by. */
export interface Beside {
  readonly benchmarks: readonly Benchmark[]
  readonly confidence: RunConfidence
}

/**
 * Holding is a run of its own, of the main account alone: it pays its costs and may fail the evaluation.
 *
 * ```ts
 * const options = { markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }], strategy: emaCross({ asset: 'BTC' }) }
 * const beside = await besideOf(options, await runBacktest(options))
 * Object.keys(beside).length > 0 // → true
 * ```
 *
 * @param options those of the run; its strategy, kept models, further accounts and warm-up are left out.
 * @throws what {@link runBacktest} throws.
 */
export async function besideOf(options: BacktestOptions, result: BacktestResult): Promise<Beside> {
  const {
    recorder: _recorder,
    models: _models,
    onProgress: _progress,
    others: _others,
    turnedBars: _turned,
    warmUpMs: _warmUp,
    ...plain
  } = options
  const assets = plain.markets.map(({ asset }) => asset)
  const to = Math.min(plain.to ?? Number.POSITIVE_INFINITY, result.to + 1)
  const held = await runBacktest({ ...plain, to, strategy: buyAndHold(assets) })
  const { statistics, verdict } = held
  const pnl = result.trades.map((trade) => Number(trade.pnl) / 1e9)
  return {
    benchmarks: [
      {
        name: 'buy and hold',
        netProfit: statistics.netProfit,
        totalReturn: statistics.totalReturn,
        maxDrawdown: statistics.maxDrawdown?.depth ?? 0,
        sharpeRatio: statistics.sharpeRatio,
        outcome: verdict.outcome,
      },
      NOTHING,
    ],
    confidence: runConfidence(dailyReturns(result.curve).returns, pnl),
  }
}

const NOTHING: Benchmark = {
  name: 'do nothing',
  netProfit: 0n,
  totalReturn: 0,
  maxDrawdown: 0,
  sharpeRatio: null,
  outcome: 'undecided',
}
