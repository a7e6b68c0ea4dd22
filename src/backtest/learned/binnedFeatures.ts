/** Features in few parts, so that the best question about one is found by counting. */
import type { LearnedRow } from './learning.ts'

/** Places where a feature may be cut: between as many parts of its rows. */
export const BINS = 32

export interface BinnedFeature {
  /** Ascending; a value is in the bin of the first threshold that is not below it. */
  readonly thresholds: readonly number[]
  /** By row. */
  readonly bins: Uint8Array
}

export function binnedFeatures(rows: readonly LearnedRow[]): BinnedFeature[] {
  const width = rows[0]?.features.length ?? 0
  return Array.from({ length: width }, (_, column) => {
    const values = Float64Array.from(rows, ({ features }) => features[column] as number)
    const sorted = values.slice().sort()
    const cuts = Array.from(
      { length: BINS - 1 },
      (_, cut) => sorted[Math.ceil(((cut + 1) * sorted.length) / BINS) - 1] as number,
    )
    const thresholds = cuts.filter((cut, index) => cut !== cuts[index - 1])
    return { thresholds, bins: Uint8Array.from(values, (value) => binOf(value, thresholds)) }
  })
}

function binOf(value: number, thresholds: readonly number[]): number {
  const bin = thresholds.findIndex((threshold) => value <= threshold)
  return bin === -1 ? thresholds.length : bin
}
