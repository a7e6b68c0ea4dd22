/** Statistics over the last days, day by day: whether a run earned evenly, or once. */
import type { DailyReturns } from './dailyReturns.ts'
import { annualVolatility, sharpeRatio } from './riskAdjusted.ts'

/** Days that each row looks back on. */
export const ROLLING_DAYS = 30

/** The figures of the days that end with one. */
export interface RollingFigures {
  /** The last of them: midnight, seconds since 1970. */
  readonly day: number
  /** Compounded. */
  readonly totalReturn: number
  /** Annualised; null where there are too few. */
  readonly annualVolatility: number | null
  /** Annualised; null where nothing varied. */
  readonly sharpeRatio: number | null
  /** Deepest fall from a peak among the ends of these days, as a fraction of it. */
  readonly maxDrawdown: number
}

/** From the first day on that has so many before it and itself; of a shorter run none. */
export function rollingFigures({ days, returns }: DailyReturns, length = ROLLING_DAYS): RollingFigures[] {
  return days.slice(length - 1).map((day, index) => {
    const last = returns.slice(index, index + length)
    return {
      day,
      totalReturn: last.reduce((grown, value) => grown * (1 + value), 1) - 1,
      annualVolatility: annualVolatility(last),
      sharpeRatio: sharpeRatio(last),
      maxDrawdown: deepestFall(last),
    }
  })
}

function deepestFall(returns: readonly number[]): number {
  let [equity, peak, deepest] = [1, 1, 0]
  for (const value of returns) {
    equity *= 1 + value
    peak = Math.max(peak, equity)
    deepest = Math.max(deepest, 1 - equity / peak)
  }
  return deepest
}
