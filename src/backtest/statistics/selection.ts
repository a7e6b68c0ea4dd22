/** Whether the best of many sets is more than the luckiest of them. Periodic returns, see `periodicReturns`. */
import { normalProbability, normalQuantile } from '../simulated/normal.ts'

/** The Sharpe ratio of the best set, and what it was chosen from. All ratios are per period, not annualised. */
export interface SelectedSharpe {
  /** Mean return over its standard deviation. */
  readonly sharpe: number
  /** How many returns it was measured on, at least 2. */
  readonly observations: number
  /** Of the returns; 0 where they are symmetric. */
  readonly skewness: number
  /** Not the excess: 3 for normal returns. */
  readonly kurtosis: number
  /** Independent sets it was chosen from, at least 1. */
  readonly trials: number
  /** Variance of the Sharpe ratio among the sets, at least 0. */
  readonly variance: number
}

const EULER_MASCHERONI = 0.5772156649015329

/**
 * Deflated Sharpe ratio (D. H. Bailey, M. López de Prado, "The Deflated Sharpe Ratio", J. Portfolio Management 40 (5),
 * 2014): the probability that the true Sharpe ratio is above what the best of so many sets without skill is expected to
 * reach, √V·((1 − γ)·Z(1 − 1/N) + γ·Z(1 − 1/(N·e))).
 *
 * ```ts
 * const selected = { sharpe: 0.1, observations: 1000, skewness: 0, kurtosis: 3 }
 * deflatedSharpeRatio({ ...selected, trials: 100, variance: 0.0005 })?.toFixed(3) // → 0.914
 * ```
 *
 * @returns 0 to 1; `null` where the moments leave the ratio no positive variance.
 * @throws RangeError for fewer than two observations, less than one trial, a variance below 0, or what is no number.
 */
export function deflatedSharpeRatio(selected: SelectedSharpe): number | null {
  const { sharpe, observations, skewness, kurtosis, trials, variance } = selected
  const isGiven = Object.values(selected).every(Number.isFinite)
  if (!isGiven || observations < 2 || trials < 1 || variance < 0)
    throw new RangeError('a deflated Sharpe ratio takes numbers, 2 observations, 1 trial, a variance from 0')
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2
  if (spread <= 0) return null
  const byLuck = bestSharpeByLuck(trials, variance)
  return normalProbability(((sharpe - byLuck) * Math.sqrt(observations - 1)) / Math.sqrt(spread))
}

/**
 * The Sharpe ratio per period that the best of so many independent sets without skill is expected to reach: `trials` is how many,
 * `variance` that of the ratio among them.
 *
 * ```ts
 * bestSharpeByLuck(100, 1).toFixed(2) // → 2.53
 * ```
 */
export function bestSharpeByLuck(trials: number, variance: number): number {
  return Math.sqrt(variance) * expectedMaximum(trials)
}

/**
 * Mean correlation of the returns of all pairs of sets; sets whose returns do not vary have none and are left out. With
 * each set's returns brought to length 1 around their mean, it is (|Σ z|² − n) / (n·(n − 1)).
 *
 * ```ts
 * averageCorrelation([[1, 2, 3, 4], [2, 4, 6, 8]])?.toFixed(3) // → 1.000
 * averageCorrelation([[1, 2, 3, 4], [1, 1, 1, 1]]) // → null
 * ```
 *
 * @returns −1 to 1, or `null` for fewer than two sets that vary.
 */
export function averageCorrelation(sets: readonly (readonly number[])[]): number | null {
  const varying = sets.filter((returns) => returns.some((value) => value !== returns[0]))
  const count = varying.length
  if (count < 2) return null
  const total = new Array<number>(varying[0]?.length ?? 0).fill(0)
  for (const returns of varying) {
    const mean = sumOf(returns) / returns.length
    const length = Math.sqrt(sumOf(returns.map((value) => (value - mean) ** 2)))
    for (let period = 0; period < returns.length; period++)
      total[period] = (total[period] as number) + ((returns[period] as number) - mean) / length
  }
  return (sumOf(total.map((value) => value * value)) - count) / (count * (count - 1))
}

