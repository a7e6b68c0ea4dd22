import type { Account } from './account.ts'
import type { ApiKey } from './apiKey.ts'
import type { Order } from './order.ts'
import type { Position } from './position.ts'

/** The record is about to change, or to leave. May be told of one that is not changed after all. */
export interface BeforeChange {
  accountChanging(account: Account): void
  orderChanging(order: Order): void
  positionChanging(position: Position): void
  apiKeyChanging(key: ApiKey): void
}
