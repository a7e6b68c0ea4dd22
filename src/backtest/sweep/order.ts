/** The rows of a sweep from best to worst, with what is told of each beside its figures. */
import type { Constraint } from '../strategies/constraint.ts'
import { rowKeeps } from './constraint.ts'
import { paretoFronts } from './pareto.ts'
import { plateaus } from './plateau.ts'
import { directionOf, type Ranking, ranked } from './ranking.ts'
import type { SweepRow } from './variantFigures.ts'

/** What is best. */
export interface OrderOptions {
  /** One objective or several; of several, sets are told by their fronts, and within one by the first objective. */
  readonly by: readonly [Ranking, ...Ranking[]]
  /** Rank by the mean over a set and its neighbours instead of by the set alone; takes one objective. Default false. */
  readonly plateau?: boolean
  /** Sets that break one of them are left out. */
  readonly constraints?: readonly Constraint[]
}

/** A set with its place among the others. */
export interface OrderedRow extends SweepRow {
  /** See `plateaus`; over all sets, those that break a constraint included. */
  readonly plateau: number | null
  /** See `paretoFronts`; null with one objective. */
  readonly front: number | null
}

/**
 * Best first.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { rows } = await runSweep({ plan, vary: { fast: [20, 60], slow: [240, 480] }, workers: 1 })
 * orderedRows(rows, { by: ['totalReturn'] }).length // → 4
 * ```
 *
 * @throws RangeError for a condition on what is neither a figure nor a parameter.
 */
export function orderedRows(rows: readonly SweepRow[], options: OrderOptions): OrderedRow[] {
  const { by, plateau = false, constraints = [] } = options
  const [first] = by
  const means = plateaus(rows, first)
  const kept = rows
    .map((row, index) => ({ ...row, plateau: means[index] ?? null, front: null as number | null }))
    .filter((row) => rowKeeps(row, constraints))
  if (by.length > 1) {
    const fronts = paretoFronts(kept, by)
    const told = kept.map((row, index) => ({ ...row, front: fronts[index] as number }))
    return ranked(told, first).sort((a, b) => a.front - b.front)
  }
  const best = ranked(kept, first)
  const sign = directionOf(first)
  const scoreOf = (row: OrderedRow) => (row.plateau === null ? -Number.MAX_VALUE : sign * row.plateau)
  return plateau ? best.sort((a, b) => scoreOf(b) - scoreOf(a)) : best
}
