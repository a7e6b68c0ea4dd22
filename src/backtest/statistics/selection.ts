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
  const table = new PartTable(sets, periods % parts, parts)
  const [inside, outside] = [new Ratios(table), new Ratios(table)]
  const ofHalf = 2 ** (parts / 2)
  let [halves, overfitted] = [0, 0]
  for (let high = 0; high < ofHalf; high++) {
    inside.chooseHigh(high)
    outside.chooseHigh(ofHalf - 1 - high)
    for (let low = 0; low < ofHalf; low++) {
      if (bitsIn(low) + bitsIn(high) !== parts / 2) continue
      halves += 1
      overfitted += lostOutside(inside.over(low), outside.over(ofHalf - 1 - low))
    }
  }
  return overfitted / halves
}

/** Of each part a column with the sum of the returns of every set, and one of their squares: a study has many sets. */
class PartTable {
  readonly sets: number
  /** Parts of the first half of the time, or of the second. */
  readonly halfParts: number
  /** Returns in half of the parts. */
  readonly count: number
  readonly sums: readonly Float64Array[]
  readonly squares: readonly Float64Array[]

  constructor(sets: readonly (readonly number[])[], from: number, parts: number) {
    const length = ((sets[0] as readonly number[]).length - from) / parts
    this.sets = sets.length
    this.halfParts = parts / 2
    this.count = this.halfParts * length
    const columns = () => Array.from({ length: parts }, () => new Float64Array(sets.length))
    this.sums = columns()
    this.squares = columns()
    for (const [set, returns] of sets.entries())
      for (let part = 0; part < parts; part++) {
        let [sum, squares] = [0, 0]
        for (let at = from + part * length; at < from + (part + 1) * length; at++) {
          const value = returns[at] as number
          sum += value
          squares += value * value
        }
        ;(this.sums[part] as Float64Array)[set] = sum
        ;(this.squares[part] as Float64Array)[set] = squares
      }
  }
}

/** Sharpe ratios of all sets over half of the parts, chosen by the bits of two numbers: the earlier parts and the later. */
class Ratios {
  readonly #table: PartTable
  readonly #high: readonly [sums: Float64Array, squares: Float64Array]
  readonly #low: readonly [sums: Float64Array, squares: Float64Array]
  readonly #ratios: Float64Array

  constructor(table: PartTable) {
    const column = () => new Float64Array(table.sets)
    this.#table = table
    this.#high = [column(), column()]
    this.#low = [column(), column()]
    this.#ratios = column()
  }

  /** For all choices of the earlier parts that are asked for until the next. */
  chooseHigh(chosen: number): void {
    const { sums, squares, halfParts } = this.#table
    addChosen(this.#high[0], sums, chosen, halfParts)
    addChosen(this.#high[1], squares, chosen, halfParts)
  }

  /** Overwritten by the next. */
  over(chosen: number): Float64Array {
    const { sums, squares, count } = this.#table
    const [[highSums, highSquares], [lowSums, lowSquares]] = [this.#high, this.#low]
    addChosen(lowSums, sums, chosen, 0)
    addChosen(lowSquares, squares, chosen, 0)
    for (let set = 0; set < this.#ratios.length; set++) {
      const sum = (lowSums[set] as number) + (highSums[set] as number)
      const square = (lowSquares[set] as number) + (highSquares[set] as number)
      const variance = Math.max(0, (square - (sum * sum) / count) / (count - 1))
      this.#ratios[set] = sum === 0 ? 0 : sum / count / Math.sqrt(variance)
    }
    return this.#ratios
  }
}

/** The columns whose bits are set, from `first` on, added up in their order. */
function addChosen(
  total: Float64Array,
  columns: readonly Float64Array[],
  chosen: number,
  first: number,
): void {
  total.fill(0)
  for (let bit = 0; chosen >> bit > 0; bit++) {
    if (((chosen >> bit) & 1) === 0) continue
    const column = columns[first + bit] as Float64Array
    for (let set = 0; set < total.length; set++) total[set] = (total[set] as number) + (column[set] as number)
  }
}

/** Of the sets that are best inside, the share that is no better than the middle outside. */
function lostOutside(inside: Float64Array, outside: Float64Array): number {
  let highest = Number.NEGATIVE_INFINITY
  for (const value of inside) highest = Math.max(highest, value)
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
