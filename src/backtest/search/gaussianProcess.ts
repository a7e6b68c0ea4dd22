/**
 * A Gaussian process over points 0 <= u < 1: what costs are likely where nothing was looked at yet (C. E. Rasmussen, C. K. I. Williams,
 * Gaussian Processes for Machine Learning, 2006, algorithm 2.1), with the Matérn kernel of 5/2 and a length for each axis.
 */
import { exp, ln } from '../simulated/exponential.ts'
import { GrowingFactor, squareOf } from './growingFactor.ts'

/** How far costs are alike along each axis, and how much of their variance is noise. */
export interface Scales {
  readonly lengths: readonly number[]
  readonly noise: number
}

/** A cost that is likely somewhere: normally distributed. */
export interface Likely {
  readonly mean: number
  readonly deviation: number
}

/** Of each axis whether its values have no order: then any two are equally far apart. */
export type Choices = readonly boolean[]

const ROOT_OF_5 = Math.sqrt(5)

export class GaussianProcess {
  readonly #choices: Choices
  readonly #scales: Scales
  readonly #points: (readonly number[])[] = []
  readonly #costs: number[] = []
  readonly #factor = new GrowingFactor()
  #weights: Float64Array = new Float64Array(0)
  #mean = 0
  #variance = 1

  constructor(
    choices: Choices,
    scales: Scales,
    points: readonly (readonly number[])[],
    costs: readonly number[],
  ) {
    this.#choices = choices
    this.#scales = scales
    for (const [index, point] of points.entries()) this.#append(point, costs[index] as number)
    this.#mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length
    const whitened = this.#factor.forward(this.#costs.map((cost) => cost - this.#mean))
    this.#variance = Math.max(Number.MIN_VALUE * 2 ** 60, squareOf(whitened) / costs.length)
    this.#weights = this.#factor.backward(whitened)
  }

  /** Of the costs under these scales, with mean and variance as the costs have them: larger is likelier (there, equation 2.30). */
  get logLikelihood(): number {
    const logDeterminant = this.#factor.diagonal.reduce((sum, value) => sum + 2 * ln(value), 0)
    return -(this.#costs.length * ln(this.#variance) + logDeterminant) / 2
  }

  /** Believes a cost before it is known; mean, variance and scales stay. */
  believe(point: readonly number[], cost: number): void {
    this.#append(point, cost)
    this.#weights = this.#factor.backward(this.#factor.forward(this.#costs.map((one) => one - this.#mean)))
  }

  at(point: readonly number[]): Likely {
    const alike = this.#points.map((other) => this.#alike(point, other))
    const mean = alike.reduce(
      (sum, value, index) => sum + value * (this.#weights[index] as number),
      this.#mean,
    )
    const left = Math.max(0, 1 - squareOf(this.#factor.forward(alike)))
    return { mean, deviation: Math.sqrt(this.#variance * left) }
  }

  #append(point: readonly number[], cost: number): void {
    this.#factor.append(
      this.#points.map((other) => this.#alike(point, other)),
      1 + this.#scales.noise,
    )
    this.#points.push(point)
    this.#costs.push(cost)
  }

  /** The kernel: (1 + √5·r + 5/3·r²)·e^(−√5·r) of the distance r in lengths. */
  #alike(one: readonly number[], other: readonly number[]): number {
    let square = 0
    for (let axis = 0; axis < one.length; axis++) {
      const [u, v] = [one[axis] as number, other[axis] as number]
      if (u === v) continue
      const apart = (this.#choices[axis] === true ? 1 : u - v) / (this.#scales.lengths[axis] as number)
      square += apart * apart
    }
    const r = ROOT_OF_5 * Math.sqrt(square)
    return (1 + r + (r * r) / 3) * exp(-r)
  }
}

const SHORTEST = 0.03
const LONGEST = 5
const LEAST_NOISE = 1e-6
const MOST_NOISE = 0.3
/** What a scale is multiplied or divided by, first and at last. */
const STEPS = [2.5, 1.5, 1.2]

/** The scales under which the costs are likeliest, found from others by one scale at a time. */
export function fitted(
  choices: Choices,
  begun: Scales,
  points: readonly (readonly number[])[],
  costs: readonly number[],
): Scales {
  let best = begun
  let most = worthOf(best)
  for (const step of STEPS) {
    for (let number = -1; number < begun.lengths.length; number++) {
      for (const factor of [step, 1 / step]) {
        for (;;) {
          const tried = scaled(best, number, factor)
          const worth = worthOf(tried)
          if (!(worth > most + 1e-6)) break
          ;[best, most] = [tried, worth]
        }
      }
    }
  }
  return best

  function worthOf(scales: Scales): number {
    const { lengths, noise } = scales
    if (noise < LEAST_NOISE || noise > MOST_NOISE) return Number.NEGATIVE_INFINITY
    if (lengths.some((length) => length < SHORTEST || length > LONGEST)) return Number.NEGATIVE_INFINITY
    const { logLikelihood } = new GaussianProcess(choices, scales, points, costs)
    // Few points say little of the lengths: those near half an axis are likelier beforehand.
    return logLikelihood - lengths.reduce((sum, length) => sum + ln(length / 0.5) ** 2, 0) / 4
  }
}

/** @param number of an axis; −1 for the noise. */
function scaled({ lengths, noise }: Scales, number: number, factor: number): Scales {
  if (number < 0) return { lengths, noise: noise * factor }
  return { lengths: lengths.map((length, axis) => (axis === number ? length * factor : length)), noise }
}
