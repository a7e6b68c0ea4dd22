/**
 * Would it have passed? A strategy over many possible paths of the market: how often it passes the evaluation, why it
 * fails, how long it takes, what it is paid, and how sure that is.
 */

import { type AttemptOdds, type AttemptTerms, attemptsUnder } from '../odds/attempts.ts'
import { preparePlan } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import { PlanError } from '../plan/readPlan.ts'
import { type BarSample, blockLengthOf } from '../simulated/barSample.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import { runTasks } from '../workers/runTasks.ts'
import { type WorkOptions, workOf } from '../workers/taskPool.ts'
import type { PathOutcome } from './life.ts'
import { type Odds, oddsOf } from './odds.ts'
import { type BlockKind, pathSample } from './pathMarkets.ts'
import type { PathTask } from './paths.ts'
import type { RuleSet } from './rules.ts'

/** How many paths there are, and how they are drawn. */
export interface PathOptions extends WorkOptions {
  /** The bars of its markets are resampled, those of several together; without data the markets are simulated. */
  readonly plan: RunPlan
  /** Default 2,000. */
  readonly paths?: number
  /** Length of a path; what has not been decided by then is undecided. Default 30. */
  readonly days?: number
  /** Mean length of a block of resampled bars (stationary bootstrap), in bars; `auto` finds it from the data. Default 240. */
  readonly meanBlock?: number | 'auto'
  /** Whether any block may follow any, or each begins in the regime (calm, ordinary, wild) that the one before it ended in. Default `any`. */
  readonly blocks?: BlockKind
  /** Every path has random numbers of its own from it. Default `evaluate`. */
  readonly seed?: string
  /** Told as paths end: how many of all have. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** What {@link evaluate} plays, and how often. */
export interface EvaluationOptions extends PathOptions {
  /** Phases, payout and fee. Default: the plan's account, in one phase. */
  readonly rules?: RuleSet
}

/** How the paths were drawn. */
export interface DrawnPaths {
  /** How many were played. */
  readonly paths: number
  /** Length of each, days. */
  readonly days: number
  /** Mean length of the blocks that were drawn, bars. */
  readonly meanBlock: number
  readonly blocks: BlockKind
  readonly seed: string
  readonly notes: readonly string[]
}

/** How often an evaluation is passed on many resampled or simulated paths, and what else is told of them. */
export interface Evaluation extends DrawnPaths, Odds {}

/** What is played on the paths: each case on all of them. */
export type PathCase = Omit<PathTask, 'numbers'>

const PATHS = 2_000
const DAYS = 30
const MEAN_BLOCK = 240
/** Paths per message to a worker: few enough that the cores end together. */
const STRETCH = 8

/**
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const evaluation = await evaluate({ plan, paths: 4, days: 2, seed: 'mine', workers: 1 })
 * evaluation.undecided.count // → 1
 * ```
 *
 * @throws PlanError for a plan that cannot be evaluated; what {@link preparePlan} and {@link runBacktest} throw;
 * NoRegularFile for a pipe, a socket or a device in the place of a file of the plan.
 */
export async function evaluate(options: EvaluationOptions): Promise<Evaluation> {
  const { rules } = options
  const { drawn, outcomes } = await playPaths(options, [rules === undefined ? {} : { rules }])
  return { ...drawn, ...oddsOf(outcomes[0] as PathOutcome[], rules ?? NO_RULES) }
}

/** The odds of one set of parameters under one set of rules. */
export interface CaseOdds extends Odds {
  readonly rules: string
  /** What is varied. */
  readonly parameters: StrategyParameters
  /** Null without a fee. */
  readonly attempts: AttemptOdds | null
}

/** What {@link strategyOdds} plays. */
export interface StrategyOddsOptions extends PathOptions {
  /** Compared side by side. Default: the plan's account, in one phase. */
  readonly rules?: readonly RuleSet[]
  /** Parameters to compare, such as leverages or risks per trade. Default: the plan's. */
  readonly sets?: readonly StrategyParameters[]
  /** Several attempts, where the rules or these terms have a fee. */
  readonly terms?: AttemptTerms
}

/** What {@link strategyOdds} found. */
export interface StrategyOdds extends DrawnPaths {
  /** By rules, then by parameters; all on the same paths. */
  readonly odds: readonly CaseOdds[]
}

const NO_RULES: RuleSet = { name: 'rules', account: {} }

/**
 * How the odds change with what is varied: risk per trade, leverage, rules.
 *
 * ```ts
 * const plan = { strategy: 'breakout', markets: [{ asset: 'BTC', days: 1 }] }
 * const sets = [{ risk: '0.5%' }, { risk: '2%' }]
 * const { odds } = await strategyOdds({ plan, sets, paths: 4, days: 2, workers: 1 })
 * odds.map(({ parameters }) => parameters.risk).join() // → 0.5%,2%
 * ```
 *
 * @throws PlanError for a plan that cannot be evaluated; what {@link preparePlan} and {@link runBacktest} throw;
 * NoRegularFile for a pipe, a socket or a device in the place of a file of the plan.
 */
export async function strategyOdds(options: StrategyOddsOptions): Promise<StrategyOdds> {
  const { rules = [NO_RULES], sets = [{}], terms } = options
  const cases = rules.flatMap((own) => sets.map((parameters) => ({ rules: own, parameters })))
  const { drawn, outcomes } = await playPaths(options, cases)
  const odds = cases.map(({ rules: own, parameters }, index) => {
    const found = oddsOf(outcomes[index] as PathOutcome[], own)
    return { rules: own.name, parameters, ...found, attempts: attemptsUnder(found, own, terms) }
  })
  return { ...drawn, odds }
}

/** The outcomes of each case on every path, in the order of the paths. */
export async function playPaths(
  options: PathOptions,
  cases: readonly PathCase[],
): Promise<{ readonly drawn: DrawnPaths; readonly outcomes: readonly PathOutcome[][] }> {
  const { plan, paths = PATHS, days = DAYS, blocks = 'any', seed = 'evaluate' } = options
  if (plan.warmUpMs !== undefined)
    throw new PlanError('an evaluation draws paths that have no past: it takes no warm-up')
  if (!(Number.isSafeInteger(paths) && paths > 0))
    throw new PlanError('the number of paths must be above zero')
  const sample = await lookedAt(options)
  const meanBlock = blockOf(options, sample)
  const stretches: number[][] = []
  for (let first = 0; first < paths; first += STRETCH)
    stretches.push(Array.from({ length: Math.min(STRETCH, paths - first) }, (_, index) => first + index))
  let done = 0
  const played = await runTasks<PathTask, PathOutcome[]>({
    setup: { kind: 'evaluate', evaluation: { plan, days, meanBlock, blocks, seed } },
    tasks: cases.flatMap((own) => stretches.map((numbers) => ({ ...own, numbers }))),
    ...workOf(options),
    onResult: (stretch) => {
      done += stretch.length
      options.onProgress?.({ done, total: paths * cases.length })
    },
  })
  const outcomes = cases.map((_, index) =>
    played.slice(index * stretches.length, (index + 1) * stretches.length).flat(),
  )
  return { drawn: { paths, days, meanBlock, blocks, seed, notes: notesOf(plan, sample) }, outcomes }
}

/** The bars that paths are drawn from, where something is to be told of them here; whoever plays the paths reads them for itself. */
async function lookedAt({ plan, meanBlock }: PathOptions): Promise<BarSample | null> {
  const prepared = await preparePlan(plan)
  return meanBlock === 'auto' || plan.markets.length > 1 ? pathSample(plan, prepared) : null
}

function blockOf(
  { plan, meanBlock = MEAN_BLOCK, blocks = 'any' }: PathOptions,
  sample: BarSample | null,
): number {
  const isSimulated = plan.markets.every(({ data }) => data === undefined)
  if (isSimulated && (blocks !== 'any' || meanBlock === 'auto'))
    throw new PlanError('simulated markets are not drawn in blocks: give data')
  if (meanBlock !== 'auto') return meanBlock
  return sample === null ? MEAN_BLOCK : blockLengthOf(sample)
}

function notesOf({ markets }: RunPlan, sample: BarSample | null): string[] {
  const notes = ['intervals are 95%: Wilson for shares, order statistics for quantiles']
  if (sample !== null && markets.length > 1)
    notes.push(
      `the markets are drawn together, from the ${sample.markets[0]?.length} bars that all of them have (${sample.unmatched} left out)`,
    )
  for (const { asset, data, funding } of markets) {
    if (data === undefined) notes.push(`${asset}: simulated prices (no data given)`)
    if (funding !== undefined)
      notes.push(
        data === undefined
          ? `${asset}: simulated prices have no dates, so the funding file is not used but the constant rate`
          : `${asset}: blocks take their funding along; each instant of a path has the rate that was next where the bar before it comes from`,
      )
  }
  return notes
}
