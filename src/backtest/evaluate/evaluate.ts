/**
 * Would it have passed? A strategy over many possible paths of the market: how often it passes the evaluation, why it
 * fails, how long it takes, and how sure that is.
 */
import { preparePlan } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import { PlanError } from '../plan/readPlan.ts'
import { runTasks } from '../workers/runTasks.ts'
import { type WorkOptions, workOf } from '../workers/taskPool.ts'
import type { PathOutcome } from './paths.ts'
import { type Proportion, proportion, type Quantile, quantile } from './proportion.ts'

/** What {@link evaluate} plays, and how often. */
export interface EvaluationOptions extends WorkOptions {
  /** One market. Its bars are resampled; without data the market is simulated. */
  readonly plan: RunPlan
  /** Default 2,000. */
  readonly paths?: number
  /** Length of a path; what has not been decided by then is undecided. Default 30. */
  readonly days?: number
  /** Mean length of a block of resampled bars (stationary bootstrap), in bars. Default 240. */
  readonly meanBlock?: number
  /** Every path has random numbers of its own from it. Default `evaluate`. */
  readonly seed?: string
  /** Told as paths end: how many of all have. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** How often an evaluation is passed on many resampled or simulated paths. Shares are between 0 and 1. */
export interface Evaluation {
  /** How many were played. */
  readonly paths: number
  /** Length of each, days. */
  readonly days: number
  /** Mean length of the blocks that were drawn, bars. */
  readonly meanBlock: number
  readonly seed: string
  readonly passed: Proportion
  readonly failed: Proportion
  readonly undecided: Proportion
  /** Of all paths. */
  readonly failedBy: { readonly totalLoss: Proportion; readonly dailyLoss: Proportion }
  /** Days to the verdict, of the paths that passed and of those that failed. */
  readonly daysToPass: readonly Quantile[]
  readonly daysToFail: readonly Quantile[]
  /** Return at the verdict or at the end, as a fraction. */
  readonly totalReturn: readonly Quantile[]
  readonly notes: readonly string[]
}

const PATHS = 2_000
const DAYS = 30
const MEAN_BLOCK = 240
/** Paths per message to a worker: few enough that the cores end together. */
const STRETCH = 8
const PROBABILITIES = [0.1, 0.25, 0.5, 0.75, 0.9]

/**
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const evaluation = await evaluate({ plan, paths: 4, days: 2, seed: 'mine', workers: 1 })
 * evaluation.undecided.count // → 1
 * ```
 *
 * @throws PlanError for a plan that cannot be evaluated, and whatever a run throws.
 */
export async function evaluate(options: EvaluationOptions): Promise<Evaluation> {
  const { plan, paths = PATHS, days = DAYS, meanBlock = MEAN_BLOCK, seed = 'evaluate' } = options
  if (plan.markets.length !== 1) throw new PlanError('an evaluation takes one market')
  if (plan.warmUpMs !== undefined)
    throw new PlanError('an evaluation draws paths that have no past: it takes no warm-up')
  if (!(Number.isSafeInteger(paths) && paths > 0))
    throw new PlanError('the number of paths must be above zero')
  await preparePlan(plan)
  const stretches: number[][] = []
  for (let first = 0; first < paths; first += STRETCH)
    stretches.push(Array.from({ length: Math.min(STRETCH, paths - first) }, (_, index) => first + index))
  let done = 0
  const outcomes = await runTasks<number[], PathOutcome[]>({
    setup: { kind: 'evaluate', evaluation: { plan, days, meanBlock, seed } },
    tasks: stretches,
    ...workOf(options),
    onResult: (stretch) => {
      done += stretch.length
      options.onProgress?.({ done, total: paths })
    },
  })
  return { paths, days, meanBlock, seed, ...summaryOf(outcomes.flat()), notes: notesOf(plan) }
}

/** Counts the outcomes of all paths. */
export function summaryOf(
  outcomes: readonly PathOutcome[],
): Omit<Evaluation, 'paths' | 'days' | 'meanBlock' | 'seed' | 'notes'> {
  const shareOf = (belongs: (path: PathOutcome) => boolean) =>
    proportion(outcomes.filter(belongs).length, outcomes.length)
  const daysOf = (wanted: PathOutcome['outcome']) =>
    quantilesOf(outcomes.filter(({ outcome }) => outcome === wanted).map(({ days }) => days ?? 0))
  return {
    passed: shareOf(({ outcome }) => outcome === 'passed'),
    failed: shareOf(({ outcome }) => outcome === 'failed'),
    undecided: shareOf(({ outcome }) => outcome === 'undecided'),
    failedBy: {
      totalLoss: shareOf(({ rule }) => rule === 'total_loss'),
      dailyLoss: shareOf(({ rule }) => rule === 'daily_loss'),
    },
    daysToPass: daysOf('passed'),
    daysToFail: daysOf('failed'),
    totalReturn: quantilesOf(outcomes.map(({ totalReturn }) => totalReturn)),
  }
}

function quantilesOf(values: readonly number[]): Quantile[] {
  const sorted = [...values].sort((a, b) => a - b)
  return PROBABILITIES.flatMap((probability) => quantile(sorted, probability) ?? [])
}

function notesOf({ markets }: RunPlan): string[] {
  const notes = ['intervals are 95%: Wilson for shares, order statistics for quantiles']
  for (const { asset, data, funding } of markets) {
    if (data === undefined) notes.push(`${asset}: simulated prices (no data given)`)
    if (funding !== undefined)
      notes.push(
        `${asset}: resampled prices have no dates, so the funding file is not used but the constant rate`,
      )
  }
  return notes
}
