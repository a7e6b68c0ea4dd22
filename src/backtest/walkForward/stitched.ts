/** The tests of a walk put together: what an account would have done that took each choice up when it was made. */
import type { DataPeriod } from '../plan/dataPeriod.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import { sharpeRatio } from '../statistics/riskAdjusted.ts'
import { LEAST_RETURNS } from '../statistics/statistics.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import type { VariantFigures } from '../sweep/variantFigures.ts'

/**
 * One fold with what was chosen; null where it has too few bars, and where no set kept every condition and had the figure that is
 * ranked by.
 */
export interface WalkedFold {
  readonly train: DataPeriod
  readonly test: DataPeriod
  readonly chosen: StrategyParameters | null
  readonly inSample: VariantFigures | null
  readonly outOfSample: VariantFigures | null
  /** Bars, or ticks, of the market that has the fewest. */
  readonly bars: { readonly train: number; readonly test: number }
}

/** One day outside of any training. */
export interface StitchedDay {
  /** Midnight, UTC ms. */
  readonly day: number
  /** Counted from 0. */
  readonly fold: number
  /** As a fraction of the equity the day began with. */
  readonly return: number
  /** What one unit of money at the beginning has become, a multiple of it. */
  readonly equity: number
}

/** The figures of the days outside of any training. */
export interface OutOfSample {
  /** How many there are. */
  readonly days: number
  /** As a fraction. */
  readonly totalReturn: number
  /** Annualised; null for fewer than 20 days and where nothing varied. */
  readonly sharpeRatio: number | null
  /** Of the equity at the ends of days, as a fraction of the peak. */
  readonly maxDrawdown: number
  /** Folds whose test ended with a profit. */
  readonly profitableFolds: number
  /**
   * Mean daily return of the tests over that of their trainings (R. Pardo's walk-forward efficiency), of the folds that were traded;
   * null without a gain in the trainings.
   */
  readonly efficiency: number | null
}

/** Day by day; after a verdict, and where no set was chosen, nothing happens. */
export function stitchedDays(folds: readonly WalkedFold[]): StitchedDay[] {
  let equity = 1
  return folds.flatMap(({ test, outOfSample }, fold) =>
    Array.from({ length: (test.to - test.from) / DAY_MS }, (_, index) => {
      const value = outOfSample?.dailyReturns[index] ?? 0
      equity *= 1 + value
      return { day: test.from + index * DAY_MS, fold, return: value, equity }
    }),
  )
}

export function outOfSampleOf(folds: readonly WalkedFold[], days: readonly StitchedDay[]): OutOfSample {
  const returns = days.map((day) => day.return)
  let [peak, depth] = [1, 0]
  for (const { equity } of days) {
    peak = Math.max(peak, equity)
    depth = Math.max(depth, 1 - equity / peak)
  }
  const traded = folds.filter(({ inSample, outOfSample }) => inSample !== null && outOfSample !== null)
  const inside = meanDay(traded.map(({ train, inSample }) => [train, inSample]))
  const outside = meanDay(traded.map(({ test, outOfSample }) => [test, outOfSample]))
  return {
    days: days.length,
    totalReturn: (days.at(-1)?.equity ?? 1) - 1,
    sharpeRatio: days.length < LEAST_RETURNS ? null : sharpeRatio(returns),
    maxDrawdown: depth,
    profitableFolds: folds.filter(({ outOfSample }) => (outOfSample?.totalReturn ?? 0) > 0).length,
    efficiency: inside > 0 ? outside / inside : null,
  }
}

/** Mean daily return over all of the periods; after a verdict a day returns nothing. 0 of none. */
function meanDay(parts: readonly (readonly [DataPeriod, VariantFigures | null])[]): number {
  const days = parts.reduce((sum, [{ from, to }]) => sum + (to - from) / DAY_MS, 0)
  const returns = parts.flatMap(([, figures]) => figures?.dailyReturns ?? [])
  return days === 0 ? 0 : returns.reduce((sum, value) => sum + value, 0) / days
}
