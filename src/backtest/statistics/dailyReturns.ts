/** Returns per UTC day, as a calendar has them; the first and the last day may be shorter. */
import { DAY_MS, type EquityCurve } from './equityCurve.ts'

export interface DailyReturns {
  /** Midnights, seconds since 1970. */
  readonly days: readonly number[]
  /** Equity at the end of the day over equity at its start, minus one. */
  readonly returns: readonly number[]
}

export function dailyReturns(curve: EquityCurve): DailyReturns {
  const days: number[] = []
  const returns: number[] = []
  let start = curve.equity[0] ?? 0n
  for (let point = 0; point < curve.length; point++) {
    const day = Math.floor((curve.time[point] as number) / DAY_MS)
    const last = point + 1 === curve.length || Math.floor((curve.time[point + 1] as number) / DAY_MS) !== day
    if (!last) continue
    const end = curve.equity[point] as bigint
    days.push((day * DAY_MS) / 1000)
    returns.push(start > 0n ? Number(end - start) / Number(start) : 0)
    start = end
  }
  return { days, returns }
}
