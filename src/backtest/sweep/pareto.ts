/** Several objectives at once: which sets no other is at least as good as in all of them, and better in one. */
import { frontsOf } from './fronts.ts'
import { compareRows, costsOf, type Ranking } from './ranking.ts'
import type { SweepRow } from './variantFigures.ts'

/**
 * The front each set belongs to, by non-dominated sorting (N. Srinivas, K. Deb, Evolutionary Computation 2 (3), 1994): 1 for
 * the Pareto front, 2 for what is the front once the first is taken away, and so on.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { rows } = await runSweep({ plan, vary: { fast: [20, 60], slow: [240, 480] }, workers: 1 })
 * Math.min(...paretoFronts(rows, ['totalReturn', 'maxDrawdown'])) // → 1
 * ```
 *
 * @returns in the order of the rows.
 */
export function paretoFronts(rows: readonly SweepRow[], objectives: readonly Ranking[]): number[] {
  return frontsOf(costsOf(rows, objectives))
}

/**
 * Whether `a` is at least as good as `b` in every objective, and better in one.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { rows } = await runSweep({ plan, vary: { fast: [20, 60], slow: [240, 480] }, workers: 1 })
 * dominates(rows[0], rows[0], ['totalReturn', 'maxDrawdown']) // → false
 * ```
 */
export function dominates(a: SweepRow, b: SweepRow, objectives: readonly Ranking[]): boolean {
  const apart = objectives.map((by) => compareRows(a, b, by))
  return apart.every((difference) => difference <= 0) && apart.some((difference) => difference < 0)
}
