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
  /** How many tests follow each other without a gap, equally long unless `testDays` says otherwise. */
  readonly folds: number
  /** The length of each test, as many as there are folds. Default: equal ones over all of the data. */
  readonly testDays?: readonly number[]
  /** Training lasts as long as so many of the test that follows it. Default 3. */
  readonly trainTests?: number
  /** Training lasts so many days instead. */
  readonly trainDays?: number
  /** Whether every training begins with the data and grows, instead of moving along; it is then at least that long. Default false. */
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
  const { trainTests = TRAIN_TESTS, trainDays, isAnchored = false, embargoDays = 0 } = options
  const [first, end] = [Math.ceil(period.from / DAY_MS), Math.floor(period.to / DAY_MS)]
  const lengths = options.testDays ?? equalTests(end - first, options)
  if (
    lengths.length !== options.folds ||
    !lengths.every((length) => Number.isSafeInteger(length) && length > 0)
  )
    throw new RangeError(`${options.folds} folds take as many lengths of tests, whole days above zero`)
  let start = end - lengths.reduce((sum, length) => sum + length, 0)
  return lengths.map((length) => {
    const trained = start - embargoDays
    const from = trained - (trainDays ?? trainTests * length)
    if (from < first)
      throw new RangeError(
        `the training before the test of ${dateOf(start)} would begin on ${dateOf(from)}; the data has whole days from ${dateOf(first)}`,
      )
    const test = days(start, start + length)
    start += length
    return { train: days(isAnchored ? first : from, trained), test }
  })
}

const TRAIN_TESTS = 3

/** As long as the data allows. */
function equalTests(
  whole: number,
  { folds, trainTests = TRAIN_TESTS, trainDays, embargoDays = 0 }: FoldOptions,
): number[] {
  const length =
    trainDays === undefined
      ? Math.floor((whole - embargoDays) / (folds + trainTests))
      : Math.floor((whole - embargoDays - trainDays) / folds)
  if (!(length >= 1))
    throw new RangeError(
      `${folds} tests of a day and a training of ${trainDays ?? trainTests} take ${folds + (trainDays ?? trainTests) + embargoDays} whole days; the data has ${Math.max(0, whole)}`,
    )
  return new Array<number>(folds).fill(length)
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

function days(from: number, to: number): DataPeriod {
  return { from: from * DAY_MS, to: to * DAY_MS }
}
