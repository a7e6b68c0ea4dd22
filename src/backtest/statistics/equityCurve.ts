/** An account's equity over time, and its returns over equal periods. */

/** Points in ascending order of time. Between two points the equity is that of the earlier one. */
export interface EquityCurve {
  readonly length: number
  /** UTC ms. */
  readonly time: ArrayLike<number>
  /** fp9, quote currency. */
  readonly equity: BigInt64Array
}

/** How returns are sampled and brought to a year. */
export interface Sampling {
  /** Length of a period in ms. Default one day. */
  readonly periodMs?: number
  /** Periods of a year. Default 365 days of them; 252 is customary for days of exchanges that close. */
  readonly periodsPerYear?: number
}

export const DAY_MS = 86_400_000
export const YEAR_MS = 365 * DAY_MS

/** The defaults filled in. */
export function samplingOf(sampling: Sampling = {}): Required<Sampling> {
  const periodMs = sampling.periodMs ?? DAY_MS
  return { periodMs, periodsPerYear: sampling.periodsPerYear ?? YEAR_MS / periodMs }
}

/**
 * The returns E(t + period) / E(t) − 1 of consecutive periods, counted from the first point of the curve; what is left
 * of the last period is not used.
 *
 * @returns `null` where equity is not above zero at the start of a period, as the return then has no meaning; an empty
 *   list for a curve shorter than a period.
 */
export function periodicReturns(curve: EquityCurve, sampling?: Sampling): number[] | null {
  const { periodMs } = samplingOf(sampling)
  const returns: number[] = []
  if (curve.length === 0) return returns
  const start = curve.time[0] as number
  const end = curve.time[curve.length - 1] as number
  let before = curve.equity[0] as bigint
  let point = 0
  for (let period = 1; start + period * periodMs <= end; period++) {
    while (point + 1 < curve.length && (curve.time[point + 1] as number) <= start + period * periodMs)
      point += 1
    const after = curve.equity[point] as bigint
    if (before <= 0n) return null
    returns.push(Number(after - before) / Number(before))
    before = after
  }
  return returns
}
