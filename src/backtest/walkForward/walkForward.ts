/**
 * A walk forward: parameters are chosen on one part of the time and tried on what follows, again and again. What is earned in
 * the tests was chosen by nothing that was known only later. Every run is an account of its own, with a fresh balance.
 */
import { plannedObjective } from '../objective/loadObjective.ts'
import { dataDaysOf, leastRowsIn } from '../plan/dataPeriod.ts'
import type { RunPlan } from '../plan/plan.ts'
import { Study } from '../search/study.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import { LEAST_RETURNS } from '../statistics/statistics.ts'
import { type Constraint, parametersKeep } from '../strategies/constraint.ts'
import { dividedConstraints } from '../sweep/constraint.ts'
import { declaredKeeper } from '../sweep/declaredSets.ts'
import { combinations, type ParameterGrid } from '../sweep/grid.ts'
import { orderedRows } from '../sweep/order.ts'
import { figureOf, type Ranking } from '../sweep/ranking.ts'
import type { SweepRow } from '../sweep/variantFigures.ts'
import { type WorkOptions, workOf } from '../workers/taskPool.ts'
import { type Fold, type FoldOptions, foldsOf } from './folds.ts'
import { type ParameterStability, stabilityOf } from './stability.ts'
import {
  type OutOfSample,
  outOfSampleOf,
  type StitchedDay,
  stitchedDays,
  type WalkedFold,
} from './stitched.ts'

/** What {@link walkForward} walks over. */
export interface WalkForwardOptions extends FoldOptions, WorkOptions {
  readonly plan: RunPlan
  readonly vary: ParameterGrid
  /** So many combinations by chance instead of all, the same in every fold. */
  readonly sample?: { readonly count: number; readonly seed: string }
  /** What is best in a training. */
  readonly by: Ranking
  /** Choose by the mean over a set and its neighbours. Default false. */
  readonly plateau?: boolean
  /** Sets that break one of them in a training are not chosen; where all do, the fold trades nothing. */
  readonly constraints?: readonly Constraint[]
  /** A fold whose training or test has not so many bars, of any market, is not traded. Default 0. */
  readonly leastBars?: number
  /** Sets with fewer trades in a training are not chosen, and tests with fewer are counted as thin. Default 0. */
  readonly leastTrades?: number
  /** A folder to keep the runs in, and to go on from. */
  readonly study?: string
  /** Told as runs end: how many of all have. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** What {@link walkForward} found. */
export interface WalkForward {
  readonly folds: readonly WalkedFold[]
  /** Sets tried in each training. */
  readonly sets: number
  readonly outOfSample: OutOfSample
  readonly stability: readonly ParameterStability[]
  readonly days: readonly StitchedDay[]
  /** Folds that were not traded, for want of bars or of a set that kept every condition. */
  readonly untraded: number
  /** Tests with fewer trades than were asked for: what they tell is little. They count like the others. */
  readonly thin: number
  /** Runs that came from the folder. */
  readonly reused: number
}

/**
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 8 }] }
 * const walked = await walkForward({ plan, vary: { fast: [5, 10] }, by: 'totalReturn', folds: 2, workers: 1 })
 * walked.folds.length // → 2
 * ```
 *
 * @throws RangeError for data that is too short, and conditions on nothing known; StudyError for a folder of another study,
 * ResultFileError for one whose results are none; ObjectiveError for an objective that cannot be had or fails; what {@link preparePlan} and {@link runBacktest} throw;
 * NoRegularFile for a pipe, a socket or a device in the place of a file of the plan.
 */
export async function walkForward(options: WalkForwardOptions): Promise<WalkForward> {
  const { plan, vary, by, plateau = false, constraints = [], leastBars = 0, leastTrades = 0 } = options
  const { ofParameters, ofFigures } = dividedConstraints(constraints, Object.keys(vary))
  const isTaken = await declaredKeeper(plan)
  await plannedObjective(plan, [by])
  const sets = combinations(vary, options.sample).filter(
    (set) => isTaken(set) && parametersKeep(set, ofParameters),
  )
  if (sets.length === 0) throw new RangeError('no set of parameters keeps every condition')
  const { folds, testDays, trainTests, trainDays, isAnchored, embargoDays } = options
  const period = await dataDaysOf(plan)
  const parts = foldsOf(period, options).map((part) => ({
    ...part,
    bars: { train: leastRowsIn(period, part.train), test: leastRowsIn(period, part.test) },
  }))
  mustBeTold(by, parts)
  const isFull = ({ bars }: (typeof parts)[number]) => Math.min(bars.train, bars.test) >= leastBars
  const full = parts.filter(isFull)
  const total = full.length * (sets.length + 1)
  let done = 0
  const study = await Study.open({
    plan,
    definition: {
      ...{ method: 'walk-forward', folds, testDays, trainTests, trainDays, isAnchored, embargoDays },
      ...{ vary, by, plateau, leastBars: options.leastBars, leastTrades: options.leastTrades },
      ...{ sample: options.sample, constraints: constraints.map(({ text }) => text) },
    },
    ...(options.study === undefined ? {} : { folder: options.study }),
    ...workOf(options),
    onRun: () => {
      done += 1
      options.onProgress?.({ done, total })
    },
  })
  try {
    const trained = await study.run(
      full.flatMap(({ train }) => sets.map((parameters) => ({ parameters, ...train }))),
    )
    const best = parts.map((part) => {
      if (!isFull(part)) return null
      const fold = full.indexOf(part)
      const rows = trained.slice(fold * sets.length, (fold + 1) * sets.length)
      const ordered = orderedRows(rows, { by: [by], plateau, constraints: ofFigures })
      const hasTold = (row: SweepRow) => by === 'evaluation' || figureOf(row, by) !== null
      return ordered.find((row) => hasTold(row) && row.figures.trades >= leastTrades) ?? null
    })
    const tests = parts.flatMap(({ test }, fold) => {
      const parameters = best[fold]?.parameters
      return parameters === undefined ? [] : [{ parameters, ...test }]
    })
    const tested = (await study.run(tests)).values()
    const walked = parts.map((part, fold) => ({
      ...part,
      chosen: best[fold]?.parameters ?? null,
      inSample: best[fold]?.figures ?? null,
      outOfSample: best[fold] === null ? null : (tested.next().value?.figures ?? null),
    }))
    const days = stitchedDays(walked)
    return {
      folds: walked,
      sets: sets.length,
      outOfSample: outOfSampleOf(walked, days),
      stability: stabilityOf(
        walked.map(({ chosen }) => chosen).filter((chosen) => chosen !== null),
        vary,
      ),
      days,
      untraded: best.filter((row) => row === null).length,
      thin: walked.filter(({ outOfSample }) => (outOfSample?.trades ?? leastTrades) < leastTrades).length,
      reused: study.reused,
    }
  } finally {
    await study.close()
  }
}

/** Figures of daily returns have no meaning in a short training: nothing could be chosen by them. */
function mustBeTold(by: Ranking, parts: readonly Fold[]): void {
  const days = Math.min(...parts.map(({ train }) => (train.to - train.from) / DAY_MS))
  if (['sharpeRatio', 'sortinoRatio', 'calmarRatio'].includes(by) && days < LEAST_RETURNS)
    throw new RangeError(`${by} needs trainings of ${LEAST_RETURNS} days; these have ${days}`)
}
