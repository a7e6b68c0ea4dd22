/** Several objectives at once: which sets no other is at least as good as in all of them, and better in one. */
import { compareRows, type Ranking } from './ranking.ts'
import type { SweepRow } from './variant.ts'

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
  const fronts = new Array<number>(rows.length).fill(0)
  // Who dominates comes earlier in this order, so only earlier ones have to be looked at.
  const order = [...rows.keys()].sort((a, b) =>
    firstApart(rows[a] as SweepRow, rows[b] as SweepRow, objectives),
  )
  const members: SweepRow[][] = []
  for (const index of order) {
    const row = rows[index] as SweepRow
    const open = members.findIndex((front) => !front.some((other) => dominates(other, row, objectives)))
    const front = open === -1 ? members.length : open
    if (open === -1) members.push([row])
    else members[front]?.push(row)
    fronts[index] = front + 1
  }
  return fronts
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

function firstApart(a: SweepRow, b: SweepRow, objectives: readonly Ranking[]): number {
  for (const by of objectives) {
    const apart = compareRows(a, b, by)
    if (apart !== 0) return apart
  }
  return 0
}
