/**
 * What has ended, and every event on a position: the history lists of the API. Folded from commits, and from nothing
 * else; cleared for an account when it enters a new phase, because items of a finished phase are no longer returned
 * (H3).
 */

import type { OrderRecord } from '../domain/state/order.ts'
import type { PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { Archive } from '../domain/state/world.ts'

/** One page of a list, in the order of I10, and how long the whole list is. */
export interface Page<T> {
  /** The items of this page, newest first. */
  readonly data: readonly T[]
  /** How many items the whole list has. */
  readonly totalCount: number
}

/** Which page; `limit` 1 to 100. */
export interface Paging {
  /** How many items at most, 1 to 100. */
  readonly limit: number
  /** How many items of the list come before the page. */
  readonly offset: number
}

/** The reading side of the history lists; a durable host serves them from its store instead of memory. */
export interface History extends Archive {
  /** Orders that reached a final state on a market, newest first; replaced ones left out (I11). */
  orders(accountId: string, marketId: string, paging: Paging): Page<OrderRecord>
  /** Closed and liquidated positions of a market, newest first (I11). */
  closedPositions(accountId: string, marketId: string, paging: Paging): Page<PositionRecord>
  /** Every position of the account, open and closed, newest first (I11). */
  portfolio(accountId: string, paging: Paging): Page<PositionRecord>
  /**
   * Events of a position, newest first, funding left out (I13), in runs that are made one at a time: none takes long, and
   * some may be empty. They are those there are at the time of the call, whatever happens before the last one is asked
   * for. Undefined for an unknown position.
   */
  positionEvents(positionId: string): Iterable<readonly PositionEventRecord[]> | undefined
  order(orderId: string): OrderRecord | undefined
  position(positionId: string): PositionRecord | undefined
  /** Where the lists are in a database: it is asked here, and what would have to ask it at once throws. */
  readonly asked?: AskedHistory
}

/** What a decision, or somebody's right to ask, may depend on of what has ended. */
export interface EndedIds {
  /** An id, if it is text; else there is none. */
  readonly orderId: unknown
  readonly positionId: unknown
}

/**
 * The reading side where it takes a database: what is answered is as of the moment of the call, whatever happens before the
 * answer. It rejects where the database cannot be asked.
 */
export interface AskedHistory {
  orders(accountId: string, marketId: string, paging: Paging): Promise<Page<OrderRecord>>
  closedPositions(accountId: string, marketId: string, paging: Paging): Promise<Page<PositionRecord>>
  portfolio(accountId: string, paging: Paging): Promise<Page<PositionRecord>>
  /** Of a position that is open or {@link foreknow} was told of. */
  positionEvents(positionId: string): AsyncIterable<readonly PositionEventRecord[]> | undefined
  /** Of the current phases of their accounts, by id, those that are there. */
  ordersOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, OrderRecord>>
  positionsOf(positionIds: readonly string[]): Promise<ReadonlyMap<string, PositionRecord>>
  /** Finds out what {@link Archive} is to say of these ids, of nothing that is live, and has it know that for a while; null where it does. */
  foreknow(ids: EndedIds): Promise<void> | null
}
