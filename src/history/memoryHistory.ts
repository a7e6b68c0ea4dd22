/**
 * The history lists kept in memory. What ends leaves the world of objects: where the log is in memory, places in it are kept,
 * and a page folds its records from the events there; else its record is encoded, and what happened to a position as it
 * happens. Of an earlier phase there remains whose it was, and the room of the rest is given back.
 */

import { positionRecipe } from '../domain/evolve/positionReducers.ts'
import type { Order, OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { Ended } from '../domain/state/world.ts'
import type { OrderEnd, OrderPlaced } from '../events/orderEvents.ts'
import type { IncreasePosition, PositionEvent } from '../events/positionEvents.ts'
import type { FoldedCommit } from '../projections/decidedProjection.ts'
import type { History, Page, Paging } from '../projections/history.ts'
import { positionRecord } from '../projections/records.ts'
import type { Kept, RecordHeader } from './kept.ts'
import { KeptRecords } from './keptRecords.ts'
import { type EventLog, LoggedRecords } from './loggedRecords.ts'
import { MarketLists } from './marketLists.ts'
import { eventRecords, type Identity } from './pastEvents.ts'
import { RecordLists } from './recordLists.ts'

/** The history of one account in its current phase: numbers of what is kept, in creation order. */
interface AccountHistory {
  readonly id: string
  readonly endedOrders: MarketLists
  /** Replaced by an update: in no list (I3), but an edit of one has to find out that it is no longer active. */
  readonly replacedOrders: number[]
  readonly positions: number[]
  readonly closedPositions: MarketLists
}

type OfAccount = Pick<PositionRecord, 'accountId' | 'marketId'>

/** Events that are few: they take less room, and less time to fold, than a page of them. */
const FEW = 8

/**
 * How many are few for a position: five to eight, spread evenly, because those that are paid for together would otherwise all be
 * folded in the same instant, when their events become many. Neighbours have the same: what happened to them together lies together
 * in the log, and is read once for all of them.
 */
function fewOf(number: number): number {
  return FEW - (Math.imul(number >>> NEIGHBOURS, 0x9e3779b1) >>> 30)
}

/** Bits of a number that neighbours differ in. */
const NEIGHBOURS = 6

/** As plain data, everything by creation sequence. */
interface SavedHistory {
  readonly orders: readonly SavedOrder[]
  readonly lives: readonly SavedPosition[]
  readonly earlier: readonly (RecordHeader & { readonly accountId: string })[]
}

interface SavedOrder extends Identity {
  readonly record: OrderRecord
}

interface SavedPosition extends Identity {
  readonly id: string
  readonly accountId: string
  /** Null of an open position. */
  readonly record: PositionRecord | null
  /** Oldest first. */
  readonly events: readonly { readonly event: PositionEvent; readonly at: number }[]
}

/** An open position is its number. */
export class MemoryHistory extends RecordLists<number> implements History {
  readonly #log: EventLog | null
  #kept: Kept
  readonly #accounts = new Map<string, AccountHistory>()
  readonly #sequenceOf = (number: number) => this.#kept.sequenceOf(number)
  /** The account of the last change: the next is often another change of the same account. */
  #last: AccountHistory | null = null
  /** Open positions that a snapshot told of, until they come themselves. */
  readonly #awaited = new Map<string, number>()
  /** By number, how an open position stands once its events are many; until then it is folded from them when somebody asks. */
  readonly #standing = new Map<number, Position>()

  /** `log`: where every commit is that is told from the beginning on, and from which records can be folded. */
  constructor(log: EventLog | null = null) {
    super()
    this.#log = log
    this.#kept = log === null ? new KeptRecords() : new LoggedRecords(log)
  }

  /** Bytes of memory that what is kept takes, lists aside. */
  get room(): number {
    return this.#kept.room
  }

  override openAt(sequence: number, id: string): number {
    return this.#kept.openAt(sequence, id)
  }

  override follow(): void {}

  override leave(): void {}

  override engineCreated(seed: string): void {
    this.#kept.engineCreated(seed)
  }

  override began(commit: FoldedCommit): void {
    this.#kept.began(commit)
  }

  override orderPlaced(event: OrderPlaced, identity: Identity, index: number): void {
    this.#kept.orderPlaced(event, identity, index)
  }

  orderEnded(_event: OrderEnd, order: Order, index: number): void {
    this.#listOrder(this.#kept.addOrder(order, order, index), order, order)
  }

  positionOpened(
    { positionId, accountId }: IncreasePosition,
    _at: number,
    identity: Identity,
    index: number,
  ): number {
    const number = this.#kept.addPosition(positionId, identity, index)
    this.#historyOf(accountId).positions.push(number)
    return number
  }

  positionChanged(number: number, event: PositionEvent, at: number, index: number): void {
    const kept = this.#kept
    const [count, few] = [kept.eventCount(number), fewOf(number)]
    if (count === few) this.#standing.set(number, this.#folded(number))
    if (count >= few) positionRecipe(this.#standing.get(number) as Position, event, at)
    kept.addEvent(number, event, at, index)
  }

  positionEnded(number: number, event: PositionEvent): void {
    const record = this.#standing.get(number) ?? null
    if (record !== null) this.#standing.delete(number)
    this.#end(number, event, event.positionId, record)
  }

  override phaseBegan(accountId: string): void {
    this.#forget(accountId)
  }

  override saved(): SavedHistory {
    const kept = this.#kept
    const [orders, lives, earlier]: [
      SavedOrder[],
      SavedPosition[],
      (RecordHeader & { accountId: string })[],
    ] = [[], [], []]
    const savedPosition = (number: number, record: PositionRecord, ended: boolean): SavedPosition => ({
      ...{ id: record.id, accountId: record.accountId, record: ended ? record : null },
      ...kept.identityOf(number),
      events: eventsUpTo(kept, kept.lastEvent(number)),
    })
    for (const number of kept.numbers()) {
      const about = kept.at(number)
      const { sequence, phaseOrdinal } = about
      if (about.kind === 'order') orders.push({ sequence, phaseOrdinal, record: kept.order(number) })
      else if (about.kind === 'position') lives.push(savedPosition(number, kept.position(number), true))
      else earlier.push({ ...about, accountId: kept.endedAt(number).accountId })
    }
    for (const number of kept.openNumbers()) lives.push(savedPosition(number, this.#recordOf(number), false))
    const [byAge, livesByAge, earlierByAge] = [orders, lives, earlier].map((list) =>
      list.sort((a, b) => a.sequence - b.sequence),
    )
    return { orders: byAge, lives: livesByAge, earlier: earlierByAge } as SavedHistory
  }

  override restore(saved: object | null): void {
    const { orders, lives, earlier } = (saved ?? { orders: [], lives: [], earlier: [] }) as SavedHistory
    const kept = new KeptRecords()
    this.#kept = saved === null && this.#log !== null ? new LoggedRecords(this.#log) : kept
    this.#accounts.clear()
    this.#last = null
    this.#awaited.clear()
    this.#standing.clear()
    for (const { accountId, ...one } of earlier) kept.addEarlier(one, accountId)
    for (const { record, ...identity } of orders)
      this.#listOrder(kept.addOrder(record, identity), record, identity)
    for (const { id, accountId, record, events, ...identity } of lives) {
      const number = kept.addPosition(id, identity)
      this.#historyOf(accountId).positions.push(number)
      for (const { event, at } of events) kept.addEvent(number, event, at)
      if (record === null) this.#awaited.set(id, number)
      else this.#end(number, record, id, events.length > fewOf(number) ? record : null)
    }
  }

  /** It was told of in what was saved. */
  restorePosition(position: Position): number {
    const number = this.#awaited.get(position.id)
    if (number === undefined) throw new ReferenceError(`no history of position ${position.id}`)
    this.#awaited.delete(position.id)
    if (this.#kept.eventCount(number) > fewOf(number)) this.#standing.set(number, { ...position })
    return number
  }

  endedOrder(orderId: string): Ended | undefined {
    return this.#ended(orderId, 'order', 'earlierOrder')
  }

  endedPosition(positionId: string): Ended | undefined {
    return this.#ended(positionId, 'position', 'earlierPosition')
  }

  orders(accountId: string, marketId: string, paging: Paging): Page<OrderRecord> {
    const list = this.#accounts.get(accountId)?.endedOrders.get(marketId)
    return newestFirst(list, paging, (number) => this.#kept.order(number))
  }

  closedPositions(accountId: string, marketId: string, paging: Paging): Page<PositionRecord> {
    const list = this.#accounts.get(accountId)?.closedPositions.get(marketId)
    return newestFirst(list, paging, (number) => this.#kept.position(number))
  }

  portfolio(accountId: string, paging: Paging): Page<PositionRecord> {
    return newestFirst(this.#accounts.get(accountId)?.positions, paging, (number) => this.#recordAt(number))
  }

  positionEvents(positionId: string): Iterable<readonly PositionEventRecord[]> | undefined {
    const kept = this.#kept
    const number = kept.findOpen(positionId) ?? this.#find(positionId, 'position')
    return number === null
      ? undefined
      : eventRecords(kept.eventsUpTo(kept.lastEvent(number)), kept.identityOf(number))
  }

  order(orderId: string): OrderRecord | undefined {
    const number = this.#find(orderId, 'order')
    return number === null ? undefined : this.#kept.order(number)
  }

  position(positionId: string): PositionRecord | undefined {
    const open = this.#kept.findOpen(positionId)
    if (open !== null) return this.#recordOf(open)
    const number = this.#find(positionId, 'position')
    return number === null ? undefined : this.#kept.position(number)
  }

  #find(id: string, kind: RecordHeader['kind']): number | null {
    const number = this.#kept.find(id)
    return number === null || this.#kept.kindOf(number) !== kind ? null : number
  }

  #ended(id: string, ...kinds: readonly RecordHeader['kind'][]): Ended | undefined {
    const number = this.#kept.find(id)
    if (number === null || !kinds.includes(this.#kept.kindOf(number))) return undefined
    return this.#kept.endedAt(number)
  }

  #recordAt(number: number): PositionRecord {
    if (this.#kept.kindOf(number) !== 'opened') return this.#kept.position(number)
    return this.#recordOf(number)
  }

  /** Of an open position. */
  #recordOf(number: number): PositionRecord {
    return positionRecord(this.#standing.get(number) ?? this.#folded(number))
  }

  #folded(number: number): Position {
    return this.#kept.positionAfter(this.#kept.lastEvent(number), this.#kept.identityOf(number))
  }

  #listOrder(number: number, record: OrderRecord, identity: Identity): void {
    const history = this.#historyOf(record.accountId)
    if (record.status === 'canceled_by_update') history.replacedOrders.push(number)
    else history.endedOrders.insert(record.marketId, number, identity.sequence)
  }

  #end(number: number, { accountId, marketId }: OfAccount, id: string, record: PositionRecord | null): void {
    this.#kept.endPosition(number, id, record)
    this.#historyOf(accountId).closedPositions.insert(marketId, number, this.#sequenceOf(number))
  }

  #historyOf(accountId: string): AccountHistory {
    if (this.#last !== null && this.#last.id === accountId) return this.#last
    let history = this.#accounts.get(accountId)
    if (history === undefined) {
      history = {
        id: accountId,
        endedOrders: new MarketLists(this.#sequenceOf),
        replacedOrders: [],
        positions: [],
        closedPositions: new MarketLists(this.#sequenceOf),
      }
      this.#accounts.set(accountId, history)
    }
    this.#last = history
    return history
  }

  #forget(accountId: string): void {
    const history = this.#accounts.get(accountId)
    if (history === undefined) return
    for (const list of [...history.endedOrders.lists(), history.replacedOrders, history.positions])
      for (const number of list) this.#kept.forget(number)
    this.#accounts.delete(accountId)
    this.#last = null
  }
}

/** Oldest first. */
function eventsUpTo(kept: Kept, last: number): SavedPosition['events'] {
  const past = kept.eventsUpTo(last)
  return Array.from({ length: past.length }, (_, index) => {
    const { event, at } = past.at(index)
    return { event, at }
  })
}

function newestFirst<R>(
  list: readonly number[] = [],
  { limit, offset }: Paging,
  record: (number: number) => R,
): Page<R> {
  const data: R[] = []
  for (let at = list.length - 1 - offset; at >= 0 && data.length < limit; at--)
    data.push(record(list[at] as number))
  return { data, totalCount: list.length }
}
