/** One path of an evaluation: prices resampled from data, or simulated, and what the venue would have decided. */
import type { BarColumns } from '../feed/columns.ts'
import { joinBars } from '../feed/columns.ts'
import type { BarFeed } from '../feed/feed.ts'
import { optionsOf, type PlannedMarket, type PreparedPlan, periodOf, preparePlan } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import { PlanError } from '../plan/readPlan.ts'
import { feedWithin } from '../run/period.ts'
import { runBacktest } from '../run/run.ts'
import { bootstrapFeed } from '../simulated/blockBootstrap.ts'
import { demoFeeds } from '../simulated/demoFeed.ts'
import { priceModelOf } from '../simulated/marketModel.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'

export interface EvaluationSetup {
  readonly plan: RunPlan
  /** Length of a path. */
  readonly days: number
  /** Mean length of a block of resampled bars, in bars. */
  readonly meanBlock: number
  readonly seed: string
}

/** What became of the account on one path. */
export interface PathOutcome {
  readonly outcome: 'passed' | 'failed' | 'undecided'
  readonly rule: 'total_loss' | 'daily_loss' | null
  /** Days from the start to the verdict; null without one. */
  readonly days: number | null
  /** Return of the account at the verdict, or at the end. */
  readonly totalReturn: number
}

const DAY_MS = 86_400_000
/** Paths begin at a midnight, so that a trading day is a day of the path. */
const START = Date.UTC(2026, 0, 5)
/** Little is drawn beyond the verdict. */
const CHUNK_ROWS = 1_440

/** Reads the data once; a task is a stretch of path numbers. Parameters given beside them come before the plan's. */
export async function pathRunner(
  setup: EvaluationSetup,
): Promise<(numbers: readonly number[], parameters?: StrategyParameters) => Promise<PathOutcome[]>> {
  const prepared = await preparePlan(setup.plan)
  const feedOf = await pathFeeds(setup, prepared)
  const { from: _from, to: _to, ...plan } = setup.plan
  return async (numbers, parameters = {}) => {
    const variant = { ...plan, parameters: { ...plan.parameters, ...parameters } }
    const outcomes: PathOutcome[] = []
    for (const number of numbers) {
      const market = { ...(prepared.markets[0] as PlannedMarket), feed: feedOf(number), funding: null }
      const options = optionsOf(variant, { ...prepared, markets: [market] })
      outcomes.push(
        await outcomeOf({ ...options, afterVerdict: 'stop', samplingMs: Number.POSITIVE_INFINITY }),
      )
    }
    return outcomes
  }
}

/** Runs until the verdict and says what it was. */
export async function outcomeOf(options: Parameters<typeof runBacktest>[0]): Promise<PathOutcome> {
  const { verdict, from, account, initialBalance } = await runBacktest(options)
  const gain = account.riskStatus.currentEquity - initialBalance
  return {
    outcome: verdict.outcome,
    rule: verdict.outcome === 'failed' ? verdict.breach.rule : null,
    days: verdict.outcome === 'undecided' ? null : (verdict.at - from) / DAY_MS,
    totalReturn: Number(gain) / Number(initialBalance),
  }
}

async function pathFeeds(
  { plan, days, meanBlock, seed }: EvaluationSetup,
  { markets }: PreparedPlan,
): Promise<(number: number) => BarFeed> {
  const [market] = markets
  if (market === undefined || markets.length > 1) throw new PlanError('an evaluation takes one market')
  const planned = plan.markets[0]
  if (planned?.data === undefined) {
    const model = priceModelOf(planned?.simulate)
    return (number) => demoFeeds(`${seed}/${number}`, [model], { days })[0] as BarFeed
  }
  const { from, to } = periodOf(plan)
  const feed = feedWithin(market.feed, from, to)
  if (feed.kind !== 'bars' || feed.intervalMs === null)
    throw new PlanError('an evaluation resamples bars; the data must be bars of a known interval')
  const { intervalMs } = feed
  const chunks: BarColumns[] = []
  for await (const chunk of feed) chunks.push(chunk)
  const sample = joinBars(chunks)
  const tickSize = tickSizeOf(sample)
  const startPrice = sample.close[sample.length - 1] ?? 0n
  return (number) =>
    bootstrapFeed({
      sample,
      meanBlock,
      seed: `${seed}/${number}`,
      startTime: START,
      intervalMs,
      length: Math.floor((days * DAY_MS) / intervalMs),
      startPrice,
      tickSize,
      chunkRows: CHUNK_ROWS,
    })
}

/** The largest step that all prices of a sample are multiples of. */
function tickSizeOf({ open, high, low, close }: BarColumns): bigint {
  let step = 0n
  for (const column of [open, high, low, close])
    for (const price of column) step = greatestDivisor(step, price)
  return step
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}
