/**
 * The history lists over the records of a store, so that memory grows with what is open and not with what has ended. What was told
 * and is not written yet is looked up first: readers see their own writes.
 */

import { positionRecipe, unopenedPosition } from '../domain/evolve/positionReducers.ts'
import type { Account } from '../domain/state/account.ts'
import { IdSpace } from '../domain/state/ids.ts'
import type { Order, OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { Ended } from '../domain/state/world.ts'
import type { OrderEnd, OrderPlaced } from '../events/orderEvents.ts'
import type { IncreasePosition, PositionEvent } from '../events/positionEvents.ts'
import type { History, Page, Paging } from '../projections/history.ts'
import type { Keeping } from '../projections/keeping.ts'
import { endedOrderRecord, positionEventRecord, positionRecord } from '../projections/records.ts'
import type { EndedOrder, KeptEvent } from './historyRecords.ts'
import type { HistoryTarget } from './historyTarget.ts'
import {
  CHUNK,
  leaveOut,
  newList,
  type RankedList,
  ranksOfPage,
  shown,
  withBit,
  withoutActive,
} from './listRanks.ts'
import type { Identity } from './pastEvents.ts'
import { PendingHistory } from './pendingHistory.ts'
import type { CreatedIn } from './recordKeys.ts'
import { RecordLists } from './recordLists.ts'

/** The lists of an account in its current phase. Without what is active it travels in snapshots. */
interface AccountLists {
  phaseOrdinal: number
  portfolio: RankedList
  orders: Map<string, RankedList>
  closedPositions: Map<string, RankedList>
}

/** Events that are read in one go. */
const RUN = 256

interface SavedLists {
  readonly lists: number
  /** Of the engine, for its ids. */
  readonly seed: string
}

/** It is remembered how much had been created by every commit with which that reaches another multiple of this. */
const STRETCH = 64
const BEGINNING: CreatedIn = { seq: 0, before: 0, after: 0 }

export class StoredHistory extends RecordLists<Position> implements History {
  readonly #index: HistoryTarget
  readonly #pending: PendingHistory
  readonly #accounts = new Map<string, AccountLists>()
  /** Open positions by creation sequence. */
  readonly #openAt = new Map<number, Position>()
  #lists = 0
  #seed = ''
  #ids = new IdSpace('')
  /** Whether the commit that is told now was told before: then its changes are kept, and only places are counted. */
  #again: boolean

  constructor(index: HistoryTarget) {
    super()
    this.#index = index
    this.#pending = new PendingHistory(index)
    this.#again = index.cursor > 0
  }

  override get keeping(): Keeping {
    return this.#pending
  }

  override engineCreated(seed: string): void {
    this.#begin(seed)
  }

  #begin(seed: string): void {
    this.#seed = seed
    this.#ids = new IdSpace(seed)
  }

  override orderPlaced({ accountId, marketId }: OrderPlaced, { sequence, phaseOrdinal }: Identity): void {
    const list = this.#listOf(this.#listsOf(accountId, phaseOrdinal).orders, marketId)
    list.active.set(sequence, list.created++)
  }

  orderEnded(event: OrderEnd, order: Order): void {
    const { accountId, marketId, sequence, phaseOrdinal } = order
    const list = this.#listOf(this.#listsOf(accountId, phaseOrdinal).orders, marketId)
    const rank = list.active.get(sequence) as number
    list.active.delete(sequence)
    const chunk = event.type === 'orderReplaced' ? leaveOut(list, rank) : null
    if (this.#again) return
    this.#pending.order(sequence, { phaseOrdinal, record: order })
    if (chunk === null) return this.#pending.entry({ list: list.list, rank }, sequence)
    this.#pending.holes(list.list, chunk, withBit(this.#holes(list.list, chunk), rank % CHUNK))
  }

  positionOpened(event: IncreasePosition, at: number, identity: Identity): Position {
    const position = unopenedPosition(event, at, identity)
    const { portfolio } = this.#listsOf(position.accountId, position.phaseOrdinal)
    const list = this.#closedListOf(position)
    this.#openAt.set(position.sequence, position)
    const rank = portfolio.created++
    if (!this.#again) this.#pending.entry({ list: portfolio.list, rank }, position.sequence)
    list.active.set(position.sequence, list.created++)
    return position
  }

  positionChanged(position: Position, event: PositionEvent, at: number): void {
    positionRecipe(position, event, at)
    if (this.#again || event.type === 'payFunding') return
    // The order behind an event has ended just before it.
    const orderSequence = 'orderId' in event ? (this.#pending.sequenceTold(event.orderId) ?? null) : null
    const { sequence, phaseOrdinal } = position
    this.#pending.event(sequence, { phaseOrdinal, record: position, orderSequence })
  }

  positionEnded(position: Position): void {
    const { sequence } = position
    const list = this.#closedListOf(position)
    const rank = list.active.get(sequence) as number
    list.active.delete(sequence)
    this.#openAt.delete(sequence)
    if (!this.#again) this.#pending.entry({ list: list.list, rank }, sequence)
  }

  /** The lists of a finished phase are left behind (H3). */
  override phaseBegan(accountId: string, phaseOrdinal: number): void {
    this.#accounts.set(accountId, this.#newLists(phaseOrdinal))
  }

  override completed(seq: number, before: number, after: number): void {
    if (stretchOf(before) !== stretchOf(after) && !this.#again) this.#pending.created({ seq, before, after })
    this.#pending.completed(seq)
    this.#again &&= seq < this.#index.cursor
  }

  override saved(): SavedLists {
    return { lists: this.#lists, seed: this.#seed }
  }

  override placesOf({ id }: Account): AccountLists | null {
    const lists = this.#accounts.get(id)
    return lists === undefined ? null : copyOf(lists)
  }

  /** Its rank among what is active. */
  override placeOf(record: Order | Position): number {
    return this.#activeBeside(record).get(record.sequence) as number
  }

  override restore(saved: object | null, seq: number): void {
    const { lists, seed } = (saved ?? { lists: 0, seed: '' }) as SavedLists
    this.#begin(seed)
    this.#accounts.clear()
    this.#openAt.clear()
    this.#lists = lists
    this.#again = seq < this.#index.cursor
    this.#pending.forget()
  }

  override restorePlaces(account: Account, places: object | null): void {
    if (places !== null) this.#accounts.set(account.id, places as AccountLists)
  }

  override restoreOrder(order: Order, place: number | null): void {
    this.#activeBeside(order).set(order.sequence, place as number)
  }

  restorePosition(record: Position, place: number | null): Position {
    this.#activeBeside(record).set(record.sequence, place as number)
    const position = { ...record }
    this.#openAt.set(position.sequence, position)
    return position
  }

  endedOrder(orderId: string): Ended | undefined {
    const order = this.#orderOf(orderId)
    return order && { accountId: order.record.accountId, phaseOrdinal: order.phaseOrdinal }
  }

  endedPosition(positionId: string): Ended | undefined {
    const position = this.#positionOf(positionId)
    return position && { accountId: position.record.accountId, phaseOrdinal: position.phaseOrdinal }
  }

  orders(accountId: string, marketId: string, paging: Paging): Page<OrderRecord> {
    const list = this.#accounts.get(accountId)?.orders.get(marketId)
    return this.#page(list, paging, (sequence) => shownOrder(this.#orderAt(sequence)))
  }

  closedPositions(accountId: string, marketId: string, paging: Paging): Page<PositionRecord> {
    const list = this.#accounts.get(accountId)?.closedPositions.get(marketId)
    return this.#page(list, paging, (sequence) => shownPosition(this.#positionAt(sequence)))
  }

  portfolio(accountId: string, paging: Paging): Page<PositionRecord> {
    return this.#page(this.#accounts.get(accountId)?.portfolio, paging, (sequence) =>
      this.#recordAt(sequence),
    )
  }

  positionEvents(positionId: string): Iterable<readonly PositionEventRecord[]> | undefined {
    const open = this.open.get(positionId)
    const sequence = open === undefined ? this.#endedAt(positionId) : open.sequence
    if (sequence === undefined) return undefined
    const [newest] = this.#eventsBefore(sequence, Number.POSITIVE_INFINITY, 1)
    return newest === undefined ? [] : this.#eventRuns(sequence, newest.record.version)
  }

  /** From a version down. Events move from what is pending to what is kept meanwhile, and stay what they are. */
  *#eventRuns(sequence: number, version: number): Generator<readonly PositionEventRecord[], void> {
    for (let before = version + 1; ; ) {
      const events = this.#eventsBefore(sequence, before, RUN)
      const oldest = events.at(-1)
      if (oldest === undefined) return
      before = oldest.record.version
      yield events.map((event) => this.#withOrder(event))
    }
  }

  /** The newest events of a position with a version below, newest first. */
  #eventsBefore(sequence: number, before: number, limit: number): KeptEvent[] {
    const pending = this.#pending.eventsOf(sequence)
    let end = pending.length
    while (end > 0 && (pending[end - 1] as KeptEvent).record.version >= before) end--
    const events = pending.slice(Math.max(end - limit, 0), end).reverse()
    if (events.length === limit) return events
    const rest = Math.min(before, pending[0]?.record.version ?? before)
    return [...events, ...this.#index.eventsBefore(sequence, rest, limit - events.length)]
  }

  order(orderId: string): OrderRecord | undefined {
    const order = this.#orderOf(orderId)
    return order && this.#isCurrent(order.record.accountId, order.phaseOrdinal)
      ? shownOrder(order)
      : undefined
  }

  position(positionId: string): PositionRecord | undefined {
    const open = this.open.get(positionId)
    if (open !== undefined) return positionRecord(open)
    const position = this.#positionOf(positionId)
    return position && this.#isCurrent(position.record.accountId, position.phaseOrdinal)
      ? shownPosition(position)
      : undefined
  }

  /** The sequence of a position of the current phase that has ended. */
  #endedAt(id: string): number | undefined {
    for (const sequence of this.#sequencesOf(id)) {
      const position = this.#positionAt(sequence)
      if (position?.record.id !== id) continue
      return this.#isCurrent(position.record.accountId, position.phaseOrdinal) ? sequence : undefined
    }
    return undefined
  }

  #orderOf(id: string): EndedOrder | undefined {
    for (const sequence of this.#sequencesOf(id)) {
      const order = this.#orderAt(sequence)
      if (order?.record.id === id) return order
    }
    return undefined
  }

  #positionOf(id: string): KeptEvent | undefined {
    for (const sequence of this.#sequencesOf(id)) {
      const position = this.#positionAt(sequence)
      if (position?.record.id === id) return position
    }
    return undefined
  }

  /**
   * Creation sequences that an id may stand for, few. It says which commit made it: of some commits it is remembered how much
   * had been created, and between them less than {@link STRETCH} was.
   */
  *#sequencesOf(id: string): Generator<number, void> {
    const pending = this.#pending.sequenceOf(id)
    if (pending !== undefined) return yield pending
    for (const { seq, index } of this.#ids.placesOf(id)) {
      const near = this.#pending.createdUpTo(seq) ?? this.#index.createdUpTo(seq) ?? BEGINNING
      // Ids are made in the order in which orders and positions are created.
      if (near.seq === seq) yield near.before + 1 + index
      else for (let at = near.after + 1; stretchOf(at) === stretchOf(near.after); at++) yield at
    }
  }

  #orderAt(sequence: number): EndedOrder | undefined {
    return this.#pending.orderAt(sequence) ?? this.#index.order(sequence)
  }

  #positionAt(sequence: number): KeptEvent | undefined {
    return this.#pending.endOf(sequence) ?? this.#index.endOf(sequence)
  }

  /** A position of the portfolio, whether it is open or has ended. */
  #recordAt(sequence: number): PositionRecord | undefined {
    const open = this.#openAt.get(sequence)
    return open === undefined ? shownPosition(this.#positionAt(sequence)) : positionRecord(open)
  }

  #holes(list: number, chunk: number): Uint8Array | undefined {
    return this.#pending.holesOf(list, chunk) ?? this.#index.holes(list, chunk)
  }

  #withOrder({ record, orderSequence }: KeptEvent): PositionEventRecord {
    const order = orderSequence === null ? undefined : this.#orderAt(orderSequence)
    return positionEventRecord(record, shownOrder(order) ?? null)
  }

  #page<T extends object>(
    list: RankedList | undefined,
    paging: Paging,
    record: (sequence: number) => T | undefined,
  ): Page<T> {
    if (list === undefined) return { data: [], totalCount: 0 }
    const data = ranksOfPage(list, paging, (chunk) => this.#holes(list.list, chunk)).map((rank) => {
      const key = { list: list.list, rank }
      const sequence = this.#pending.entryOf(key) ?? this.#index.entry(key)
      const found = sequence === undefined ? undefined : record(sequence)
      if (found === undefined) throw new Error(`the history lost entry ${rank} of list ${list.list}`)
      return found
    })
    return { data, totalCount: shown(list) }
  }

  #isCurrent(accountId: string, phaseOrdinal: number): boolean {
    return this.#accounts.get(accountId)?.phaseOrdinal === phaseOrdinal
  }

  #listsOf(accountId: string, phaseOrdinal: number): AccountLists {
    let lists = this.#accounts.get(accountId)
    if (lists === undefined) {
      lists = this.#newLists(phaseOrdinal)
      this.#accounts.set(accountId, lists)
    }
    return lists
  }

  #activeBeside(record: Order | Position): Map<number, number> {
    const lists = this.#listsOf(record.accountId, record.phaseOrdinal)
    return this.#listOf('openedAt' in record ? lists.closedPositions : lists.orders, record.marketId).active
  }

  #closedListOf({ accountId, phaseOrdinal, marketId }: Position): RankedList {
    return this.#listOf(this.#listsOf(accountId, phaseOrdinal).closedPositions, marketId)
  }

  #newLists(phaseOrdinal: number): AccountLists {
    return { phaseOrdinal, portfolio: this.#newList(), orders: new Map(), closedPositions: new Map() }
  }

  #listOf(lists: Map<string, RankedList>, marketId: string): RankedList {
    let list = lists.get(marketId)
    if (list === undefined) {
      list = this.#newList()
      lists.set(marketId, list)
    }
    return list
  }

  #newList(): RankedList {
    this.#lists += 1
    return newList(this.#lists)
  }
}

function copyOf({ phaseOrdinal, portfolio, orders, closedPositions }: AccountLists): AccountLists {
  const copies = (lists: ReadonlyMap<string, RankedList>) =>
    new Map(Array.from(lists, ([marketId, list]) => [marketId, withoutActive(list)]))
  return {
    phaseOrdinal,
    portfolio: withoutActive(portfolio),
    orders: copies(orders),
    closedPositions: copies(closedPositions),
  }
}

/** A record for whoever reads, with its fields in the documented order. */
function shownOrder(order: EndedOrder | undefined): OrderRecord | undefined {
  return order && endedOrderRecord(order.record)
}

function shownPosition(position: KeptEvent | undefined): PositionRecord | undefined {
  return position && positionRecord(position.record)
}

function stretchOf(created: number): number {
  return Math.floor(created / STRETCH)
}
