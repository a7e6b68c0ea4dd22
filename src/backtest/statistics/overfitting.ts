/** Whether the best of many sets over one half of the time is good over the other as well. */

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
  const ratios = new HalfRatios(table)
  const ofHalf = 2 ** table.halfParts
  const all = ofHalf - 1
  const lost = new Float64Array(ofHalf * ofHalf)
  // A half and the other one are each other's outside, so that both are reckoned together, and once.
  for (let high = 0; high < ofHalf / 2; high++) {
    ratios.chooseHigh(high)
    for (const [place, low] of ratios.lows.entries()) {
      const [one, other] = ratios.at(place)
      lost[high * ofHalf + low] = lostOutside(one, other)
      lost[(all - high) * ofHalf + (all - low)] = lostOutside(other, one)
    }
  }
  const halves = lost.reduce((count, _, half) => count + (bitsIn(half) === table.halfParts ? 1 : 0), 0)
  return lost.reduce((sum, value) => sum + value, 0) / halves
}

/** Of each set the sum of its returns in every part, and that of their squares. */
class PartTable {
  readonly sets: number
  readonly parts: number
  /** Parts of the first half of the time, or of the second. */
  readonly halfParts: number
  /** Returns in half of the parts. */
  readonly count: number
  /** Those of one set follow each other. */
  readonly sums: Float64Array
  readonly squares: Float64Array

  constructor(sets: readonly (readonly number[])[], from: number, parts: number) {
    const length = ((sets[0] as readonly number[]).length - from) / parts
    this.sets = sets.length
    this.parts = parts
    this.halfParts = parts / 2
    this.count = this.halfParts * length
    this.sums = new Float64Array(sets.length * parts)
    this.squares = new Float64Array(sets.length * parts)
    for (const [set, returns] of sets.entries())
      for (let part = 0; part < parts; part++) {
        let [sum, squares] = [0, 0]
        for (let at = from + part * length; at < from + (part + 1) * length; at++) {
          const value = returns[at] as number
          sum += value
          squares += value * value
        }
        this.sums[set * parts + part] = sum
        this.squares[set * parts + part] = squares
      }
  }
}

/**
 * Sharpe ratios of all sets over halves of the parts. A half is chosen by the bits of two numbers, the earlier parts and the later.
 * Set by set, so that what a set's halves are made of stays in the processor's nearest cache: a study has 100,000 sets and
 * 12,870 halves.
 */
class HalfRatios {
  /** What the earlier parts may be, the later ones being as they were chosen last. */
  lows: readonly number[] = []
  readonly #table: PartTable
  /** Under the place of a number in {@link lows}: a ratio for each set, over the half, and over all that is not in it. */
  readonly #chosen: Float64Array[] = []
  readonly #left: Float64Array[] = []

  constructor(table: PartTable) {
    this.#table = table
  }

  /** The later parts of the halves. What was told of halves before is overwritten. */
  chooseHigh(high: number): void {
    const { sets, parts, halfParts, count, sums, squares } = this.#table
    const ofHalf = 2 ** halfParts
    const all = ofHalf - 1
    const lows = Array.from({ length: ofHalf }, (_, low) => low).filter(
      (low) => bitsIn(low) + bitsIn(high) === halfParts,
    )
    const [ofChosen, ofLeft] = [this.#chosen, this.#left]
    while (ofChosen.length < lows.length) {
      ofChosen.push(new Float64Array(sets))
      ofLeft.push(new Float64Array(sets))
    }
    this.lows = lows
    const early = { sums: new Float64Array(ofHalf), squares: new Float64Array(ofHalf) }
    for (let set = 0; set < sets; set++) {
      const first = set * parts
      addUp(early.sums, sums, first)
      addUp(early.squares, squares, first)
      const late = first + halfParts
      const [highSum, highSquare] = [sumOf(sums, late, high), sumOf(squares, late, high)]
      const [restSum, restSquare] = [sumOf(sums, late, all - high), sumOf(squares, late, all - high)]
      for (let place = 0; place < lows.length; place++) {
        const low = lows[place] as number
        ;(ofChosen[place] as Float64Array)[set] = sharpeOf(
          (early.sums[low] as number) + highSum,
          (early.squares[low] as number) + highSquare,
          count,
        )
        ;(ofLeft[place] as Float64Array)[set] = sharpeOf(
          (early.sums[all - low] as number) + restSum,
          (early.squares[all - low] as number) + restSquare,
          count,
        )
      }
    }
  }

  /** Over the half whose earlier parts have that place in {@link lows}, and over the other half. */
  at(place: number): readonly [chosen: Float64Array, left: Float64Array] {
    return [this.#chosen[place] as Float64Array, this.#left[place] as Float64Array]
  }
}

/** The values from `first` on whose bits are set, added in their order. */
function sumOf(values: Float64Array, first: number, chosen: number): number {
  let sum = 0
  for (let bit = 0; chosen >> bit > 0; bit++)
    if (((chosen >> bit) & 1) === 1) sum += values[first + bit] as number
  return sum
}

/** The sums of all choices of some values, from `first` on: under the number whose bits choose them, each added in their order. */
function addUp(sums: Float64Array, values: Float64Array, first: number): void {
  for (let bit = 0, size = 1; size < sums.length; bit++, size *= 2) {
    const value = values[first + bit] as number
    for (let chosen = 0; chosen < size; chosen++) sums[size + chosen] = (sums[chosen] as number) + value
  }
}

function sharpeOf(sum: number, squares: number, count: number): number {
  const variance = Math.max(0, (squares - (sum * sum) / count) / (count - 1))
  return sum === 0 ? 0 : sum / count / Math.sqrt(variance)
}

/** Of the sets that are best inside, the share that is no better than the middle outside: those with no more sets below them than above. */
function lostOutside(inside: Float64Array, outside: Float64Array): number {
  let highest = Number.NEGATIVE_INFINITY
  let best: number[] = []
  for (let set = 0; set < inside.length; set++) {
    const value = inside[set] as number
    if (value < highest) continue
    if (value > highest) [highest, best] = [value, []]
    best.push(outside[set] as number)
  }
  if (best.every((value) => value === best[0])) return isInLowerHalf(best[0] as number, outside) ? 1 : 0
  const middle = outside.toSorted()[(outside.length - 1) >> 1] as number
  const isMiddleLost = isInLowerHalf(middle, outside)
  return best.filter((value) => value < middle || (value === middle && isMiddleLost)).length / best.length
}

function isInLowerHalf(value: number, among: Float64Array): boolean {
  let [below, above] = [0, 0]
  for (let set = 0; set < among.length; set++) {
    const other = among[set] as number
    below += Number(other < value)
    above += Number(other > value)
  }
  return below <= above
}

function bitsIn(mask: number): number {
  let bits = 0
  for (let rest = mask; rest > 0; rest >>= 1) bits += rest & 1
  return bits
}
