/** How much an account grew. */
import { exp, ln1p } from '../simulated/exponential.ts'
import { type EquityCurve, YEAR_MS } from './equityCurve.ts'

/** Last equity minus first, fp9; 0 for an empty curve. */
export function netProfit(curve: EquityCurve): bigint {
  return curve.length === 0 ? 0n : (curve.equity[curve.length - 1] as bigint) - (curve.equity[0] as bigint)
}

/** Last equity / first equity − 1; `null` for an empty curve and for a first equity that is not above zero. */
export function totalReturn(curve: EquityCurve): number | null {
  const first = curve.equity[0]
  return first === undefined || first <= 0n ? null : Number(netProfit(curve)) / Number(first)
}

/**
 * Compound annual growth rate: (last equity / first equity)^(365 days / time between them) − 1. −1 where nothing is left.
 *
 * @returns `null` where the curve spans no time, starts without equity, or grows beyond all bounds.
 */
export function annualGrowth(curve: EquityCurve): number | null {
  const total = totalReturn(curve)
  const span = curve.length === 0 ? 0 : (curve.time[curve.length - 1] as number) - (curve.time[0] as number)
  if (total === null || span <= 0) return null
  if (total <= -1) return -1
  const growth = exp((ln1p(total) * YEAR_MS) / span) - 1
  return Number.isFinite(growth) ? growth : null
}
