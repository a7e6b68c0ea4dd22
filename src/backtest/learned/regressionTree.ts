/** A tree of questions about one feature each, whose answers are means (Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984). */
import { BINS, type BinnedFeature } from './binnedFeatures.ts'

/** An answer, or a question: `low` goes on where the feature is at most `threshold`, else `high`. */
export type RegressionTree =
  | { readonly answer: number }
  | {
      readonly feature: number
      readonly threshold: number
      readonly low: RegressionTree
      readonly high: RegressionTree
    }

/** What a tree is grown of. */
export interface Soil {
  readonly binned: readonly BinnedFeature[]
  /** What the answers are to come near, by row. */
  readonly targets: Float64Array
  /** On either side of a question lie at least so many rows. */
  readonly least: number
  /** Which features a question may be about, drawn anew for each. */
  readonly askable: () => readonly number[]
}

interface Question {
  readonly feature: number
  readonly bin: number
  readonly threshold: number
}

/** @param rows numbers of rows, one of them as often as it counts. */
export function grownTree(soil: Soil, rows: readonly number[], depth: number): RegressionTree {
  const question = depth === 0 ? null : bestQuestion(soil, rows)
  if (question === null)
    return { answer: rows.reduce((sum, row) => sum + (soil.targets[row] ?? 0), 0) / rows.length }
  const { feature, threshold, bin } = question
  const bins = soil.binned[feature]?.bins
  const isLow = (row: number) => (bins?.[row] ?? 0) <= bin
  return {
    feature,
    threshold,
    low: grownTree(soil, rows.filter(isLow), depth - 1),
    high: grownTree(
      soil,
      rows.filter((row) => !isLow(row)),
      depth - 1,
    ),
  }
}

export function answerOf(tree: RegressionTree, features: readonly number[]): number {
  let node = tree
  while (!('answer' in node)) node = (features[node.feature] ?? 0) <= node.threshold ? node.low : node.high
  return node.answer
}

/** That which leaves the smallest squared error; of equally good ones the first feature's lowest, null where none tells anything apart. */
function bestQuestion({ binned, targets, least, askable }: Soil, rows: readonly number[]): Question | null {
  let best: Question | null = null
  let bestGain = 0
  const total = rows.reduce((sum, row) => sum + (targets[row] ?? 0), 0)
  const [sums, counts] = [new Float64Array(BINS), new Float64Array(BINS)]
  for (const feature of askable()) {
    const { thresholds, bins } = binned[feature] as BinnedFeature
    sums.fill(0)
    counts.fill(0)
    for (const row of rows) {
      const bin = bins[row] as number
      sums[bin] = (sums[bin] as number) + (targets[row] as number)
      counts[bin] = (counts[bin] as number) + 1
    }
    let [sum, count] = [0, 0]
    for (const [bin, threshold] of thresholds.entries()) {
      sum += sums[bin] as number
      count += counts[bin] as number
      if (count < least || rows.length - count < least) continue
      // How much less the squared error is than with one answer for all.
      const rest = total - sum
      const gain = (sum * sum) / count + (rest * rest) / (rows.length - count) - (total * total) / rows.length
      if (gain <= bestGain) continue
      bestGain = gain
      best = { feature, bin, threshold }
    }
  }
  return best
}
