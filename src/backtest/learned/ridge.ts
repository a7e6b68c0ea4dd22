/** Ridge regression: a straight line through many features (Hoerl and Kennard, Technometrics 12, 1970). */
import { solved } from './cholesky.ts'
import { type KeepableFit, keepable } from './keepable.ts'
import type { LearnedRow } from './learning.ts'
import { type Scale, Standardised, scaled } from './standardised.ts'

const PENALTY = 0.01

/**
 * A fit of least squares, whose weights are kept small: it minimises the mean squared error and `penalty`·|w|², on features that
 * are standardised on its rows.
 *
 * ```ts
 * const rows = [1, 2, 3, 4].map((x) => ({ closeTime: 0, features: [x], label: 2 * x + 1 }))
 * const model = ridge(1e-9)(rows, { seed: 0, previous: null, at: 0 })
 * model.predict([10]).toFixed(3) // → 21.000
 * ```
 *
 * @param penalty above 0: as a share of the variance of a feature. Default 0.01.
 * @throws RangeError for a penalty out of range.
 */
export function ridge(penalty = PENALTY): KeepableFit {
  if (!(penalty > 0 && penalty < Number.POSITIVE_INFINITY))
    throw new RangeError(`the penalty of a ridge regression is above 0, not ${penalty}`)
  return keepable({
    learner: { name: 'ridge', penalty },
    learn: (rows) => lineThrough(rows, penalty),
    model: modelOf,
  })
}

interface Line {
  readonly scale: Scale
  readonly mean: number
  readonly weights: readonly number[]
}

function modelOf({ scale, mean, weights }: Line) {
  return {
    predict(features: readonly number[]) {
      let sum = mean
      for (const [column, value] of scaled(features, scale).entries())
        sum += value * (weights[column] as number)
      return sum
    },
  }
}

function lineThrough(rows: readonly LearnedRow[], penalty: number): Line {
  const { values, width, scale } = new Standardised(rows)
  const mean = rows.reduce((sum, { label }) => sum + label, 0) / rows.length
  const [matrix, right] = [new Float64Array(width * width), new Float64Array(width)]
  for (const [row, { label }] of rows.entries())
    for (let i = 0; i < width; i++) {
      const value = values[row * width + i] as number
      right[i] = (right[i] as number) + value * (label - mean)
      for (let j = 0; j <= i; j++)
        matrix[i * width + j] =
          (matrix[i * width + j] as number) + value * (values[row * width + j] as number)
    }
  const added = rows.length * penalty
  for (let i = 0; i < width; i++) matrix[i * width + i] = (matrix[i * width + i] as number) + added
  return { scale, mean, weights: Array.from(solved(matrix, right)) }
}
