/** Several objectives at once: which sets no other is at least as good as in all of them, and better in one. */
import { compareRows, type Ranking } from './ranking.ts'
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
  const places = objectives.map((by) => placesOf(rows, by))
  const fronts = new Array<number>(rows.length).fill(0)
  // Who dominates comes earlier in this order, so only earlier ones have to be looked at.
  const order = [...rows.keys()].sort((a, b) => firstApart(places, a, b))
  const members: number[][] = []
  for (const index of order) {
    // Dominated by one of a front is dominated by one of every front before it, so that halving finds the first that is open
    // (X. Zhang, Y. Tian, R. Cheng, Y. Jin, IEEE Transactions on Evolutionary Computation 19 (2), 2015).
    let [open, closed] = [0, members.length]
    while (open < closed) {
      const middle = (open + closed) >> 1
      if (isDominatedBy(members[middle] as number[], places, index)) open = middle + 1
      else closed = middle
    }
    if (open === members.length) members.push([index])
    else members[open]?.push(index)
    fronts[index] = open + 1
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

/** The place of every row under an objective, from 0, the best; rows that are equal share one. */
function placesOf(rows: readonly SweepRow[], by: Ranking): Uint32Array {
  const places = new Uint32Array(rows.length)
  const order = [...rows.keys()].sort((a, b) => compareRows(rows[a] as SweepRow, rows[b] as SweepRow, by))
  let place = 0
  for (const [at, index] of order.entries()) {
    const before = rows[order[at - 1] ?? index] as SweepRow
    if (compareRows(before, rows[index] as SweepRow, by) !== 0) place += 1
    places[index] = place
  }
  return places
}

/** The latest first: they are the nearest in the first objective. */
function isDominatedBy(front: readonly number[], places: readonly Uint32Array[], index: number): boolean {
  for (let at = front.length - 1; at >= 0; at--) {
    const other = front[at] as number
    let [isAsGood, isBetter] = [true, false]
    for (const of of places) {
      const apart = (of[other] as number) - (of[index] as number)
      if (apart > 0) isAsGood = false
      if (apart < 0) isBetter = true
    }
    if (isAsGood && isBetter) return true
  }
  return false
}

function firstApart(places: readonly Uint32Array[], a: number, b: number): number {
  for (const of of places) {
    const apart = (of[a] as number) - (of[b] as number)
    if (apart !== 0) return apart
  }
  return 0
}
