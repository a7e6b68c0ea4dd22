/** Candles in small whole numbers: prices in their own smallest step, each as the difference to what is known already. */
import type { Candles } from '../recording/candles.ts'

/** Row i opens at `start + (i + missing candles before i) · intervalMs`. */
export interface CandleSeries {
  readonly intervalMs: number
  /** Epoch ms. */
  readonly start: number
  /** Rows after which candles are missing, and how many: flat pairs. */
  readonly gaps: readonly number[]
  /** Value of one step of price. */
  readonly step: number
  /** Decimals that show a step. */
  readonly decimals: number
  /** Open minus the close before (the first in full). */
  readonly open: readonly number[]
  /** Close minus open. */
  readonly close: readonly number[]
  /** High above the higher of open and close, and low below the lower: from zero up. */
  readonly high: readonly number[]
  readonly low: readonly number[]
}

const FP9_DECIMALS = 9

export function candleSeries(candles: Candles): CandleSeries {
  const { intervalMs, time } = candles
  const decimals = decimalsOf(candles)
  const scale = 10n ** BigInt(FP9_DECIMALS - decimals)
  const steps = (value: bigint | undefined) => Number((value as bigint) / scale)
  const gaps: number[] = []
  const open: number[] = []
  const close: number[] = []
  const high: number[] = []
  const low: number[] = []
  let before = 0
  for (let row = 0; row < time.length; row++) {
    if (row > 0) {
      const missing = Math.round(((time[row] as number) - (time[row - 1] as number)) / intervalMs) - 1
      if (missing > 0) gaps.push(row, missing)
    }
    const [o, c] = [steps(candles.open[row]), steps(candles.close[row])]
    open.push(o - before)
    close.push(c - o)
    high.push(steps(candles.high[row]) - Math.max(o, c))
    low.push(Math.min(o, c) - steps(candles.low[row]))
    before = c
  }
  return { intervalMs, start: time[0] ?? 0, gaps, step: 10 ** -decimals, decimals, open, close, high, low }
}

/** Decimals that write every price exactly. */
function decimalsOf({ open, high, low, close }: Candles): number {
  let scale = 1_000_000_000n
  for (const column of [open, high, low, close])
    for (const value of column) while (scale > 1n && value % scale !== 0n) scale /= 10n
  return FP9_DECIMALS - String(scale).length + 1
}
