/** A neural network of one hidden layer (D. E. Rumelhart, G. E. Hinton, R. J. Williams, Nature 323, 1986), learned by Adam (D. P. Kingma, J. Ba, 2015). */
import { Random } from '../simulated/random.ts'
import { type KeepableFit, keepable } from './keepable.ts'
import type { LearnedRow } from './learning.ts'
import { type Scale, Standardised, scaled } from './standardised.ts'

/** What {@link perceptron} can be told. */
export interface PerceptronOptions {
  /** How many units the hidden layer has: whole, 1 to 1,000. Default 16. */
  readonly units?: number
  /** How often it goes through all rows: whole, 1 or more. Default 20. */
  readonly rounds?: number
  /** How far a step goes, as a share of a deviation: above 0, below 1. Default 0.01. */
  readonly rate?: number
  /** What keeps weights small, as a share of each: 0 or above, below 1. Default 0.0001. */
  readonly penalty?: number
}

const BATCH = 32
/** Of Adam: how long it remembers steps and their squares. */
const [STEPS, SQUARES, LEAST] = [0.9, 0.999, 1e-8]

/**
 * A fit of a network whose hidden units are max(0, w·x + b), on standardised features and labels. Weights begin and rows are drawn by `seed`; it uses
 * sums, products and square roots alone, so that of the same rows and seed it is the same network on every machine.
 *
 * ```ts
 * const rows = Array.from({ length: 300 }, (_, x) => ({ closeTime: x, features: [x / 100], label: x / 50 }))
 * const model = perceptron({ rounds: 60 })(rows, { seed: 1, previous: null, at: 0 })
 * Math.abs(model.predict([1.5]) - 3) < 0.2 // → true
 * ```
 *
 * @throws RangeError for numbers out of range.
 */
export function perceptron({
  units = 16,
  rounds = 20,
  rate = 0.01,
  penalty = 0.0001,
}: PerceptronOptions = {}): KeepableFit {
  if (!(Number.isSafeInteger(units) && units >= 1 && units <= 1_000))
    throw new RangeError(`a hidden layer has 1 to 1,000 units, not ${units}`)
  if (!(Number.isSafeInteger(rounds) && rounds >= 1)) throw new RangeError(`${rounds} is no number of rounds`)
  if (!(rate > 0 && rate < 1)) throw new RangeError(`a rate is above 0 and below 1, not ${rate}`)
  if (!(penalty >= 0 && penalty < 1))
    throw new RangeError(`a penalty is 0 or above and below 1, not ${penalty}`)
  const options = { units, rounds, rate, penalty }
  return keepable({
    learner: { name: 'perceptron', ...options },
    learn: (rows, { seed }) => learned(rows, seed, options),
    model: ({ scale, mean, spread, weights }) => {
      const network = new Network(scale.means.length, units, Float64Array.from(weights))
      return {
        predict: (features: readonly number[]) => mean + spread * network.said(scaled(features, scale), 0),
      }
    },
  })
}

interface LearnedNetwork {
  readonly scale: Scale
  /** Of the labels. */
  readonly mean: number
  readonly spread: number
  readonly weights: readonly number[]
}

function learned(
  rows: readonly LearnedRow[],
  seed: number,
  { units, rounds, rate, penalty }: Required<PerceptronOptions>,
): LearnedNetwork {
  const random = new Random(`perceptron ${seed}`)
  const standardised = new Standardised(rows)
  const labels = new Standardised(rows.map(({ label }) => ({ features: [label] })))
  const network = new Network(standardised.width, units, drawnWeights(standardised.width, units, random))
  for (let round = 0; round < rounds; round++) {
    const order = shuffled(rows.length, random)
    for (let begin = 0; begin < order.length; begin += BATCH)
      network.learn(order.subarray(begin, begin + BATCH), standardised.values, labels.values, {
        rate,
        penalty,
      })
  }
  const mean = rows.reduce((sum, { label }) => sum + label, 0) / rows.length
  const spread = Math.sqrt(rows.reduce((sum, { label }) => sum + (label - mean) ** 2, 0) / rows.length)
  return { scale: standardised.scale, mean, spread, weights: Array.from(network.weights) }
}

