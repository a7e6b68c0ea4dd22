/** A search for good parameters: which sets are run, and in which order, by the method that is asked for. */
import { plannedObjective } from '../objective/loadObjective.ts'
import { dataPeriodOf } from '../plan/dataPeriod.ts'
import type { RunPlan } from '../plan/plan.ts'
import { type Constraint, parametersKeep } from '../strategies/constraint.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import { declaredKeeper } from '../sweep/declaredSets.ts'
import { compareRows, type Ranking } from '../sweep/ranking.ts'
import type { SweepRow } from '../sweep/variantFigures.ts'
import { type WorkOptions, workOf } from '../workers/taskPool.ts'
import { adaptive } from './adaptive.ts'
import { Bayesian } from './bayesian.ts'
import { CmaEs } from './cmaEs.ts'
import { NsgaII } from './nsgaII.ts'
import { NsgaIII } from './nsgaIII.ts'
import { Parzen } from './parzen.ts'
import { type Point, Points } from './points.ts'
import type { Sampler } from './sampler.ts'
import type { SearchMethod } from './searchMethod.ts'
import { type Dimension, hasOrder, middleAt, parametersAt } from './space.ts'
import { Study } from './study.ts'

type Objectives = readonly [Ranking, ...Ranking[]]

/** What {@link runSearch} searches. */
export interface SearchOptions extends WorkOptions {
  readonly plan: RunPlan
  readonly space: readonly Dimension[]
  readonly method: SearchMethod
  /** How many sets; fewer where the space has no more. */
  readonly sets: number
  /** What is best; `nsga-ii` and `nsga-iii` go by several figures at once, `tpe`, `gp`, `cma-es` and `halving` by the first. */
  readonly by: Ranking | Objectives
  /** Sets that break one of them are not run, nor those that the strategy itself does not take. */
  readonly constraints?: readonly Constraint[]
  /** Default `search`. */
  readonly seed?: string
  /** A folder to keep the runs in, and to go on from. */
  readonly study?: string
  /** Told as runs end: how many of all have. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** What {@link runSearch} found. */
export interface SearchResult {
  /** The sets that ran over all of the data, in the order in which they were asked for. */
  readonly rows: readonly SweepRow[]
  /** All runs, those over a part of the data included. */
  readonly runs: number
  /** Runs that came from the folder. */
  readonly reused: number
}

/** What is kept of each rung of `halving`, and the part of the data it runs over. */
const KEPT = 3
const RUNGS = [1 / 9, 1 / 3, 1]

/**
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const space = [parseDimension('fast', '5:60'), parseDimension('slow', '120:480')]
 * const found = await runSearch({ plan, space, method: 'sobol', sets: 4, by: 'totalReturn', workers: 1 })
 * found.rows.length // → 4
 * ```
 *
 * @throws what {@link preparePlan} and {@link runBacktest} throw; StudyError for a folder of another study, ResultFileError for one
 * whose results are none; RangeError for too many dimensions, and for values without an order where the method needs one; ObjectiveError for an objective that cannot be had or fails;
 * NoRegularFile for a pipe, a socket or a device in the place of a file of the plan.
 */
export async function runSearch(options: SearchOptions): Promise<SearchResult> {
  const { plan, space, method, sets, by, constraints = [], seed = 'search' } = options
  const objectives: Objectives = typeof by === 'string' ? [by] : by
  const [first] = objectives
  mustHaveOrder(method, space)
  const isTaken = await declaredKeeper(plan)
  await plannedObjective(plan, objectives)
  if (new Points(options, isTaken).next(1).length === 0)
    throw new RangeError('no set of the space keeps every condition')
  const sampler = samplerOf(options, objectives.length, isTaken)
  let done = 0
  const total = method === 'halving' ? RUNGS.reduce((sum, _, rung) => sum + rungSize(sets, rung), 0) : sets
  const study = await Study.open({
    plan,
    definition: { method, space, by, seed, constraints: constraints.map(({ text }) => text) },
    ...(options.study === undefined ? {} : { folder: options.study }),
    ...workOf(options),
    onRun: () => {
      done += 1
      options.onProgress?.({ done, total: Math.max(done, total) })
    },
  })
  try {
    const points = new Points(options, isTaken)
    const rows =
      sampler !== null
        ? await adaptive(study, points, sampler, { sets, by: objectives, seed })
        : method === 'halving'
          ? await halving(study, points.next(sets), plan, first)
          : await study.run(points.next(sets))
    return { rows, runs: done, reused: study.reused }
  } finally {
    await study.close()
  }
}

/** @throws RangeError for values without an order where the method needs one. */
function mustHaveOrder(method: SearchMethod, space: readonly Dimension[]): void {
  if (method !== 'cma-es') return
  const without = space.find((dimension) => !hasOrder(dimension))
  if (without === undefined) return
  throw new RangeError(`cma-es needs numbers in order, and ${without.name} is a choice of others; take tpe`)
}

/** Null for a method that learns nothing. */
function samplerOf(
  { method, space, constraints = [] }: SearchOptions,
  objectives: number,
  isTaken: (set: StrategyParameters) => boolean,
): Sampler | null {
  const choices = space.map((dimension) => !hasOrder(dimension))
  if (method === 'tpe') return new Parzen()
  if (method === 'cma-es') return new CmaEs(space.length)
  if (method === 'nsga-ii') return new NsgaII(choices)
  if (method === 'nsga-iii') return new NsgaIII(choices, objectives)
  if (method !== 'gp') return null
  return new Bayesian({
    choices,
    middle: (at) => space.map((dimension, axis) => middleAt(dimension, at[axis] as number)),
    isAllowed: (at) => {
      const parameters = parametersAt(space, at)
      return parametersKeep(parameters, constraints) && isTaken(parameters)
    },
  })
}

async function halving(
  study: Study,
  points: readonly Point[],
  plan: RunPlan,
  by: Ranking,
): Promise<SweepRow[]> {
  const { from, to } = await dataPeriodOf(plan)
  let sets = points.map(({ parameters }) => parameters)
  let rows: SweepRow[] = []
  for (const [rung, part] of RUNGS.entries()) {
    const period = part === 1 ? {} : { to: Math.ceil(from + part * (to - from)) }
    sets = sets.slice(0, rungSize(points.length, rung))
    rows = await study.run(sets.map((parameters) => ({ parameters, ...period })))
    sets = [...rows].sort((a, b) => compareRows(a, b, by)).map(({ parameters }) => parameters)
  }
  return rows
}

function rungSize(sets: number, rung: number): number {
  return Math.ceil(sets / KEPT ** rung)
}
