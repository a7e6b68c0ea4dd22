/**
 * What has ended, and every event on a position: the history lists of the API. Folded from the events as they are
 * applied; cleared for an account when it enters a new phase, because items of a finished phase are no longer returned
 * (H3).
 */
import type { Account } from '../domain/account/account.ts'
import type { Observer } from '../domain/apply.ts'
import { IdMap } from '../domain/idMap.ts'
import type { Order, OrderRecord } from '../domain/order/order.ts'
import type { Position, PositionEventRecord, PositionRecord } from '../domain/position/position.ts'
import { positionRecipe, unopenedPosition } from '../domain/position/reducers.ts'
import type { Archive, Ended } from '../domain/world.ts'
import type { AccountEvent } from '../events/accountEvents.ts'
import type { OrderEvent } from '../events/orderEvents.ts'
import type { PositionEvent } from '../events/positionEvents.ts'
import { endedOrderRecord, positionEventRecord, positionRecord } from './records.ts'

/** One page of a list, and how long the whole list is. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly totalCount: number
}

/** Which page; `limit` 1 to 100. */
export interface Paging {
  readonly limit: number
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
}

/** History that is folded along with the state. */
export interface FoldedHistory extends History, Observer {
  /** Everything told since the last call belongs to commit `seq`. */
  completed(seq: number): void
  /** What a snapshot carries of it first, as plain data. It is written at once, whatever there is. */
  saved(): object
  /** What a snapshot carries along with an account, as plain data that does not change; null: nothing. */
  placesOf(account: Account): object | null
  /** The same of a resting order or an open position. */
  placeOf(record: Order | Position): number | null
  /** Goes on from what a snapshot carried; null: from the beginning. */
  restore(saved: object | null): void
  /** After {@link restore}, for every account in creation order. */
  restorePlaces(account: Account, places: object | null): void
  /** After the accounts, for every resting order and every open position in creation order. */
  restorePlace(record: Order | Position, place: number | null): void
}

/** The history of one account in its current phase. Lists are in creation order. */
interface AccountHistory {
  readonly id: string
  readonly endedOrders: Map<string, Order[]>
  /** Replaced by an update: in no list (I3), but an edit of one has to find out that it is no longer active. */
  readonly replacedOrders: Order[]
  readonly positions: Position[]
  readonly closedPositions: Map<string, Position[]>
}

/** An event and the time of its commit: what the record after it is folded from when somebody asks. */
interface PastEvent {
  readonly event: PositionEvent
  readonly at: number
  /** The order behind it, which has executed just before and never changes again. */
  readonly order: Order | null
  /** A chain, because most positions have two or three events, and a list has room for many more. */
  readonly before: PastEvent | null
}

/** A position, open or closed, and what happened to it. */
interface Life {
  readonly position: Position
  last: PastEvent | null
}

interface SavedHistory {
  readonly accounts: Map<string, AccountHistory>
  readonly endedOrders: readonly Order[]
  readonly lives: readonly { readonly position: Position; readonly events: readonly SavedEvent[] }[]
  readonly earlierOrders: Map<string, Ended>
  readonly earlierPositions: Map<string, Ended>
}

type SavedEvent = Pick<PastEvent, 'event' | 'at'>

/** History kept in memory. */
export class MemoryHistory implements FoldedHistory {
  #accounts = new Map<string, AccountHistory>()
  /** The account of the last change: the next is often another change of the same account. */
  #last: AccountHistory | null = null
  #endedOrders = new IdMap<Order>()
  #lives = new IdMap<Life>()
  /** Whose the orders and positions of earlier phases were: all that a refusal still depends on (H3, I14). */
  #earlierOrders = new Map<string, Ended>()
  #earlierPositions = new Map<string, Ended>()

