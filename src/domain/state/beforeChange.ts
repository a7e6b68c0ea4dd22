import type { Account } from './account.ts'
import type { ApiKey } from './apiKey.ts'
import type { Order } from './order.ts'
import type { Position } from './position.ts'
import type { RunningPeak } from './runningPeak.ts'

/** The record is about to change, or to leave. May be told of one that is not changed after all. */
export interface BeforeChange {
  accountChanging(account: Account): void
  orderChanging(order: Order): void
  positionChanging(position: Position): void
  apiKeyChanging(key: ApiKey): void
  /** A peak is about to move, or to become a part of another. */
  peakChanging(peak: RunningPeak): void
}
