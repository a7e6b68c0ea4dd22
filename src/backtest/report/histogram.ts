/** A histogram with round bounds, zero being one of them, so that gains and losses never share a bar. */

export interface Histogram {
  /** Lower bound of each bar; all are `width` wide. */
  readonly from: readonly number[]
  readonly width: number
  readonly count: readonly number[]
}

export const MOST_BARS = 40

/**
 * Every value lies in [from, from + width) of exactly one bar. Null without values, and where all are zero.
 *
 * @param reaching values that the bars reach to without counting them.
 */
export function histogram(
  values: readonly number[],
  mostBars = MOST_BARS,
  reaching: readonly number[] = [],
): Histogram | null {
  const shown = [...values, ...reaching]
  if (values.length === 0 || shown.every((value) => value === 0)) return null
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of shown) {
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  const width = roundUp(Math.max(most - least, Math.abs(most) * 1e-6, 1e-9) / (mostBars - 1))
  const first = Math.floor(least / width)
  const count = new Array<number>(Math.floor(most / width) - first + 1).fill(0)
  for (const value of values) {
    const bar = Math.floor(value / width) - first
    count[bar] = (count[bar] as number) + 1
  }
  return { from: count.map((_, bar) => (first + bar) * width), width, count }
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 2.5, 5].find((step) => value <= step * power * (1 + 1e-9)) ?? 10
  return factor * power
}
