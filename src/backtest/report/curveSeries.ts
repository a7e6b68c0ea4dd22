/**
 * The account curve thinned out for the eye: per stretch of time the points that draw its outline are kept, so peaks
 * and troughs are exact and the size does not grow with the data.
 */
import type { AccountCurve } from '../accounting/curve.ts'

/** Columns of equal length, small whole numbers for a small file. */
export interface CurveSeries {
  /** Seconds since 1970, the first in full, then differences. */
  readonly time: readonly number[]
  /** Cents. */
  readonly equity: readonly number[]
  readonly balance: readonly number[]
  /** Whole units of quote currency. */
  readonly exposure: readonly number[]
  /** Millionths below the running peak of equity, from zero down; the peak is that of every point, kept or not. */
  readonly drawdown: readonly number[]
}

/** More stretches than a screen has columns. */
const STRETCHES = 3_000
const CENT = 10_000_000
const UNIT = 1_000_000_000

export function curveSeries(curve: AccountCurve, stretches = STRETCHES): CurveSeries {
  const drawdown = drawdowns(curve)
  const time: number[] = []
  const equity: number[] = []
  const balance: number[] = []
  const exposure: number[] = []
  const falls: number[] = []
  let before = 0
  for (const point of outline(curve, drawdown, stretches)) {
    const seconds = Math.round((curve.time[point] as number) / 1000)
    time.push(seconds - before)
    before = seconds
    equity.push(Math.round(Number(curve.equity[point]) / CENT))
    balance.push(Math.round(Number(curve.balance[point]) / CENT))
    exposure.push(Math.round(Number(curve.exposure[point]) / UNIT))
    falls.push(Math.round((drawdown[point] as number) * 1e6))
  }
  return { time, equity, balance, exposure, drawdown: falls }
}

/** The points to keep, ascending: ends, and of each stretch the extremes of equity, drawdown and exposure. */
function outline(curve: AccountCurve, drawdown: Float64Array, stretches: number): number[] {
  const { length } = curve
  const size = Math.max(Math.ceil(length / stretches), 1)
  if (size <= 4) return Array.from({ length }, (_, point) => point)
  const kept = new Set([0, length - 1])
  for (let from = 0; from < length; from += size) {
    const to = Math.min(from + size, length)
    let [lowest, highest, deepest, fullest] = [from, from, from, from]
    for (let point = from + 1; point < to; point++) {
      if ((curve.equity[point] as bigint) < (curve.equity[lowest] as bigint)) lowest = point
      if ((curve.equity[point] as bigint) > (curve.equity[highest] as bigint)) highest = point
      if ((drawdown[point] as number) < (drawdown[deepest] as number)) deepest = point
      if ((curve.exposure[point] as bigint) > (curve.exposure[fullest] as bigint)) fullest = point
    }
    for (const point of [lowest, highest, deepest, fullest]) kept.add(point)
  }
  return [...kept].sort((a, b) => a - b)
}

function drawdowns(curve: AccountCurve): Float64Array {
  const falls = new Float64Array(curve.length)
  let peak = 0
  for (let point = 0; point < curve.length; point++) {
    const equity = Number(curve.equity[point])
    peak = Math.max(peak, equity)
    falls[point] = peak > 0 ? equity / peak - 1 : 0
  }
  return falls
}
