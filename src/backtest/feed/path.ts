/**
 * The prices a bar visits. A bar tells four prices and not their order, and the order decides whether a stop or a
 * take-profit is hit first; so it is chosen, and the choice is part of a backtest's result.
 */

/**
 * - `adverse`: the extreme that hurts comes first. Long: open, low, high, close. Short: open, high, low, close. Without
 *   a position, or with both sides open, no extreme is the bad one: the one nearer to the open comes first, as a price
 *   that wanders usually gets there first, and the low on a tie.
 * - `optimistic`: the two extremes the other way round.
 */
export type BarPath = 'adverse' | 'optimistic'

/** The other order of the two extremes. */
export function turned(path: BarPath): BarPath {
  return path === 'adverse' ? 'optimistic' : 'adverse'
}

/** The positions open in the market as the bar opens. */
export type ExposedSide = 'long' | 'short' | 'flat' | 'both'

/** Prices on the path of a bar. */
export const PATH_STEPS = 4

/**
 * Writes the four prices of a bar's path, made of `open`, `high`, `low` and `close`, all fp9, to `prices` from the index `at` on.
 * Nothing is allocated.
 *
 * ```ts
 * const prices: bigint[] = []
 * writeBarPath('adverse', 'long', 100n, 110n, 90n, 105n, prices)
 * prices.join() // → 100,90,110,105
 * ```
 */
export function writeBarPath(
  path: BarPath,
  side: ExposedSide,
  open: bigint,
  high: bigint,
  low: bigint,
  close: bigint,
  prices: BigInt64Array | bigint[],
  at = 0,
): void {
  const lowFirst = lowIsFirst(path, side, open - low <= high - open)
  prices[at] = open
  prices[at + 1] = lowFirst ? low : high
  prices[at + 2] = lowFirst ? high : low
  prices[at + 3] = close
}

/** Whether the low of a bar comes before its high; `lowIsNearer` to the open, or as near. */
export function lowIsFirst(path: BarPath, side: ExposedSide, lowIsNearer: boolean): boolean {
  const adverseIsLow = side === 'long' || (side !== 'short' && lowIsNearer)
  return adverseIsLow === (path === 'adverse')
}

/**
 * When a step (0 to 3) of the path of a bar takes place: the open at `openTime`, the extremes at ⌊1/3⌋ and ⌊2/3⌋ of the
 * interval, the close one millisecond before the next bar opens. Ascending for intervals from 4 ms up.
 */
export function barStepTime(openTime: number, intervalMs: number, step: number): number {
  return step === PATH_STEPS - 1 ? openTime + intervalMs - 1 : openTime + Math.floor((step * intervalMs) / 3)
}

/** The longest time between two steps of the path of a bar, and between its last and the first of the next; ms. */
export function longestStep(intervalMs: number): number {
  const times = Array.from({ length: PATH_STEPS }, (_, step) => barStepTime(0, intervalMs, step))
  return Math.max(1, ...times.map((time, step) => time - (times[step - 1] ?? 0)))
}
