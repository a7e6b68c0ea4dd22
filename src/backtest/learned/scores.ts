/**
 * How near predictions are to what came. What is only known once all of it has come must not be in a score: the mean of the labels of a few days
 * is, and to take it off shows a link between any slow feature and what comes, where there is none (Stambaugh, Journal of Financial Economics 54,
 * 1999). So deviations are from the mean that the fit knew.
 */

/**
 * A figure of predictions and the labels that became known of them, in the same order; null where there are too few to tell.
 *
 * @param mean of the labels that the fit learned from: what would be said without a model.
 */
export type Score = (predictions: readonly number[], labels: readonly number[], mean: number) => number | null

/**
 * How far predictions and labels leave the mean together, −1 to 1: what is called an information coefficient, about a mean that was known. By
 * chance it is 0; null where predictions or labels never leave the mean.
 *
 * ```ts
 * correlation([1, 2, 3], [2, 4, 6], 0) // → 1
 * ```
 *
 * @param predictions any number each.
 * @param labels what came of each prediction: any number each.
 * @param mean of the labels that the fit learned from.
 */
export function correlation(
  predictions: readonly number[],
  labels: readonly number[],
  mean: number,
): number | null {
  let [xx, yy, xy] = [0, 0, 0]
  for (const [row, label] of labels.entries()) {
    const [dx, dy] = [(predictions[row] as number) - mean, label - mean]
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  }
  const spread = Math.sqrt(xx) * Math.sqrt(yy)
  return spread > 0 ? Math.max(-1, Math.min(1, xy / spread)) : null
}

/**
 * How much smaller the squared error is than that of the mean alone: 1 for a prophet, 0 for who says the mean, below it for a model that is
 * worse, as one is that has learned chance (Campbell and Thompson, Review of Financial Studies 21, 2008). Null where labels never leave the mean.
 *
 * ```ts
 * skill([1, 2, 3], [1, 2, 3], 0) // → 1
 * ```
 *
 * @param predictions any number each.
 * @param labels what came of each prediction: any number each.
 * @param mean of the labels that the fit learned from.
 */
export function skill(
  predictions: readonly number[],
  labels: readonly number[],
  mean: number,
): number | null {
  let [left, all] = [0, 0]
  for (const [row, label] of labels.entries()) {
    const [error, off] = [label - (predictions[row] as number), label - mean]
    left += error * error
    all += off * off
  }
  return all > 0 ? 1 - left / all : null
}

/**
 * A score: the share of predictions that lie on the side of `level` on which their label lies, of those whose label is on one.
 *
 * ```ts
 * sameSide()([0.1, -0.2, 0.3], [2, -1, -1], 0) // → 0.6666666666666666
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