/** As far as K. He and others begin (2015), evenly. */
function drawnWeights(width: number, units: number, random: Random): Float64Array {
  const weights = new Float64Array(units * (width + 2) + 1)
  const [first, second] = [Math.sqrt(6 / Math.max(width, 1)), Math.sqrt(6 / units)]
  for (let unit = 0; unit < units; unit++) {
    for (let column = 0; column < width; column++)
      weights[unit * (width + 1) + column] = first * (2 * random.uniform() - 1)
    weights[units * (width + 1) + unit] = second * (2 * random.uniform() - 1)
  }
  return weights
}

function shuffled(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const kept = order[last] as number
    order[last] = order[other] as number
    order[other] = kept
  }
  return order
}

class Network {
  readonly #width: number
  readonly #units: number
  /** Of each unit its weights, then its level; then the weights of the units, then the level. */
  readonly weights: Float64Array
  readonly #slopes: Float64Array
  readonly #steps: Float64Array
  readonly #squares: Float64Array
  readonly #active: Float64Array
  #stepFade = 1
  #squareFade = 1

  constructor(width: number, units: number, weights: Float64Array) {
    this.#width = width
    this.#units = units
    this.weights = weights
    const size = weights.length
    this.#slopes = new Float64Array(size)
    this.#steps = new Float64Array(size)
    this.#squares = new Float64Array(size)
    this.#active = new Float64Array(units)
  }

  said(values: Float64Array, from: number): number {
    const [width, units, weights] = [this.#width, this.#units, this.weights]
    let sum = weights[weights.length - 1] as number
    for (let unit = 0; unit < units; unit++) {
      const begin = unit * (width + 1)
      let active = weights[begin + width] as number
      for (let column = 0; column < width; column++)
        active += (weights[begin + column] as number) * (values[from + column] as number)
      this.#active[unit] = Math.max(active, 0)
      sum += (weights[units * (width + 1) + unit] as number) * Math.max(active, 0)
    }
    return sum
  }

  learn(
    some: Uint32Array,
    values: Float64Array,
    labels: Float64Array,
    { rate, penalty }: { readonly rate: number; readonly penalty: number },
  ): void {
    const [width, units, weights, slopes] = [this.#width, this.#units, this.weights, this.#slopes]
    slopes.fill(0)
    for (const row of some) {
      const off = (this.said(values, row * width) - (labels[row] as number)) / some.length
      for (let unit = 0; unit < units; unit++) {
        const active = this.#active[unit] as number
        if (active === 0) continue
        add(slopes, units * (width + 1) + unit, off * active)
        const back = off * (weights[units * (width + 1) + unit] as number)
        const begin = unit * (width + 1)
        for (let column = 0; column < width; column++)
          add(slopes, begin + column, back * (values[row * width + column] as number))
        add(slopes, begin + width, back)
      }
      add(slopes, slopes.length - 1, off)
    }
    this.#step(rate, penalty)
  }

  #step(rate: number, penalty: number): void {
    this.#stepFade *= STEPS
    this.#squareFade *= SQUARES
    for (let index = 0; index < this.weights.length; index++) {
      const slope = (this.#slopes[index] as number) + penalty * (this.weights[index] as number)
      const step = STEPS * (this.#steps[index] as number) + (1 - STEPS) * slope
      const square = SQUARES * (this.#squares[index] as number) + (1 - SQUARES) * slope * slope
      this.#steps[index] = step
      this.#squares[index] = square
      const size = Math.sqrt(square / (1 - this.#squareFade)) + LEAST
      add(this.weights, index, (-rate * (step / (1 - this.#stepFade))) / size)
    }
  }
}

function add(to: Float64Array, index: number, value: number): void {
  to[index] = (to[index] as number) + value
}
