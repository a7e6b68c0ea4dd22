/** Many runs of one plan that differ in the parameters of the strategy. */
import { plannedObjective } from '../objective/loadObjective.ts'
import { fingerprintOf, textHash } from '../plan/fingerprint.ts'
import type { RunPlan } from '../plan/plan.ts'
import { type Constraint, parametersKeep } from '../strategies/constraint.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import { runTasks } from '../workers/runTasks.ts'
import { type WorkOptions, workOf } from '../workers/taskPool.ts'
import { declaredKeeper } from './declaredSets.ts'
import { combinations, type ParameterGrid } from './grid.ts'
import { ResultFile } from './resultFile.ts'
import type { SweepPaths, VariantTask } from './variant.ts'
import type { SweepRow, VariantFigures } from './variantFigures.ts'

/** What {@link runSweep} runs. */
export interface SweepOptions extends WorkOptions {
  readonly plan: RunPlan
  readonly vary: ParameterGrid
  /** So many combinations by chance instead of all. */
  readonly sample?: { readonly count: number; readonly seed: string }
  /** Sets that break one of them are not run, nor those that the strategy itself does not take; the sample is drawn before. */
  readonly constraints?: readonly Constraint[]
  /** Each set is played on these paths too, for its probability of passing. One market. */
  readonly paths?: SweepPaths
  /** A file of JSON lines: runs it holds are not done again, and new ones are added. */
  readonly resultFile?: string
  /** Told as runs end: how many of all have. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** What {@link runSweep} found. */
export interface SweepResult {
  /** In the order of the grid. */
  readonly rows: readonly SweepRow[]
  /** Rows that came from the result file. */
  readonly reused: number
  /** Sets that were run again, because what the result file has of them is of other data, rules, paths, files of the strategy or version. */
  readonly outdated: number
}

/**
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { rows } = await runSweep({ plan, vary: { fast: [20, 60], slow: [240, 480] }, workers: 1 })
 * rows.length // → 4
 * ```
 *
 * @throws RangeError for a parameter or value that the strategy does not take; what {@link preparePlan} and {@link runBacktest} throw;
 *   ResultFileError for a result file that is none; ObjectiveError for an objective that cannot be had or fails;
 * NoRegularFile for a pipe, a socket or a device in the place of a file of the plan.
 */
export async function runSweep(options: SweepOptions): Promise<SweepResult> {
  const { plan, vary, resultFile, paths, constraints = [] } = options
  const isTaken = await declaredKeeper(plan)
  await plannedObjective(plan)
  const sets = combinations(vary, options.sample).filter(
    (set) => isTaken(set) && parametersKeep(set, constraints),
  )
  const fingerprint = await fingerprintOf(plan)
  const keys = sets.map((parameters) => textHash([fingerprint, parameters, paths]))
  const file = resultFile === undefined ? null : new ResultFile(resultFile)
  const missing = [...sets.keys()].filter((index) => file?.find(keys[index] as string) === undefined)
  const reused = sets.length - missing.length
  const kept = file?.sets()
  const outdated = missing.filter((index) => kept?.has(JSON.stringify(sets[index]))).length
  options.onProgress?.({ done: reused, total: sets.length })
  const fresh = new Map<number, VariantFigures>()
  await runTasks<VariantTask, VariantFigures>({
    setup: { kind: 'sweep', plan, ...(paths === undefined ? {} : { paths }) },
    tasks: missing.map((index) => ({ parameters: sets[index] as StrategyParameters })),
    ...workOf(options),
    onResult: (figures, task) => {
      const index = missing[task] as number
      fresh.set(index, figures)
      file?.append({ key: keys[index] as string, parameters: sets[index] as StrategyParameters, figures })
      options.onProgress?.({ done: reused + fresh.size, total: sets.length })
    },
  })
  const rows = sets.map((parameters, index) => ({
    parameters,
    figures: fresh.get(index) ?? (file?.find(keys[index] as string)?.figures as VariantFigures),
  }))
  return { rows, reused, outdated }
}
