/** Losses from a peak of equity, on every point of the curve. */
import { wordsAt, wordsOf } from '../numbers/int64Words.ts'
import type { EquityCurve } from './equityCurve.ts'

/** From a peak until equity is back at it. */
export interface Drawdown {
  /** The last time at the peak, UTC ms. */
  readonly peakAt: number
  /** When the loss was largest, for the first time. */
  readonly troughAt: number
  /** When equity was at the peak again or above; `null` where the curve ends before. */
  readonly recoveredAt: number | null
  /** Peak minus trough, fp9. */
  readonly amount: bigint
  /** (peak − trough) / peak; above 1 where equity fell below zero. */
  readonly depth: number
  /** From the peak to the recovery, or to the end of the curve, ms. */
  readonly durationMs: number
}

/** All drawdowns of a curve in the order of time; none while equity has not been above zero. */
export function drawdownsOf(curve: EquityCurve): Drawdown[] {
  const drawdowns: Drawdown[] = []
  let peak = 0n
  let peakAt = 0
  let trough = 0n
  let troughAt = 0
  const close = (until: number, recoveredAt: number | null) => {
    if (trough >= peak) return
    const amount = peak - trough
    const depth = Number(amount) / Number(peak)
    drawdowns.push({ peakAt, troughAt, recoveredAt, amount, depth, durationMs: until - peakAt })
  }
  const words = wordsOf(curve.equity)
  let [nearPeak, nearTrough] = [0, 0]
  for (let point = 0; point < curve.length; point++) {
    // What lies between both as doubles does so exactly, because rounding keeps the order; most points do.
    const near = wordsAt(words, point)
    if (near > nearTrough && near < nearPeak) continue
    const time = curve.time[point] as number
    const equity = curve.equity[point] as bigint
    if (equity > 0n && equity >= peak) {
      close(time, time)
      peak = equity
      nearPeak = near
      peakAt = time
      trough = equity
      nearTrough = near
    } else if (peak > 0n && equity < trough) {
      trough = equity
      nearTrough = near
      troughAt = time
    }
  }
  if (curve.length > 0) close(curve.time[curve.length - 1] as number, null)
  return drawdowns
}

/** The deepest drawdown, the first of equally deep ones; `null` where equity never fell. */
export function maxDrawdown(drawdowns: readonly Drawdown[]): Drawdown | null {
  return drawdowns.reduce<Drawdown | null>(
    (worst, next) => (next.depth > (worst?.depth ?? 0) ? next : worst),
    null,
  )
}

/** The mean depth of all drawdowns, each counted once; `null` without any. */
export function averageDrawdown(drawdowns: readonly Drawdown[]): number | null {
  if (drawdowns.length === 0) return null
  return drawdowns.reduce((sum, { depth }) => sum + depth, 0) / drawdowns.length
}

/** The mean duration of all drawdowns in ms, an unfinished one up to the end of the curve; `null` without any. */
export function averageDrawdownDuration(drawdowns: readonly Drawdown[]): number | null {
  if (drawdowns.length === 0) return null
  return drawdowns.reduce((sum, { durationMs }) => sum + durationMs, 0) / drawdowns.length
}

/** The longest duration of a drawdown in ms, which need not be the deepest one's; 0 without any. */
export function longestDrawdownDuration(drawdowns: readonly Drawdown[]): number {
  return drawdowns.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 0)
}

/** Calmar ratio: compound annual growth over the depth of the deepest drawdown; `null` where either is missing. */
export function calmarRatio(annualGrowth: number | null, deepest: Drawdown | null): number | null {
  return annualGrowth === null || deepest === null ? null : annualGrowth / deepest.depth
}
