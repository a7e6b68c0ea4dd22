/** What a run tells whoever records it beside its result: the prices, and everything that happened. */
import type { Commit } from '../../events/commit.ts'
import type { Reader } from '../../projections/reader.ts'
import type { Charted } from '../strategy/indicator.ts'
import type { Bar, Tick } from '../strategy/strategy.ts'

/** One market of a recorded run. */
export interface RecordedMarket {
  readonly id: string
  readonly asset: string
  /** Distance between bars in ms; null for ticks. */
  readonly intervalMs: number | null
}

/** The run as a recorder sees it. The reader answers as of the moment of the call. */
export interface RecordedRun {
  readonly read: Reader
  readonly accountId: string
  readonly markets: readonly RecordedMarket[]
  /** Of a portfolio: the strategy that placed an order, where it is known; none for an account of one strategy. */
  readonly partOf?: (orderId: string) => string | undefined
}

/** Attached to a run by `BacktestOptions.recorder`. It watches and changes nothing. */
export interface RunRecorder {
  /** At the first price, before the strategy starts. */
  start(run: RecordedRun): void
  /** A bar is complete; everything that happened inside it has been told. `market` counts from 0. */
  bar(market: number, bar: Bar): void
  /** An indicator of the market, or a model that is learned of it, as it is at the bar that was told last. */
  indicator?(market: number, indicator: Charted): void
  /** Feeds of ticks: the price moved. `market` is its index. */
  tick(market: number, tick: Tick): void
  /** A point of the account's curve, at a time, epoch ms: the last price of each market, fp9, 0 before its first. */
  sampled?(at: number, priceOf: (market: number) => bigint): void
  /** A commit that holds more than a price. */
  commit(commit: Commit): void
}
