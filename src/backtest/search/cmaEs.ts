/**
 * Covariance matrix adaptation (N. Hansen, "The CMA Evolution Strategy: A Tutorial", arXiv:1604.00772, 2016; its parameters by their
 * names there): points are drawn from a normal distribution whose mean, width and shape follow the better half of those before. Where it
 * has closed in on a place, it begins anew elsewhere with twice the points (A. Auger, N. Hansen, CEC 2005).
 */
import { exp, ln } from '../simulated/exponential.ts'
import { normal } from '../simulated/normal.ts'
import { Random } from '../simulated/random.ts'
import { axesOf, type Matrix } from './principalAxes.ts'
import { byFirstCost, type Sampler, type Seen } from './sampler.ts'

/** Width at the beginning, as a share of an axis. */
const WIDTH = 0.3
/** Narrower than this on every axis nothing new is found: parameters have six digits. */
const NARROWEST = 1e-6
/** Draws beyond the bounds before a point is moved onto them. */
const DRAWS = 100
const BELOW_ONE = 1 - 2 ** -53

export class CmaEs implements Sampler {
  readonly beginning = 0
  #lambda: number
  #state: State

  constructor(axes: number) {
    this.#lambda = 4 + Math.floor(3 * ln(axes))
    this.#state = new State(new Array<number>(axes).fill(0.5), this.#lambda)
  }

  get batch(): number {
    return this.#lambda
  }

  proposed(seed: string): number[] {
    const random = new Random(seed)
    for (let draw = 0; draw < DRAWS; draw++) {
      const point = this.#state.draw(random)
      if (point.every((u) => u >= 0 && u < 1)) return point
    }
    return this.#state.draw(random).map((u) => Math.min(Math.max(u, 0), BELOW_ONE))
  }

  learn(seen: readonly Seen[], fresh: number): void {
    const batch = seen.slice(-fresh).sort(byFirstCost)
    if (batch.length === this.#lambda) this.#state.learn(batch.map(({ at }) => at))
  }

  get isSpent(): boolean {
    return this.#state.width < NARROWEST
  }

  restart(at: readonly number[]): void {
    this.#lambda *= 2
    this.#state = new State([...at], this.#lambda)
  }
}

/** The distribution, and what it is adapted by. */
class State {
  readonly #n: number
  readonly #weights: readonly number[]
  readonly #muEff: number
  readonly #rates: { readonly c: number; readonly s: number; readonly one: number; readonly mu: number }
  readonly #damping: number
  /** How long a normal vector is in the mean. */
  readonly #chi: number
  #mean: number[]
  #sigma = WIDTH
  #covariance: Matrix
  /** Columns of B, and the square roots on the diagonal of D: C = B·D²·Bᵀ. */
  #basis: Matrix
  #scale: number[]
  #pathS: number[]
  #pathC: number[]
  /** (1 − c_σ) to the power of twice the generations. */
  #unsettled = 1

  constructor(mean: number[], lambda: number) {
    const n = mean.length
    this.#n = n
    this.#mean = mean
    const mu = Math.floor(lambda / 2)
    const raw = Array.from({ length: mu }, (_, rank) => ln((lambda + 1) / 2) - ln(rank + 1))
    const sum = raw.reduce((all, weight) => all + weight, 0)
    this.#weights = raw.map((weight) => weight / sum)
    const muEff = 1 / this.#weights.reduce((all, weight) => all + weight * weight, 0)
    this.#muEff = muEff
    const one = 2 / ((n + 1.3) * (n + 1.3) + muEff)
    const s = (muEff + 2) / (n + muEff + 5)
    this.#rates = {
      c: (4 + muEff / n) / (n + 4 + (2 * muEff) / n),
      s,
      one,
      mu: Math.min(1 - one, (2 * (muEff - 2 + 1 / muEff)) / ((n + 2) * (n + 2) + muEff)),
    }
    this.#damping = 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + s
    this.#chi = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    this.#covariance = identity(n)
    this.#basis = identity(n)
    this.#scale = new Array<number>(n).fill(1)
    this.#pathS = new Array<number>(n).fill(0)
    this.#pathC = new Array<number>(n).fill(0)
  }

  /** The widest of its axes. */
  get width(): number {
    return this.#sigma * Math.max(...this.#scale)
  }

  draw(random: Random): number[] {
    const step = times(
      this.#basis,
      this.#scale.map((scale) => scale * normal(random)),
    )
    return this.#mean.map((mean, axis) => mean + this.#sigma * (step[axis] as number))
  }

  /** @param points of one generation, best first. */
  learn(points: readonly (readonly number[])[]): void {
    const { c, s, one, mu } = this.#rates
    const steps = this.#weights.map((_, rank) =>
      this.#mean.map((mean, axis) => ((points[rank]?.[axis] as number) - mean) / this.#sigma),
    )
    const step = this.#mean.map((_, axis) =>
      this.#weights.reduce((sum, weight, rank) => sum + weight * (steps[rank]?.[axis] as number), 0),
    )
    this.#mean = this.#mean.map((mean, axis) => mean + this.#sigma * (step[axis] as number))

    const gainS = Math.sqrt(s * (2 - s) * this.#muEff)
    const round = this.#whitened(step)
    this.#pathS = this.#pathS.map((path, axis) => (1 - s) * path + gainS * (round[axis] as number))
    const length = Math.sqrt(this.#pathS.reduce((sum, path) => sum + path * path, 0))
    this.#unsettled *= (1 - s) * (1 - s)
    const settled = Math.sqrt(1 - this.#unsettled)
    const isOrdinary = length / settled < (1.4 + 2 / (this.#n + 1)) * this.#chi
    const gainC = isOrdinary ? Math.sqrt(c * (2 - c) * this.#muEff) : 0
    this.#pathC = this.#pathC.map((path, axis) => (1 - c) * path + gainC * (step[axis] as number))

    const lost = isOrdinary ? 0 : c * (2 - c)
    this.#covariance = this.#covariance.map((row, i) =>
      row.map((value, j) => {
        const rankOne = (this.#pathC[i] as number) * (this.#pathC[j] as number)
        const rankMu = this.#weights.reduce(
          (sum, weight, rank) => sum + weight * (steps[rank]?.[i] as number) * (steps[rank]?.[j] as number),
          0,
        )
        return (1 - one - mu + one * lost) * value + one * rankOne + mu * rankMu
      }),
    )
    this.#sigma *= exp(Math.min(1, (s / this.#damping) * (length / this.#chi - 1)))
    const { values, vectors } = axesOf(this.#covariance)
    this.#basis = vectors
    this.#scale = values.map((value) => Math.sqrt(Math.max(value, 1e-20)))
  }

  /** C^(−1/2)·v. */
  #whitened(vector: readonly number[]): number[] {
    const turned = this.#scale.map((scale, axis) => {
      const along = vector.reduce((sum, value, row) => sum + value * (this.#basis[row]?.[axis] as number), 0)
      return along / scale
    })
    return times(this.#basis, turned)
  }
}

function identity(n: number): number[][] {
  return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(i === j)))
}

function times(matrix: Matrix, vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, value, axis) => sum + value * (vector[axis] as number), 0))
}
