// The tests of a walk put together, reckoned by hand.
import { expect, test } from 'vitest'
import type { VariantFigures } from '../../../../src/backtest/sweep/variantFigures.ts'
import {
  outOfSampleOf,
  stitchedDays,
  type WalkedFold,
} from '../../../../src/backtest/walkForward/stitched.ts'

const DAY_MS = 86_400_000
const figures = (dailyReturns: number[], totalReturn = 0) =>
  ({ dailyReturns, totalReturn }) as Partial<VariantFigures> as VariantFigures
const fold = (at: number, inSample: number[] | null, outOfSample: number[] | null): WalkedFold => ({
  train: { from: at * DAY_MS, to: (at + 4) * DAY_MS },
  test: { from: (at + 4) * DAY_MS, to: (at + 6) * DAY_MS },
  chosen: null,
  bars: { train: 4, test: 2 },
  inSample: inSample && figures(inSample),
  outOfSample:
    outOfSample &&
    figures(
      outOfSample,
      outOfSample.reduce((sum, value) => sum + value, 0),
    ),
})

test('days follow each other over the folds, and where nothing was chosen nothing happens', () => {
  const folds = [fold(0, [0.1], [0.5, -0.5]), fold(2, null, null), fold(4, [0], [1])]
  const days = stitchedDays(folds)
  expect(days.map(({ day }) => day / DAY_MS)).toEqual([4, 5, 6, 7, 8, 9])
  expect(days.map(({ fold }) => fold)).toEqual([0, 0, 1, 1, 2, 2])
  expect(days.map(({ equity }) => equity)).toEqual([1.5, 0.75, 0.75, 0.75, 1.5, 1.5])
  const { maxDrawdown, totalReturn, profitableFolds, sharpeRatio } = outOfSampleOf(folds, days)
  expect([maxDrawdown, totalReturn, profitableFolds, sharpeRatio]).toEqual([0.5, 0.5, 1, null])
})

test('the efficiency is the mean day outside over the mean day inside, none without a gain inside', () => {
  const of = (...folds: WalkedFold[]) => outOfSampleOf(folds, stitchedDays(folds)).efficiency
  // Inside 0.4 + 0.2 over eight days, outside 0.1 + 0.05 over four.
  expect(of(fold(0, [0.3, 0.1], [0.1, 0]), fold(2, [0.2], [0.05, 0]))).toBeCloseTo(0.15 / 4 / (0.6 / 8), 12)
  // A fold that was not traded had no training either.
  expect(of(fold(0, [0.3], [-0.1, 0]), fold(2, null, null))).toBeCloseTo(-0.1 / 2 / (0.3 / 4), 12)
  expect(of(fold(0, null, null))).toBeNull()
  expect(of(fold(0, [-0.3], [0.1, 0]))).toBeNull()
  expect(of(fold(0, [0], [0.1, 0]))).toBeNull()
})
