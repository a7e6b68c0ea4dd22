/** How sure a share and a quantile are that come from so many paths. */

/** A share of trials, with its confidence interval. */
export interface Proportion {
  /** Trials it happened in. */
  readonly count: number
  /** Trials in all. */
  readonly of: number
  /** count / of, 0 to 1; 0 of none. */
  readonly share: number
  /** Lower end of the 95% interval, 0 to 1. */
  readonly low: number
  /** Upper end of the 95% interval, 0 to 1. */
  readonly high: number
}

/** The standard normal deviate of a two-sided confidence of 95%. */
const Z_95 = 1.959963984540054

/**
 * A proportion, of the count `of` the count `count`, with its 95% interval by E. B. Wilson (JASA 22, 1927), which keeps its promise for shares near 0 and 1
 * and for few trials: (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n).
 *
 * ```ts
 * const { share, low, high } = proportion(30, 100)
 * [share, low.toFixed(3), high.toFixed(3)].join() // → 0.3,0.219,0.396
 * ```
 */
export function proportion(count: number, of: number): Proportion {
  if (of === 0) return { count, of, share: 0, low: 0, high: 1 }
  const share = count / of
  const z2 = Z_95 * Z_95
  const middle = (share + z2 / (2 * of)) / (1 + z2 / of)
  const half = (Z_95 * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of))) / (1 + z2 / of)
  return {
    count,
    of,
    share,
    low: count === 0 ? 0 : Math.max(0, middle - half),
    high: count === of ? 1 : Math.min(1, middle + half),
  }
}

/** A quantile of a sample, with its confidence interval. */
export interface Quantile {
  /** Which one: 0.5 is the median. */
  readonly probability: number
  /** In the unit of the sample. */
  readonly value: number
  /** Lower end of the 95% interval, in the unit of the sample. */
  readonly low: number
  /** Upper end of the 95% interval. */
  readonly high: number
}

/** What a product of two doubles may be off by where the exact result is a whole number. */
const ROUNDING = 1e-9

/**
 * A quantile as the smallest value that at least the share `probability` of the sample does not exceed. Its 95% interval
 * is that of order statistics, whatever the distribution: the ranks n·p ± z·√(n·p·(1−p)), outwards to whole ones.
 *
 * ```ts
 * quantile([1, 2, 3, 4, 5], 0.5)?.value // → 3
 * ```
 *
 * @param sorted ascending.
 * @returns null for an empty sample.
 */
export function quantile(sorted: readonly number[], probability: number): Quantile | null {
  const size = sorted.length
  if (size === 0) return null
  const at = (rank: number) => sorted[Math.min(size, Math.max(1, rank)) - 1] as number
  const middle = size * probability
  const half = Z_95 * Math.sqrt(size * probability * (1 - probability))
  return {
    probability,
    value: at(Math.ceil(middle - ROUNDING)),
    low: at(Math.floor(middle - half)),
    high: at(Math.ceil(middle + half) + 1),
  }
}

/** A mean, with its confidence interval, in the unit of the sample. */
export interface Mean {
  /** The mean itself, in the unit of the sample. */
  readonly value: number
  /** Lower end of the 95% interval. */
  readonly low: number
  /** Upper end of the 95% interval. */
  readonly high: number
}

/**
 * A mean with its 95% interval, mean ± z·s/√n: the central limit theorem, so for some hundred independent values or more.
 *
 * ```ts
 * meanOf([1, 2, 3, 4])?.value // → 2.5
 * ```
 *
 * @returns null for an empty sample; of one value the interval is that value.
 */
export function meanOf(values: readonly number[]): Mean | null {
  const size = values.length
  if (size === 0) return null
  const value = values.reduce((sum, one) => sum + one, 0) / size
  const squares = values.reduce((sum, one) => sum + (one - value) ** 2, 0)
  const half = size === 1 ? 0 : Z_95 * Math.sqrt(squares / (size - 1) / size)
  return { value, low: value - half, high: value + half }
}
