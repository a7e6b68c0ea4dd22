/** Boosted stumps: a sum of many questions about one feature each (Friedman, Annals of Statistics 29, 2001: LS_Boost with trees of two leaves). */
import { BINS, type BinnedFeature, binnedFeatures } from './binnedFeatures.ts'
import type { Fit, LearnedRow } from './learning.ts'

/** What {@link boostedStumps} can be told. */
export interface BoostedStumpsOptions {
  /** How many questions: whole, 1 to 10,000. Default 100. */
  readonly rounds?: number
  /** Which part of what it finds each adds, above 0 to 1. Default 0.1. */
  readonly rate?: number
  /** On either side of a question lie at least so many rows, as a share of all: above 0, below 0.5. Default 0.01. */
  readonly leastShare?: number
}

/** One question: `low` is added where the feature is at most `threshold`, else `high`. */
interface Stump {
  readonly feature: number
  readonly threshold: number
  readonly low: number
  readonly high: number
}

/**
 * A fit for what is no straight line: each round asks the one question of one feature, at one of 31 quantiles, that leaves the smallest
 * squared error, and adds a part of its answer. It draws nothing. Effects of two features together it does not see.
 *
 * ```ts
 * const rows = Array.from({ length: 100 }, (_, x) => ({ closeTime: 0, features: [x], label: x < 50 ? -1 : 1 }))
 * const model = boostedStumps()(rows, { seed: 0, previous: null, at: 0 })
 * model.predict([80]) > 0.9 // → true
 * ```
 *
 * @throws RangeError for numbers out of range.
 */
export function boostedStumps({
  rounds = 100,
  rate = 0.1,
  leastShare = 0.01,
}: BoostedStumpsOptions = {}): Fit {
  if (!(Number.isSafeInteger(rounds) && rounds >= 1 && rounds <= 10_000))
    throw new RangeError(`boosted stumps take 1 to 10,000 rounds, not ${rounds}`)
  if (!(rate > 0 && rate <= 1))
    throw new RangeError(`the rate of boosted stumps is above 0 and at most 1, not ${rate}`)
  if (!(leastShare > 0 && leastShare < 0.5))
    throw new RangeError(`the least share of boosted stumps is above 0 and below 0.5, not ${leastShare}`)
  return (rows) => {
    const mean = rows.reduce((sum, { label }) => sum + label, 0) / rows.length
    const residuals = Float64Array.from(rows, ({ label }) => label - mean)
    const binned = binnedFeatures(rows)
    const least = Math.max(1, Math.ceil(leastShare * rows.length))
    const stumps: Stump[] = []
    for (let round = 0; round < rounds; round++) {
      const stump = bestStump(binned, residuals, least, rate)
      if (stump === null) break
      stumps.push(stump)
      subtract(stump, rows, residuals)
    }
    return {
      predict: (features) => stumps.reduce((sum, stump) => sum + answerOf(stump, features), mean),
    }
  }
}

/** Of equally good ones the first feature's lowest; null where no question tells anything apart. */
function bestStump(
  binned: readonly BinnedFeature[],
  residuals: Float64Array,
  least: number,
  rate: number,
): Stump | null {
  let best: Stump | null = null
  let bestGain = 0
  const rows = residuals.length
  const total = residuals.reduce((sum, residual) => sum + residual, 0)
  const [sums, counts] = [new Float64Array(BINS), new Float64Array(BINS)]
  for (const [feature, { thresholds, bins }] of binned.entries()) {
    sums.fill(0)
    counts.fill(0)
    for (let row = 0; row < rows; row++) {
      const bin = bins[row] as number
      sums[bin] = (sums[bin] as number) + (residuals[row] as number)
      counts[bin] = (counts[bin] as number) + 1
    }
    let [sum, count] = [0, 0]
    for (const [bin, threshold] of thresholds.entries()) {
      sum += sums[bin] as number
      count += counts[bin] as number
      if (count < least || rows - count < least) continue
      // How much less the squared error is than with one answer for all.
      const rest = total - sum
      const gain = (sum * sum) / count + (rest * rest) / (rows - count) - (total * total) / rows
      if (gain <= bestGain) continue
      bestGain = gain
      best = { feature, threshold, low: (rate * sum) / count, high: (rate * (total - sum)) / (rows - count) }
    }
  }
  return best
}

function subtract(stump: Stump, rows: readonly LearnedRow[], residuals: Float64Array): void {
  for (const [row, { features }] of rows.entries())
    residuals[row] = (residuals[row] as number) - answerOf(stump, features)
}

function answerOf({ feature, threshold, low, high }: Stump, features: readonly number[]): number {
  return (features[feature] as number) <= threshold ? low : high
}
