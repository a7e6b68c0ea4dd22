/**
 * What the choice of one set among many is worth. The same days of all sets are compared; an account that has had its
 * verdict trades no more, so its returns of the days after it are 0.
 */
import { kurtosis, skewness } from '../statistics/moments.ts'
import { probabilityOfOverfitting } from '../statistics/overfitting.ts'
import { sharpeRatio } from '../statistics/riskAdjusted.ts'
import { averageCorrelation, bestSharpeByLuck, deflatedSharpeRatio } from '../statistics/selection.ts'
import { LEAST_RETURNS } from '../statistics/statistics.ts'
import type { SweepRow } from './variantFigures.ts'

/** How likely luck explains the set that was chosen. */
export interface SelectionEvidence {
  /** Sets that were compared. */
  readonly sets: number
  /** Daily returns of each set. */
  readonly days: number
  /** As many sets without any likeness would offer as much luck: ρ + (1 − ρ)·sets, where ρ is their mean correlation. */
  readonly independentSets: number
  /** Sharpe ratio of the chosen set, per day. */
  readonly sharpe: number
  /** What the best of so many independent sets without skill is expected to reach, per day. */
  readonly sharpeByLuck: number
  /** 1 − deflated Sharpe ratio: how likely the chosen set is no better than that; null where it cannot be told. */
  readonly byLuck: number | null
  /** See `probabilityOfOverfitting`. */
  readonly overfitting: number
}

const PARTS = 16

/**
 *
 * ```ts
 * const sets = [1, 2, 3, 4].map((set) => Array.from({ length: 64 }, (_, day) => (Math.sin(day * set) + set / 10) / 100))
 * selectionEvidence(sets, 3)?.days // → 64
 * ```
 *
 * @param sets daily returns of each set from the same day on.
 * @param chosen index of the set that was chosen.
 * @returns null for fewer than two sets, for fewer than {@link LEAST_RETURNS} days, and for a set that never traded.
 * @throws RangeError for a return that is no number.
 */
export function selectionEvidence(
  sets: readonly (readonly number[])[],
  chosen: number,
): SelectionEvidence | null {
  const days = sets.reduce((most, { length }) => Math.max(most, length), 0)
  if (sets.length < 2 || days < LEAST_RETURNS) return null
  const returns = sets.map((own) =>
    own.length === days ? own : [...own, ...new Array<number>(days - own.length).fill(0)],
  )
  const daily = { periodsPerYear: 1 }
  const sharpes = returns.map((own) => sharpeRatio(own, daily) ?? 0)
  const own = returns[chosen] as readonly number[]
  if (own.every((value) => value === own[0])) return null
  const likeness = Math.max(0, averageCorrelation(returns) ?? 0)
  const trials = likeness + (1 - likeness) * sets.length
  const variance = varianceOf(sharpes)
  const sharpe = sharpes[chosen] as number
  const deflated = deflatedSharpeRatio({
    sharpe,
    observations: days,
    skewness: skewness(own),
    kurtosis: kurtosis(own),
    trials,
    variance,
  })
  return {
    sets: sets.length,
    days,
    independentSets: trials,
    sharpe,
    sharpeByLuck: bestSharpeByLuck(trials, variance),
    byLuck: deflated === null ? null : 1 - deflated,
    overfitting: probabilityOfOverfitting(returns, Math.min(PARTS, 2 * Math.floor(days / 4))),
  }
}

/**
 * The evidence for one of the rows; null also without one.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { rows } = await runSweep({ plan, vary: { fast: [20, 60], slow: [240, 480] }, workers: 1 })
 * evidenceOf(rows, rows[0]) // → null
 * ```
 *
 * @throws RangeError for a daily return that is no number.
 */
export function evidenceOf(
  rows: readonly SweepRow[],
  chosen: Pick<SweepRow, 'parameters'> | undefined,
): SelectionEvidence | null {
  const index = rows.findIndex(({ parameters }) => parameters === chosen?.parameters)
  return index === -1
    ? null
    : selectionEvidence(
        rows.map(({ figures }) => figures.dailyReturns),
        index,
      )
}

/**
 * What the evidence says, one sentence a line.
 *
 * ```ts
 * const sets = [1, 2, 3, 4].map((set) => Array.from({ length: 64 }, (_, day) => (Math.sin(day * set) + set / 10) / 100))
 * evidenceLines(selectionEvidence(sets, 3)).length // → 2
 * ```
 */
export function evidenceLines(evidence: SelectionEvidence): string[] {
  const { sets, days, independentSets, byLuck, overfitting } = evidence
  const like = Math.round(independentSets)
  return [
    ...(byLuck === null
      ? []
      : [
          `Of ${sets} sets, as alike as ${like} independent ${like === 1 ? 'one' : 'ones'}, the best would be this good by luck with ${share(byLuck)}.`,
        ]),
    `Chosen over one half of the ${days} days, the best set came no higher than the middle over the other half in ${share(overfitting)} of the ways to halve them.`,
  ]
}

function share(value: number): string {
  return `${(value * 100).toFixed(0)}%`
}

/** Sample variance (n − 1). */
function varianceOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}
