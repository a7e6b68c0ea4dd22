// Small runs that a report has to cope with: ambiguous bars, no trades, a failure on the first day, a liquidation.

import type { BarColumns } from '../../../../src/backtest/feed/columns.ts'
import { barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import { Recording } from '../../../../src/backtest/recording/recording.ts'
import { type ReportData, reportData } from '../../../../src/backtest/report/reportData.ts'
import { type BacktestOptions, type BacktestResult, runBacktest } from '../../../../src/backtest/run/run.ts'
import type { EntryOrder, Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'

export const HOUR_MS = 3_600_000
/** A Monday, midnight UTC. */
export const START = Date.UTC(2026, 0, 5)

/** [open, high, low, close] */
export type Candle = readonly [open: number, high: number, low: number, close: number]

export function hours(candles: readonly Candle[]): BarColumns {
  const column = (field: number) => BigInt64Array.from(candles, (candle) => fp9(String(candle[field])))
  return {
    length: candles.length,
    openTime: Float64Array.from(candles, (_, index) => START + index * HOUR_MS),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: new Float64Array(candles.length),
  }
}

/** Opens once, at the close of the first bar. */
export function opensOnce(order: Omit<EntryOrder, 'asset'>, name = 'opens once'): Strategy {
  let opened = false
  return {
    name,
    async onBar(bar, context) {
      if (opened) return
      opened = true
      await context.open({ asset: bar.asset, ...order })
    },
  }
}

export function optionsFor(candles: readonly Candle[], strategy: Strategy): BacktestOptions {
  const bars = hours(candles)
  return {
    markets: [{ asset: 'BTC', feed: barFeedOf('written by hand', HOUR_MS, () => [bars]) }],
    strategy,
  }
}

export interface Recorded {
  readonly result: BacktestResult
  readonly recording: Recording
  readonly report: ReportData
}

export async function recorded(options: BacktestOptions): Promise<Recorded> {
  const recording = new Recording()
  const result = await runBacktest({ ...options, recorder: recording })
  return { result, recording, report: reportData(result, recording) }
}

const LONG = { direction: 'long', sizeBy: { margin: '1000' }, leverage: '5' } as const

const quiet: Candle = [100, 100.5, 99.5, 100]

/** The second bar holds the stop-loss (98) and the take-profit (102) of the position. */
export const AMBIGUOUS: readonly Candle[] = [quiet, [100, 103, 97, 101], quiet, quiet]

export const ambiguousStrategy = () => opensOnce({ ...LONG, stopLoss: fp9('98'), takeProfit: fp9('102') })

export const ambiguousRun = () => recorded(optionsFor(AMBIGUOUS, ambiguousStrategy()))

export const runWithoutTrades = () => recorded(optionsFor(Array(30).fill(quiet), { name: 'does nothing' }))

export const runThatFailsAtOnce = () =>
  recorded(
    optionsFor(
      [quiet, [100, 100, 85, 86], ...Array<Candle>(40).fill([86, 87, 85, 86])],
      opensOnce({ ...LONG, sizeBy: { margin: '5000' } }, 'too large'),
    ),
  )

export const liquidatedRun = () =>
  recorded({
    ...optionsFor(
      [quiet, [100, 101, 88, 89], ...Array<Candle>(40).fill([89, 90, 88, 89])],
      opensOnce({ ...LONG, sizeBy: { margin: '200' }, leverage: '10' }, 'too much leverage'),
    ),
  })
