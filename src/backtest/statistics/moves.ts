/** The deepest falls and the largest rises of a market, found from its own prices. */

/** From one point of a series to a later one. */
export interface Move {
  /** Index of the first. */
  readonly from: number
  /** Index of the last. */
  readonly to: number
}

/**
 * The deepest falls, none of which overlaps another, the deepest first: of all pairs of points the one between which the price fell to the
 * smallest share of itself, then the same of what lies before it and after it. Of equal ones the first.
 *
 * ```ts
 * deepestFalls([10, 8, 9, 12, 6, 7], 2).map(({ from, to }) => `${from}-${to}`).join() // → 3-4,0-1
 * ```
 *
 * @param prices above zero.
 * @param most how many at most.
 */
export function deepestFalls(prices: ArrayLike<number>, most: number): Move[] {
  return steepest(prices, most, (early, late) => early / late)
}

/**
 * The largest rises, by the same rule: of a price that stood at one over itself they are the falls.
 *
 * ```ts
 * largestRises([10, 8, 9, 12, 6, 7], 2).map(({ from, to }) => `${from}-${to}`).join() // → 1-3,4-5
 * ```
 *
 * @param prices above zero.
 * @param most how many at most.
 */
export function largestRises(prices: ArrayLike<number>, most: number): Move[] {
  return steepest(prices, most, (early, late) => late / early)
}

/** How much a move is, above 1 where it goes the way that is looked for. */
type Size = (early: number, late: number) => number

interface Stretch {
  readonly from: number
  readonly to: number
  /** The largest within; null where nothing goes that way. */
  readonly move: Move | null
  readonly size: number
}

function steepest(prices: ArrayLike<number>, most: number, size: Size): Move[] {
  const stretches = [searched(prices, 0, prices.length - 1, size)]
  const found: Move[] = []
  while (found.length < most) {
    const best = stretches.reduce((most, one) => (one.size > most.size ? one : most))
    if (best.move === null) return found
    found.push(best.move)
    stretches.splice(
      stretches.indexOf(best),
      1,
      searched(prices, best.from, best.move.from, size),
      searched(prices, best.move.to, best.to, size),
    )
  }
  return found
}

function searched(prices: ArrayLike<number>, from: number, to: number, size: Size): Stretch {
  let [turn, largest] = [from, 1]
  let move: Move | null = null
  for (let at = from + 1; at <= to; at++) {
    const grown = size(prices[turn] as number, prices[at] as number)
    if (grown <= 1) turn = at
    else if (grown > largest) {
      largest = grown
      move = { from: turn, to: at }
    }
  }
  return { from, to, move, size: largest }
}
