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
import { latinHypercube, randomPoints } from './designs.ts'
import { proposedPoint } from './parzen.ts'
import { sobolPoints } from './sobol.ts'
import { type Dimension, parametersAt } from './space.ts'
import { Study } from './study.ts'

/**
 * How sets are chosen: `random`, `latin-hypercube` and `sobol` before any has run; `tpe` (tree-structured Parzen estimator)
 * from what has run; `halving` runs all over a ninth of the data, the best third over a third, and the best third of these over
 * all of it (successive halving: K. Jamieson, A. Talwalkar, AISTATS 2016).
 */
export type SearchMethod = (typeof SEARCH_METHODS)[number]

/** The methods by name. */
export const SEARCH_METHODS = ['sobol', 'tpe', 'halving', 'latin-hypercube', 'random'] as const

/** What {@link runSearch} searches. */
export interface SearchOptions extends WorkOptions {
  readonly plan: RunPlan
  readonly space: readonly Dimension[]
  readonly method: SearchMethod
  /** How many sets; fewer where the space has no more. */
  readonly sets: number
  /** What is best; `tpe` and `halving` go by it. */
  readonly by: Ranking
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

interface Point {
  readonly at: readonly number[]
  readonly parameters: StrategyParameters
}

/** Sets that are asked for together, however many workers there are. */
const BATCH = 8
/** Sets that `tpe` begins with. */
const BEGINNING = 2 * BATCH
/** Draws in vain after which a space has no more sets. */
const DRAWS = 2_000
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
 * whose results are none; RangeError for too many dimensions; ObjectiveError for an objective that cannot be had or fails;
 * NoRegularFile for a pipe, a socket or a device in the place of a file of the plan.
 */
export async function runSearch(options: SearchOptions): Promise<SearchResult> {
  const { plan, space, method, sets, by, constraints = [], seed = 'search' } = options
  const isTaken = await declaredKeeper(plan)
  await plannedObjective(plan, [by])
  if (new Points(options, isTaken).next(1).length === 0)
    throw new RangeError('no set of the space keeps every condition')
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
      method === 'tpe'
        ? await adaptive(study, points, sets, by, seed)
        : method === 'halving'
          ? await halving(study, points.next(sets), plan, by)
          : await study.run(points.next(sets))
    return { rows, runs: done, reused: study.reused }
  } finally {
    await study.close()
  }
}

/** Batch after batch; a point is proposed from the batches before. */
async function adaptive(
  study: Study,
  points: Points,
  sets: number,
  by: Ranking,
  seed: string,
): Promise<SweepRow[]> {
  const begun = points.next(Math.min(sets, BEGINNING))
  let seen = begun.map(({ at }) => at)
  const rows = await study.run(begun.map(({ parameters }) => ({ parameters })))
  while (rows.length < sets) {
    const order = [...rows.keys()].sort((a, b) => compareRows(rows[a] as SweepRow, rows[b] as SweepRow, by))
    const best = order.map((index) => seen[index] as readonly number[])
    const batch: Point[] = []
    while (batch.length < Math.min(BATCH, sets - rows.length)) {
      const drawn = points.fresh((draw) =>
        proposedPoint(best, `${seed}/${rows.length + batch.length}/${draw}`),
      )
      if (drawn === null) break
      batch.push(drawn)
    }
    if (batch.length === 0) break
    rows.push(...(await study.run(batch.map(({ parameters }) => ({ parameters })))))
    seen = [...seen, ...batch.map(({ at }) => at)]
  }
  return rows
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

/** Points whose parameters are new, keep the constraints and are taken by the strategy. */
class Points {
  readonly #options: SearchOptions
  readonly #isTaken: (set: StrategyParameters) => boolean
  readonly #source: Iterator<readonly number[]>
  readonly #known = new Set<string>()

  constructor(options: SearchOptions, isTaken: (set: StrategyParameters) => boolean) {
    this.#options = options
    this.#isTaken = isTaken
    this.#source = sourceOf(options)
  }

  /** The next points of the design; fewer where it, or the space, has no more. */
  next(count: number): Point[] {
    const points: Point[] = []
    while (points.length < count) {
      const point = this.fresh(() => this.#source.next().value)
      if (point === null) break
      points.push(point)
    }
    return points
  }

  /** The first of so many draws that is new; null where none is. */
  fresh(draw: (number: number) => readonly number[] | undefined): Point | null {
    const { space, constraints = [] } = this.#options
    for (let number = 0; number < DRAWS; number++) {
      const at = draw(number)
      if (at === undefined) return null
      const parameters = parametersAt(space, at)
      const text = JSON.stringify(parameters)
      if (this.#known.has(text) || !parametersKeep(parameters, constraints)) continue
      if (!this.#isTaken(parameters)) continue
      this.#known.add(text)
      return { at, parameters }
    }
    return null
  }
}

function sourceOf({ method, space, sets, seed = 'search' }: SearchOptions): Iterator<readonly number[]> {
  if (method === 'random') return randomPoints(space.length, seed)
  if (method === 'latin-hypercube') return latinHypercube(space.length, sets, seed).values()
  return sobolPoints(space.length, seed)
}
