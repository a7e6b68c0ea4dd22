/** Whether the best of many sets is more than the luckiest of them. Periodic returns, see `periodicReturns`. */
import { normalProbability, normalQuantile } from '../simulated/normal.ts'

/** The Sharpe ratio of the best set, and what it was chosen from. All ratios are per period, not annualised. */
export interface SelectedSharpe {
  /** Mean return over its standard deviation. */
  readonly sharpe: number
  /** How many returns it was measured on, at least 2. */
  readonly observations: number
  /** Of the returns; 0 where they are symmetric. */
  readonly skewness: number
  /** Not the excess: 3 for normal returns. */
  readonly kurtosis: number
  /** Independent sets it was chosen from, at least 1. */
  readonly trials: number
  /** Variance of the Sharpe ratio among the sets, at least 0. */
  readonly variance: number
}

const EULER_MASCHERONI = 0.5772156649015329

/**
 * Deflated Sharpe ratio (D. H. Bailey, M. López de Prado, "The Deflated Sharpe Ratio", J. Portfolio Management 40 (5),
 * 2014): the probability that the true Sharpe ratio is above what the best of so many sets without skill is expected to
 * reach, √V·((1 − γ)·Z(1 − 1/N) + γ·Z(1 − 1/(N·e))).
 *
 * ```ts
 * const selected = { sharpe: 0.1, observations: 1000, skewness: 0, kurtosis: 3 }
 * deflatedSharpeRatio({ ...selected, trials: 100, variance: 0.0005 })?.toFixed(3) // → 0.914
 * ```
 *
 * @returns 0 to 1; `null` where the moments leave the ratio no positive variance.
 * @throws RangeError for fewer than two observations, less than one trial, a variance below 0, or what is no number.
 */
export function deflatedSharpeRatio(selected: SelectedSharpe): number | null {
  const { sharpe, observations, skewness, kurtosis, trials, variance } = selected
  const isGiven = Object.values(selected).every(Number.isFinite)
  if (!isGiven || observations < 2 || trials < 1 || variance < 0)
    throw new RangeError('a deflated Sharpe ratio takes numbers, 2 observations, 1 trial, a variance from 0')
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2
  if (spread <= 0) return null
  const byLuck = bestSharpeByLuck(trials, variance)
  return normalProbability(((sharpe - byLuck) * Math.sqrt(observations - 1)) / Math.sqrt(spread))
}

/**
 * The Sharpe ratio per period that the best of so many independent sets without skill is expected to reach: `trials` is how many,
 * `variance` that of the ratio among them.
 *
 * ```ts
 * bestSharpeByLuck(100, 1).toFixed(2) // → 2.53
 * ```
 */
export function bestSharpeByLuck(trials: number, variance: number): number {
  return Math.sqrt(variance) * expectedMaximum(trials)
}

/**
 * Mean correlation of the returns of all pairs of sets; sets whose returns do not vary have none and are left out. With
 * each set's returns brought to length 1 around their mean, it is (|Σ z|² − n) / (n·(n − 1)).
 *
 * ```ts
 * averageCorrelation([[1, 2, 3, 4], [2, 4, 6, 8]])?.toFixed(3) // → 1.000
 * averageCorrelation([[1, 2, 3, 4], [1, 1, 1, 1]]) // → null
 * ```
 *
 * @returns −1 to 1, or `null` for fewer than two sets that vary.
 */
export function averageCorrelation(sets: readonly (readonly number[])[]): number | null {
  const varying = sets.filter((returns) => returns.some((value) => value !== returns[0]))
  const count = varying.length
  if (count < 2) return null
  const total = new Array<number>(varying[0]?.length ?? 0).fill(0)
  for (const returns of varying) {
    const mean = sumOf(returns) / returns.length
    const length = Math.sqrt(sumOf(returns.map((value) => (value - mean) ** 2)))
    for (let period = 0; period < returns.length; period++)
      total[period] = (total[period] as number) + ((returns[period] as number) - mean) / length
  }
  return (sumOf(total.map((value) => value * value)) - count) / (count * (count - 1))
}

/** Of so many standard normal deviates, as the paper approximates it; of one deviate, 0, and of little more never less. */
function expectedMaximum(count: number): number {
  if (count === 1) return 0
  const first = normalQuantile(1 - 1 / count)
  const second = normalQuantile(1 - 1 / (count * Math.E))
  return Math.max(0, (1 - EULER_MASCHERONI) * first + EULER_MASCHERONI * second)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
