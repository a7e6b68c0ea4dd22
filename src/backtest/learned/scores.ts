/** How near predictions are to what came. */

/** A figure of predictions and the labels that became known of them, in the same order; null where there are too few to tell. */
export type Score = (predictions: readonly number[], labels: readonly number[]) => number | null

/**
 * Pearson's correlation of predictions with labels, −1 to 1: what is called an information coefficient. By chance it is 0; null where one of
 * both is always the same.
 *
 * ```ts
 * correlation([1, 2, 3], [2, 4, 6]) // → 1
 * ```
 */
export function correlation(predictions: readonly number[], labels: readonly number[]): number | null {
  const count = predictions.length
  if (count < 2) return null
  const [x, y] = [meanOf(predictions), meanOf(labels)]
  let [xx, yy, xy] = [0, 0, 0]
  for (let row = 0; row < count; row++) {
    const [dx, dy] = [(predictions[row] as number) - x, (labels[row] as number) - y]
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  }
  const spread = Math.sqrt(xx) * Math.sqrt(yy)
  return spread > 0 ? Math.max(-1, Math.min(1, xy / spread)) : null
}

/**
 * Spearman's correlation: that of the ranks, where equal numbers share the mean of theirs. One large label does not decide it.
 *
 * ```ts
 * rankCorrelation([1, 2, 3], [1, 10, 1000]) // → 1
 * ```
 */
export function rankCorrelation(predictions: readonly number[], labels: readonly number[]): number | null {
  return correlation(ranksOf(predictions), ranksOf(labels))
}

/**
 * A score: the share of predictions that lie on the side of `level` on which their label lies, of those whose label is on one.
 *
 * ```ts
 * sameSide()([0.1, -0.2, 0.3], [2, -1, -1]) // → 0.6666666666666666
 * ```
 *
 * @param level in the unit of the label: 0 parts gains from losses, 0.5 ones from zeros.
 */
export function sameSide(level = 0): Score {
  return (predictions, labels) => {
    let [same, known] = [0, 0]
    for (const [row, label] of labels.entries()) {
      if (label === level) continue
      known += 1
      if ((predictions[row] as number) > level === label > level) same += 1
    }
    return known === 0 ? null : same / known
  }
}

function meanOf(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

function ranksOf(values: readonly number[]): number[] {
  const order = Array.from(values, (_, index) => index).sort(
    (a, b) => (values[a] as number) - (values[b] as number),
  )
  const ranks = new Array<number>(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && values[order[to] as number] === values[order[from] as number]) to += 1
    for (let at = from; at < to; at++) ranks[order[at] as number] = (from + to - 1) / 2
    from = to
  }
  return ranks
}
