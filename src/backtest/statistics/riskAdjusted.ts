/** Returns set against their variation. All take periodic returns, see `periodicReturns`. */
import { type Sampling, samplingOf } from './equityCurve.ts'

/** Sampling, and what could be earned without risk. */
export interface RiskAdjustment extends Sampling {
  /** Return per year without risk; a period's share is this divided by the periods of a year. Default 0. */
  readonly riskFree?: number
}

/**
 * Annualised volatility: the sample standard deviation (n − 1) of the periodic returns times √(periods per year).
 *
 * @returns `null` for fewer than two returns.
 */
export function annualVolatility(returns: readonly number[], sampling?: Sampling): number | null {
  const deviation = sampleDeviation(returns)
  return deviation === null ? null : deviation * Math.sqrt(samplingOf(sampling).periodsPerYear)
}

/**
 * Sharpe ratio (W. F. Sharpe, "The Sharpe Ratio", J. Portfolio Management 1994), annualised: mean excess return of a
 * period over its sample standard deviation (n − 1), times √(periods per year).
 *
 * @returns `null` for fewer than two returns and where all are equal.
 */
export function sharpeRatio(returns: readonly number[], adjustment: RiskAdjustment = {}): number | null {
  const { periodsPerYear } = samplingOf(adjustment)
  const deviation = sampleDeviation(returns)
  if (deviation === null || deviation === 0) return null
  const excess = mean(returns) - (adjustment.riskFree ?? 0) / periodsPerYear
  return (excess / deviation) * Math.sqrt(periodsPerYear)
}

/**
 * Sortino ratio (F. A. Sortino, R. van der Meer, J. Portfolio Management 1991), annualised: mean excess return over the
 * downside deviation √(Σ min(0, excess)² / n), with all n periods in the denominator, times √(periods per year).
 *
 * @returns `null` for no returns and where no period fell short of the risk-free return.
 */
export function sortinoRatio(returns: readonly number[], adjustment: RiskAdjustment = {}): number | null {
  const { periodsPerYear } = samplingOf(adjustment)
  const target = (adjustment.riskFree ?? 0) / periodsPerYear
  if (returns.length === 0) return null
  const squares = returns.reduce((sum, value) => sum + Math.min(0, value - target) ** 2, 0)
  if (squares === 0) return null
  return ((mean(returns) - target) / Math.sqrt(squares / returns.length)) * Math.sqrt(periodsPerYear)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** √(Σ (x − mean)² / (n − 1)); exactly 0 for equal values, which rounding of the mean would hide. */
function sampleDeviation(values: readonly number[]): number | null {
  if (values.length < 2) return null
  if (values.every((value) => value === values[0])) return 0
  const centre = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1))
}