  orderChanged(event: OrderEvent, order: Order): void {
    if (event.type === 'orderPlaced') return
    this.#endedOrders.add(order.id, order)
    const history = this.#historyOf(order.trader)
    if (event.type === 'orderReplaced') history.replacedOrders.push(order)
    else insert(listOf(history.endedOrders, order.market), order)
  }

  positionChanged(event: PositionEvent, position: Position): void {
    const at = position.lastUpdatedAt
    const order = this.#orderBehind(event)
    if (event.type === 'increasePosition' && event.opens) {
      this.#lives.add(position.idx, { position, last: { event, at, order, before: null } })
      this.#historyOf(position.trader).positions.push(position)
      return
    }
    const life = this.#lives.get(position.idx) as Life
    life.last = { event, at, order, before: life.last }
    if (position.status !== 'opened')
      insert(listOf(this.#historyOf(position.trader).closedPositions, position.market), position)
  }

  accountChanged(event: AccountEvent, account: Account): void {
    if (event.type === 'accountPromoted') this.#forget(account.id)
  }

  completed(): void {}

  saved(): SavedHistory {
    return {
      accounts: this.#accounts,
      endedOrders: [...this.#endedOrders.values()],
      lives: Array.from(this.#lives.values(), (life) => ({
        position: life.position,
        events: eventsOf(life).map(({ event, at }) => ({ event, at })),
      })),
      earlierOrders: this.#earlierOrders,
      earlierPositions: this.#earlierPositions,
    }
  }

  restore(saved: object | null): void {
    const history = (saved ?? new MemoryHistory().saved()) as SavedHistory
    this.#accounts = history.accounts
    this.#last = null
    this.#endedOrders = new IdMap()
    for (const order of history.endedOrders) this.#endedOrders.add(order.id, order)
    this.#lives = new IdMap()
    for (const { position, events } of history.lives)
      this.#lives.add(position.idx, this.#lifeOf(position, events))
    this.#earlierOrders = history.earlierOrders
    this.#earlierPositions = history.earlierPositions
  }

  /** Everything is in what is saved first. */
  placesOf(): null {
    return null
  }

  placeOf(): null {
    return null
  }

  restorePlaces(): void {}

  restorePlace(): void {}

  endedOrder(orderId: string): Ended | undefined {
    const order = this.#endedOrders.get(orderId)
    return order === undefined
      ? this.#earlierOrders.get(orderId)
      : { accountId: order.trader, phaseOrdinal: order.phaseOrdinal }
  }

  endedPosition(positionId: string): Ended | undefined {
    const position = this.#lives.get(positionId)?.position
    if (position === undefined) return this.#earlierPositions.get(positionId)
    if (position.status === 'opened') return undefined
    return { accountId: position.trader, phaseOrdinal: position.phaseOrdinal }
  }

  orders(accountId: string, marketId: string, paging: Paging): Page<OrderRecord> {
    return newestFirst(
      this.#accounts.get(accountId)?.endedOrders.get(marketId) ?? [],
      paging,
      endedOrderRecord,
    )
  }

  closedPositions(accountId: string, marketId: string, paging: Paging): Page<PositionRecord> {
    return newestFirst(
      this.#accounts.get(accountId)?.closedPositions.get(marketId) ?? [],
      paging,
      positionRecord,
    )
  }

  portfolio(accountId: string, paging: Paging): Page<PositionRecord> {
    return newestFirst(this.#accounts.get(accountId)?.positions ?? [], paging, positionRecord)
  }

  positionEvents(positionId: string): Iterable<readonly PositionEventRecord[]> | undefined {
    const life = this.#lives.get(positionId)
    return life && eventRecords(life.position, life.last)
  }

  order(orderId: string): OrderRecord | undefined {
    const order = this.#endedOrders.get(orderId)
    return order && endedOrderRecord(order)
  }

  position(positionId: string): PositionRecord | undefined {
    const life = this.#lives.get(positionId)
    return life && positionRecord(life.position)
  }

  #historyOf(accountId: string): AccountHistory {
    if (this.#last !== null && this.#last.id === accountId) return this.#last
    let history = this.#accounts.get(accountId)
    if (history === undefined) {
      history = {
        id: accountId,
        endedOrders: new Map(),
        replacedOrders: [],
        positions: [],
        closedPositions: new Map(),
      }
      this.#accounts.set(accountId, history)
    }
    this.#last = history
    return history
  }

  #orderBehind(event: PositionEvent): Order | null {
    return 'orderId' in event ? (this.#endedOrders.get(event.orderId) ?? null) : null
  }

  #lifeOf(position: Position, events: readonly SavedEvent[]): Life {
    let last: PastEvent | null = null
    for (const { event, at } of events) last = { event, at, order: this.#orderBehind(event), before: last }
    return { position, last }
  }

  #forget(accountId: string): void {
    const history = this.#accounts.get(accountId)
    if (history === undefined) return
    for (const { id, phaseOrdinal } of [...history.endedOrders.values(), history.replacedOrders].flat()) {
      this.#endedOrders.delete(id)
      this.#earlierOrders.set(id, { accountId, phaseOrdinal })
    }
    for (const { idx, phaseOrdinal } of history.positions) {
      this.#lives.delete(idx)
      this.#earlierPositions.set(idx, { accountId, phaseOrdinal })
    }
    this.#accounts.delete(accountId)
    this.#last = null
  }
}

/** Oldest first. */
function eventsOf({ last }: Pick<Life, 'last'>): PastEvent[] {
  const events: PastEvent[] = []
  for (let past = last; past !== null; past = past.before) events.push(past)
  return events.reverse()
}

/** Events that are folded in one go. */
const RUN = 256

/**
 * Newest first, although each record follows from the one before: the events are folded once to see how the position
 * stood before each run, then the last run again, and so on back to the first.
 */
function* eventRecords(
  { sequence, phaseOrdinal }: Position,
  last: PastEvent | null,
): Generator<readonly PositionEventRecord[], void> {
  const past = eventsOf({ last })
  const [opening] = past
  if (opening?.event.type !== 'increasePosition') return
  const position = unopenedPosition(opening.event, opening.at, { sequence, phaseOrdinal })
  const starts: Position[] = []
  for (let from = 0; from < past.length; from += RUN) {
    if (from > 0) yield []
    starts.push({ ...position })
    if (from + RUN < past.length)
      for (const { event, at } of past.slice(from, from + RUN)) positionRecipe(position, event, at)
  }
  for (let start = starts.pop(), end = past.length; start !== undefined; start = starts.pop()) {
    const from = end - (end % RUN || RUN)
    yield runFrom(start, past.slice(from, end))
    end = from
  }
}

/** The records of consecutive events of a position, newest first. */
function runFrom(position: Position, past: readonly PastEvent[]): PositionEventRecord[] {
  const records: PositionEventRecord[] = []
  for (const { event, at, order } of past) {
    positionRecipe(position, event, at)
    if (event.type === 'payFunding') continue
    records.push(positionEventRecord(position, order === null ? null : endedOrderRecord(order)))
  }
  return records.reverse()
}

function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  let list = lists.get(key)
  if (list === undefined) {
    list = []
    lists.set(key, list)
  }
  return list
}

/** Keeps creation order although things end out of order; the newest mostly end last, so the search is short. */
function insert<T extends { readonly sequence: number }>(list: T[], item: T): void {
  let at = list.length
  while (at > 0 && (list[at - 1] as T).sequence > item.sequence) at--
  if (at === list.length) list.push(item)
  else list.splice(at, 0, item)
}

function newestFirst<T, R>(list: readonly T[], { limit, offset }: Paging, record: (item: T) => R): Page<R> {
  const data: R[] = []
  for (let at = list.length - 1 - offset; at >= 0 && data.length < limit; at--)
    data.push(record(list[at] as T))
  return { data, totalCount: list.length }
}
