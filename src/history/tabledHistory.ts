/**
 * The history lists of a store that keeps history as rows for others alone: served from memory, and written to the tables once
 * their commits are durable.
 */
import type { Account } from '../domain/state/account.ts'
import type { Order, OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { Ended } from '../domain/state/world.ts'
import type { FoldedHistory, Page, Paging } from '../projections/history.ts'
import type { KeptHistory } from '../projections/keptHistory.ts'
import { MemoryHistory } from '../projections/memoryHistory.ts'
import type { EndedOrders, FoldedCommit } from '../projections/recordFold.ts'
import type { RowStore } from '../store/rowStore.ts'
import { HistoryRows } from './historyRows.ts'
import { RowQueue } from './rowQueue.ts'

export class TabledHistory implements KeptHistory {
  readonly #queue: RowQueue
  readonly #lists: FoldedHistory
  readonly #rows = new HistoryRows()
  readonly removed = null

  constructor(tables: RowStore, lists: FoldedHistory = new MemoryHistory()) {
    this.#queue = new RowQueue(tables)
    this.#lists = lists
  }

  get cursor(): number {
    return this.#queue.cursor
  }

  get failed(): Promise<never> {
    return this.#queue.failed
  }

  apply(commit: FoldedCommit, ended: EndedOrders): void {
    this.#lists.apply(commit, ended)
    if (commit.seq <= this.cursor) return this.#rows.pass(commit, ended)
    this.#queue.push(this.#rows.of(commit, ended))
  }

  recovered(): void {}

  durable(seq: number): void {
    this.#queue.durable(seq)
  }

  room(): Promise<void> | null {
    return this.#queue.room()
  }

  /** Rejects where they could not be. */
  flushed(): Promise<void> {
    return this.#queue.flushed()
  }

  saved(): object {
    return this.#lists.saved()
  }

  placesOf(account: Account): object | null {
    return this.#lists.placesOf(account)
  }

  placeOf(record: Order | Position): number | null {
    return this.#lists.placeOf(record)
  }

  restore(saved: object | null, seq: number, created: number): void {
    this.#lists.restore(saved, seq, created)
    this.#rows.restore(created)
    this.#queue.forget()
  }

  restorePlaces(account: Account, places: object | null): void {
    this.#lists.restorePlaces(account, places)
    this.#rows.restoreAccount(account)
  }

  restorePlace(record: Order | Position, place: number | null): void {
    this.#lists.restorePlace(record, place)
    if ('openedAt' in record) this.#rows.restorePosition(record)
  }

  endedOrder(orderId: string): Ended | undefined {
    return this.#lists.endedOrder(orderId)
  }

  endedPosition(positionId: string): Ended | undefined {
    return this.#lists.endedPosition(positionId)
  }

  orders(accountId: string, marketId: string, paging: Paging): Page<OrderRecord> {
    return this.#lists.orders(accountId, marketId, paging)
  }

  closedPositions(accountId: string, marketId: string, paging: Paging): Page<PositionRecord> {
    return this.#lists.closedPositions(accountId, marketId, paging)
  }

  portfolio(accountId: string, paging: Paging): Page<PositionRecord> {
    return this.#lists.portfolio(accountId, paging)
  }

  positionEvents(positionId: string): Iterable<readonly PositionEventRecord[]> | undefined {
    return this.#lists.positionEvents(positionId)
  }

  order(orderId: string): OrderRecord | undefined {
    return this.#lists.order(orderId)
  }

  position(positionId: string): PositionRecord | undefined {
    return this.#lists.position(positionId)
  }
}
