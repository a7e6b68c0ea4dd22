/** Logistic regression: how likely a one is (le Cessie and van Houwelingen, Applied Statistics 41, 1992, for the penalty). */
import { exp, ln1p } from '../simulated/exponential.ts'
import { solved } from './cholesky.ts'
import { type KeepableFit, keepable } from './keepable.ts'
import type { LearnedRow } from './learning.ts'
import { type Scale, Standardised, scaled } from './standardised.ts'

const PENALTY = 0.01
/** Newton's method takes some six. */
const STEPS = 50
const HALVINGS = 40
/** Below this gain of the mean a step is the last. */
const ENOUGH = 1e-12

/**
 * A fit for labels that are 0 or 1; the prediction is the probability of a 1. It maximises the mean log-likelihood less `penalty`/2·|w|², on
 * features that are standardised on its rows, by Newton's method whose steps are halved until they gain.
 *
 * ```ts
 * const rows = [1, 2, 3, 4].map((x) => ({ closeTime: 0, features: [x], label: x > 2 ? 1 : 0 }))
 * const model = logistic()(rows, { seed: 0, previous: null, at: 0 })
 * model.predict([4]) > 0.9 // → true
 * ```
 *
 * @param penalty above 0. Default 0.01.
 * @throws RangeError for a penalty out of range; so does a fit for a label that is neither 0 nor 1.
 */
export function logistic(penalty = PENALTY): KeepableFit {
  if (!(penalty > 0 && penalty < Number.POSITIVE_INFINITY))
    throw new RangeError(`the penalty of a logistic regression is above 0, not ${penalty}`)
  return keepable({
    learner: { name: 'logistic', penalty },
    learn: (rows) => curveThrough(rows, penalty),
    model: ({ scale, weights }) => {
      const own = Float64Array.from(weights)
      return { predict: (features: readonly number[]) => probability(score(scaled(features, scale), 0, own)) }
    },
  })
}

interface Curve {
  readonly scale: Scale
  readonly weights: readonly number[]
}

function curveThrough(rows: readonly LearnedRow[], penalty: number): Curve {
  const odd = rows.find(({ label }) => label !== 0 && label !== 1)
  if (odd !== undefined)
    throw new RangeError(`a logistic regression learns labels that are 0 or 1, and not ${odd.label}`)
  const standardised = new Standardised(rows)
  const curve = new LogisticCurve(
    standardised,
    rows.map(({ label }) => label),
    penalty,
  )
  let weights = new Float64Array(standardised.width + 1)
  let worth = curve.worth(weights)
  for (let step = 0; step < STEPS; step++) {
    const better = halved(curve, weights, curve.step(weights), worth)
    if (better === null) break
    const gain = better.worth - worth
    weights = better.weights
    worth = better.worth
    if (gain < ENOUGH) break
  }
  return { scale: standardised.scale, weights: Array.from(weights) }
}

/** The first part of a step that is worth more; null where none is. */
function halved(curve: LogisticCurve, from: Float64Array, step: Float64Array, worth: number) {
  for (let halving = 0, part = 1; halving < HALVINGS; halving++, part /= 2) {
    const weights = from.map((weight, index) => weight + part * (step[index] as number))
    const found = curve.worth(weights)
    if (found > worth) return { weights, worth: found }
  }
  return null
}

/** What weights are worth, and where they become better. The last weight is the level, which is not kept small. */
class LogisticCurve {
  readonly #values: Float64Array
  readonly #width: number
  readonly #labels: readonly number[]
  readonly #penalty: number

  constructor({ values, width }: Standardised, labels: readonly number[], penalty: number) {
    this.#values = values
    this.#width = width
    this.#labels = labels
    this.#penalty = penalty
  }

  worth(weights: Float64Array): number {
    let sum = 0
    for (const [row, label] of this.#labels.entries()) {
      const odds = score(this.#values, row * this.#width, weights)
      // ln(1 + e^odds) without an overflow.
      sum += label * odds - Math.max(odds, 0) - ln1p(exp(-Math.abs(odds)))
    }
    let squares = 0
    for (let i = 0; i < this.#width; i++) squares += (weights[i] as number) * (weights[i] as number)
    return sum / this.#labels.length - (this.#penalty / 2) * squares
  }

  step(weights: Float64Array): Float64Array {
    const [width, size] = [this.#width, this.#width + 1]
    const [matrix, right] = [new Float64Array(size * size), new Float64Array(size)]
    const at = (row: number, column: number) =>
      column === width ? 1 : (this.#values[row * width + column] as number)
    for (const [row, label] of this.#labels.entries()) {
      const likely = probability(score(this.#values, row * width, weights))
      const spread = likely * (1 - likely)
      for (let i = 0; i < size; i++) {
        const value = at(row, i)
        right[i] = (right[i] as number) + value * (label - likely)
        for (let j = 0; j <= i; j++)
          matrix[i * size + j] = (matrix[i * size + j] as number) + spread * value * at(row, j)
      }
    }
    const added = this.#labels.length * this.#penalty
    for (let i = 0; i < width; i++) {
      matrix[i * size + i] = (matrix[i * size + i] as number) + added
      right[i] = (right[i] as number) - added * (weights[i] as number)
    }
    // Where all labels are the same the level has no best place: it is held by what rounding leaves.
    matrix[size * size - 1] = (matrix[size * size - 1] as number) + this.#labels.length * 1e-9
    return solved(matrix, right)
  }
}

function score(values: Float64Array, from: number, weights: Float64Array): number {
  const width = weights.length - 1
  let sum = weights[width] as number
  for (let i = 0; i < width; i++) sum += (values[from + i] as number) * (weights[i] as number)
  return sum
}

function probability(odds: number): number {
  return odds >= 0 ? 1 / (1 + exp(-odds)) : 1 - 1 / (1 + exp(odds))
}
