/** The parts of the time that parameters are chosen on, and those that follow, on which they are tried. Whole UTC days. */
import type { DataPeriod } from '../plan/dataPeriod.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'

/** One step of a walk: [from, to), epoch ms. */
export interface Fold {
  readonly train: DataPeriod
  readonly test: DataPeriod
}

/** How the time is divided. */
export interface FoldOptions {
  /** How many tests follow each other without a gap, equally long. */
  readonly folds: number
  /** Training lasts as long as so many tests. Default 3. */
  readonly trainTests?: number
  /** Whether every training begins with the data and grows, instead of moving along. Default false. */
  readonly isAnchored?: boolean
  /** Days left out between a training and its test. Default 0. */
  readonly embargoDays?: number
}

/**
 * The last test ends with the last whole day. Days that do not divide are left out at the beginning.
 *
 * ```ts
 * const period = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) }
 * foldsOf(period, { folds: 4 }).length // → 4
 * ```
 *
 * @throws RangeError where a test would be shorter than a day.
 */
export function foldsOf(period: DataPeriod, options: FoldOptions): Fold[] {
  const { folds, trainTests = 3, isAnchored = false, embargoDays = 0 } = options
  const [first, end] = [Math.ceil(period.from / DAY_MS), Math.floor(period.to / DAY_MS)]
  const testDays = Math.floor((end - first - embargoDays) / (folds + trainTests))
  if (!(testDays >= 1))
    throw new RangeError(
      `${folds} tests of a day and a training of ${trainTests} take ${folds + trainTests + embargoDays} whole days; the data has ${Math.max(0, end - first)}`,
    )
  return Array.from({ length: folds }, (_, fold) => {
    const start = end - (folds - fold) * testDays
    const trained = start - embargoDays
    return {
      train: days(isAnchored ? first : trained - trainTests * testDays, trained),
      test: days(start, start + testDays),
    }
  })
}

function days(from: number, to: number): DataPeriod {
  return { from: from * DAY_MS, to: to * DAY_MS }
}
