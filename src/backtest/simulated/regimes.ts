/** The states a market is in: calm, ordinary, wild, by how far it has moved of late. */

/** The regime of every row of a sample but the first, which has none before it. */
export interface Regimes {
  /** By row, from 0: the calmest. */
  readonly of: Uint8Array
  /** The rows of each regime, ascending; none is empty. */
  readonly rows: readonly Uint32Array[]
}

/**
 * Regimes of equal size by the mean absolute change over the rows before a row: what was known when it began. Of several markets
 * it is the mean, each measured by its own ordinary change.
 *
 * ```ts
 * const changes = Float64Array.of(0, 0.001, 0.001, 0.05, 0.06, 0.001, 0.002)
 * const regimes = volatilityRegimes([changes], 1, 2)
 * regimes.of.join() // → 0,0,0,0,1,1,1
 * regimes.rows.length // → 2
 * ```
 *
 * @param changes by market, the change of each row from the one before it as a fraction; row 0 is not looked at.
 * @param window how many rows are looked back on, at least 1.
 * @param count how many regimes; fewer where the rows do not suffice.
 */
export function volatilityRegimes(changes: readonly Float64Array[], window: number, count = 3): Regimes {
  const size = changes[0]?.length ?? 0
  const state = new Float64Array(size)
  for (const own of changes) addLooseness(own, window, state)
  const byState = Uint32Array.from({ length: size - 1 }, (_, index) => index + 1).sort(
    (one, other) => (state[one] as number) - (state[other] as number) || one - other,
  )
  const of = new Uint8Array(size)
  const regimes = Math.max(1, Math.min(count, byState.length))
  const rows = Array.from({ length: regimes }, (_, regime) => {
    const from = Math.floor((regime * byState.length) / regimes)
    return byState.slice(from, Math.floor(((regime + 1) * byState.length) / regimes)).sort()
  })
  for (const [regime, own] of rows.entries()) for (const row of own) of[row] = regime
  return { of, rows }
}

/** Adds to each row's state how far the market had moved over the window before it, in ordinary changes. */
function addLooseness(changes: Float64Array, window: number, state: Float64Array): void {
  const sums = new Float64Array(changes.length + 1)
  for (let row = 1; row < changes.length; row++)
    sums[row + 1] = (sums[row] as number) + Math.abs(changes[row] as number)
  const ordinary = (sums[changes.length] as number) / (changes.length - 1)
  if (ordinary === 0) return
  for (let row = 2; row < changes.length; row++) {
    const first = Math.max(1, row - window)
    state[row] =
      (state[row] as number) + ((sums[row] as number) - (sums[first] as number)) / (row - first) / ordinary
  }
  // The first row that can be drawn has nothing to look back on: it counts as the second.
  if (changes.length > 2) state[1] = state[2] as number
}
