/**
 * The history lists of a store that keeps history as rows: served from memory, and written to the tables once their
 * commits are durable. Decisions ask the memory, so that none waits for the database.
 */
import type { Account } from '../domain/state/account.ts'
import type { Order, OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { Ended } from '../domain/state/world.ts'
import type { Page, Paging } from '../projections/history.ts'
import type { KeptHistory } from '../projections/keptHistory.ts'
import { MemoryHistory } from '../projections/memoryHistory.ts'
import type { EndedOrders, FoldedCommit } from '../projections/recordFold.ts'
import type { RowStore } from '../store/rowStore.ts'
import { type CommitRows, HistoryRows } from './historyRows.ts'

/** Rows that wait at most; beyond it those who tell of more have to wait. */
const CAPACITY = 50_000
/** A write takes what has gathered, or this many rows and those of one commit. */
const BATCH = 5_000

export class TabledHistory implements KeptHistory {
  readonly #tables: RowStore
  readonly #lists = new MemoryHistory()
  readonly #rows = new HistoryRows()
  /** What commits add that is not written yet, oldest first; most commits add nothing. */
  #waiting: CommitRows[] = []
  #size = 0
  #durable = 0
  #writing: Promise<void> | null = null
  /** After a write that failed nothing is written: what the tables hold is unknown until they are opened again. */
  #broken = false
  #fail: (error: Error) => void = () => {}
  readonly failed: Promise<never>
  readonly removed = null

  constructor(tables: RowStore) {
    this.#tables = tables
    this.failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    // There may be nobody to hear of it.
    this.failed.catch(() => {})
  }

  get cursor(): number {
    return this.#tables.cursor
  }

  apply(commit: FoldedCommit, ended: EndedOrders): void {
    this.#lists.apply(commit, ended)
    if (commit.seq <= this.cursor) return this.#rows.pass(commit, ended)
    const rows = this.#rows.of(commit, ended)
    const size = sizeOf(rows)
    if (size === 0) return
    this.#waiting.push(rows)
    this.#size += size
  }

  recovered(): void {}

  durable(seq: number): void {
    this.#durable = seq
    if ((this.#waiting[0]?.seq ?? Number.POSITIVE_INFINITY) <= seq) this.#write()
  }

  async room(): Promise<void> {
    while (this.#size > CAPACITY && this.#writing !== null) await this.#writing
  }

  /** Rejects where they could not be. */
  async flushed(): Promise<void> {
    while (this.cursor < this.#durable && !this.#broken) {
      this.#write()
      await this.#writing
    }
    if (this.#broken) await this.failed
  }

  /** One write is under way at a time, and what comes meanwhile goes into the next. */
  #write(): void {
    if (this.#writing !== null || this.#broken) return
    this.#writing = this.#writeNext()
      .catch((cause) => {
        this.#broken = true
        this.#waiting = []
        this.#size = 0
        this.#fail(new Error('the history tables could not be written', { cause }))
      })
      .finally(() => {
        this.#writing = null
        this.durable(this.#durable)
      })
  }

  async #writeNext(): Promise<void> {
    let [count, size] = [0, 0]
    for (const rows of this.#waiting) {
      if (rows.seq > this.#durable || size >= BATCH) break
      size += sizeOf(rows)
      count += 1
    }
    const taken = this.#waiting.slice(0, count)
    const next = this.#waiting[count]
    // Between them are commits that add nothing.
    const upTo = Math.min(this.#durable, next === undefined ? this.#durable : next.seq - 1)
    const rows = {
      orders: taken.flatMap(({ orders }) => orders),
      positions: taken.flatMap(({ positions }) => positions),
      position_events: taken.flatMap(({ position_events }) => position_events),
    }
    await this.#tables.write(rows, upTo)
    this.#waiting.splice(0, count)
    this.#size -= size
  }

  saved(): object {
    return this.#lists.saved()
  }

  placesOf(): null {
    return this.#lists.placesOf()
  }

  placeOf(): null {
    return this.#lists.placeOf()
  }

  restore(saved: object | null, seq: number, created: number): void {
    this.#lists.restore(saved, seq, created)
    this.#rows.restore(created)
    this.#waiting = []
    this.#size = 0
  }

  restorePlaces(account: Account): void {
    this.#lists.restorePlaces(account)
    this.#rows.restoreAccount(account)
  }

  restorePlace(record: Order | Position): void {
    this.#lists.restorePlace(record)
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

function sizeOf({ orders, positions, position_events }: CommitRows): number {
  return orders.length + positions.length + position_events.length
}