/** Of so many standard normal deviates, as the paper approximates it; of one deviate, 0, and of little more never less. */
function expectedMaximum(count: number): number {
  if (count === 1) return 0
  const first = normalQuantile(1 - 1 / count)
  const second = normalQuantile(1 - 1 / (count * Math.E))
  return Math.max(0, (1 - EULER_MASCHERONI) * first + EULER_MASCHERONI * second)
}

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation (D. H. Bailey, J. Borwein, M. López de
 * Prado, Q. J. Zhu, J. Computational Finance 20 (4), 2017): the time is cut into equal parts, and over every half of them
 * the set with the best Sharpe ratio is chosen. Told is how often it ranks no higher than the middle of all sets over the
 * other half: about one half where the choice says nothing. Sets that are chosen equally share a choice; equal ranks are
 * averaged. A set whose returns are all 0 has the ratio 0.
 *
 * ```ts
 * const sets = [1, 2, 3, 4].map((set) => Array.from({ length: 64 }, (_, day) => (Math.sin(day * set) + set / 10) / 100))
 * probabilityOfOverfitting(sets, 8).toFixed(3) // → 0.000
 * ```
 *
 * @param sets the returns of each set over the same periods; the oldest that no equal part has room for are left out.
 * @param parts even, 2 to 16.
 * @throws RangeError for fewer than two sets, sets of different length, or fewer than two returns in a part.
 */
export function probabilityOfOverfitting(sets: readonly (readonly number[])[], parts = 16): number {
  const periods = sets[0]?.length ?? 0
  if (sets.length < 2 || sets.some(({ length }) => length !== periods))
    throw new RangeError('overfitting is told of two sets or more with as many returns each')
  if (!(Number.isInteger(parts / 2) && parts >= 2 && parts <= 16))
    throw new RangeError('the number of parts is even, 2 to 16')
  const partLength = Math.floor(periods / parts)
  if (partLength < 2) throw new RangeError('each part takes two returns or more')
  const ratios = sets.map((returns) => new RatiosOfParts(returns.slice(periods % parts), parts))
  const [inside, outside] = [new Float64Array(sets.length), new Float64Array(sets.length)]
  const all = 2 ** parts - 1
  let [halves, overfitted] = [0, 0]
  for (let chosen = 0; chosen <= all; chosen++) {
    if (bitsIn(chosen) !== parts / 2) continue
    for (let set = 0; set < sets.length; set++) {
      const ofSet = ratios[set] as RatiosOfParts
      inside[set] = ofSet.over(chosen)
      outside[set] = ofSet.over(all - chosen)
    }
    halves += 1
    overfitted += lostOutside(inside, outside)
  }
  return overfitted / halves
}

/**
 * Sharpe ratios of one set over any half of the parts, given as the bits of a number. The sums over every choice of the
 * first half of the parts are kept, and over every choice of the second: a ratio adds two of them.
 */
class RatiosOfParts {
  readonly #halfBits: number
  readonly #count: number
  readonly #sums: readonly [Float64Array, Float64Array]
  readonly #squares: readonly [Float64Array, Float64Array]

  constructor(returns: readonly number[], parts: number) {
    const length = returns.length / parts
    const values = Array.from({ length: parts }, (_, part) =>
      returns.slice(part * length, (part + 1) * length),
    )
    const halves = (of: readonly number[]) =>
      [sumsOfChoices(of.slice(0, parts / 2)), sumsOfChoices(of.slice(parts / 2))] as const
    this.#halfBits = parts / 2
    this.#count = (parts / 2) * length
    this.#sums = halves(values.map(sumOf))
    this.#squares = halves(values.map((part) => sumOf(part.map((value) => value * value))))
  }

  over(chosen: number): number {
    const low = chosen & (2 ** this.#halfBits - 1)
    const high = chosen >> this.#halfBits
    const sum = (this.#sums[0][low] as number) + (this.#sums[1][high] as number)
    if (sum === 0) return 0
    const squares = (this.#squares[0][low] as number) + (this.#squares[1][high] as number)
    const variance = Math.max(0, (squares - (sum * sum) / this.#count) / (this.#count - 1))
    return sum / this.#count / Math.sqrt(variance)
  }
}

/** By the bits of its index, the sum of the values chosen. */
function sumsOfChoices(values: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** values.length)
  for (let chosen = 1; chosen < sums.length; chosen++) {
    const last = 31 - Math.clz32(chosen)
    sums[chosen] = (sums[chosen - 2 ** last] as number) + (values[last] as number)
  }
  return sums
}

/** Of the sets that are best inside, the share that is no better than the middle outside. */
function lostOutside(inside: Float64Array, outside: Float64Array): number {
  const highest = inside.reduce((best, value) => Math.max(best, value))
  const best = outside.filter((_, set) => inside[set] === highest)
  const lost = best.filter((value) => {
    let [below, equal] = [0, 0]
    for (const other of outside) {
      if (other < value) below += 1
      else if (other === value) equal += 1
    }
    return below + (equal + 1) / 2 <= (outside.length + 1) / 2
  })
  return lost.length / best.length
}

function bitsIn(mask: number): number {
  let bits = 0
  for (let rest = mask; rest > 0; rest >>= 1) bits += rest & 1
  return bits
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
