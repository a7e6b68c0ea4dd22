/** How long and how much a run was in the market. */
import { sumOfWords, wordsOf } from '../numbers/int64Words.ts'
import type { EquityCurve } from './equityCurve.ts'
import type { ClosedTrade } from './tradeStatistics.ts'

/**
 * Exposure: the share of the curve's time in which at least one trade was open. Overlapping trades count once.
 *
 * @returns `null` for a curve that spans no time.
 */
export function exposure(curve: EquityCurve, trades: readonly ClosedTrade[]): number | null {
  const [start, end] = spanOf(curve)
  if (end <= start) return null
  let covered = 0
  let reached = start
  for (const { openedAt, closedAt } of [...trades].sort((a, b) => a.openedAt - b.openedAt)) {
    const from = Math.max(openedAt, reached)
    const to = Math.min(closedAt, end)
    if (to <= from) continue
    covered += to - from
    reached = to
  }
  return covered / (end - start)
}

/**
 * Turnover: the value traded, openings and closings, over the mean equity, where each equity counts for as long as it
 * lasted. 2 means that the account was turned over once, in and out.
 *
 * @returns `null` for a curve that spans no time or whose mean is not above zero.
 */
export function turnover(curve: EquityCurve, trades: readonly ClosedTrade[]): number | null {
  const [start, end] = spanOf(curve)
  const weighted = timeWeighted(curve)
  if (end <= start || weighted <= 0n) return null
  const traded = trades.reduce((total, trade) => total + trade.traded, 0n)
  return (Number(traded) * (end - start)) / Number(weighted)
}

/** Σ equity × the time it lasted. Most points of a curve last equally long, so those are added up first. */
function timeWeighted({ length, time, equity }: EquityCurve): bigint {
  const lasted = (point: number) => (time[point + 1] as number) - (time[point] as number)
  const words = wordsOf(equity)
  let weighted = 0n
  for (let from = 0; from + 1 < length; ) {
    const each = lasted(from)
    let to = from + 1
    while (to + 1 < length && lasted(to) === each) to += 1
    weighted += sumOfWords(words, from, to) * BigInt(each)
    from = to
  }
  return weighted
}

function spanOf(curve: EquityCurve): readonly [number, number] {
  return curve.length === 0 ? [0, 0] : [curve.time[0] as number, curve.time[curve.length - 1] as number]
}
