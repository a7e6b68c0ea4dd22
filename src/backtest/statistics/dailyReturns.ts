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
  for (const { day, start, end } of daysOf(curve)) {
    days.push((day * DAY_MS) / 1000)
    returns.push(start > 0n ? Number(end - start) / Number(start) : 0)
  }
  return { days, returns }
}

/** One UTC day of a curve: how many days after 1970, and the equity at its start and at its end. */
interface CurveDay {
  readonly day: number
  readonly start: bigint
  readonly end: bigint
}

export function* daysOf(curve: EquityCurve): Generator<CurveDay> {
  let start = curve.equity[0] ?? 0n
  for (let point = 0; point < curve.length; point++) {
    const day = Math.floor((curve.time[point] as number) / DAY_MS)
    const last = point + 1 === curve.length || Math.floor((curve.time[point + 1] as number) / DAY_MS) !== day
    if (!last) continue
    const end = curve.equity[point] as bigint
    yield { day, start, end }
    start = end
  }
}
