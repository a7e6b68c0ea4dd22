/**
 * The history lists of a store that keeps them as rows and can be asked for them: pages come from the tables, and from what is
 * told and not written yet. In memory is where the pages of a list begin, a few numbers for a thousand entries, and what is open.
 */
import { positionRecipe, unopenedPosition } from '../domain/evolve/positionReducers.ts'
import type { Account } from '../domain/state/account.ts'
import type { Order } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { Ended } from '../domain/state/world.ts'
import type { OrderEnd, OrderPlaced } from '../events/orderEvents.ts'
import type { IncreasePosition, PositionEvent } from '../events/positionEvents.ts'
import type { AskedHistory } from '../projections/history.ts'
import type { KeptHistory } from '../projections/keptHistory.ts'
import type { Identity } from '../projections/pastEvents.ts'
import {
  type EndedOrders,
  type FoldedCommit,
  RecordFold,
  type RecordLists,
} from '../projections/recordFold.ts'
import type { ReadableRows } from '../store/rowStore.ts'
import { AccountLists, type SavedLists } from './accountLists.ts'
import { CommitPast } from './historyRows.ts'
import { PagesAsked } from './pagesAsked.ts'
import { RowQueue } from './rowQueue.ts'
import { UnwrittenPast } from './unwrittenPast.ts'

interface SavedPages {
  /** Of the engine, for its ids. */
  readonly seed: string
}

export class PagedHistory implements KeptHistory, RecordLists<Position> {
  readonly form = 'paged-1'
  readonly removed = null
  readonly #queue: RowQueue
  readonly #fold = new RecordFold<Position>(this)
  readonly #accounts = new Map<string, AccountLists>()
  readonly #unwritten = new UnwrittenPast()
  readonly #asked: PagesAsked
  /** What the commit adds that is told now; null where its rows are written already. */
  #past: CommitPast | null = null
  #seed = ''
  /** The last commit whose rows are in the tables, as far as those who read know. */
  #written: number
  /** The last commit told. */
  #head = 0

  constructor(tables: ReadableRows) {
    this.#queue = new RowQueue(tables, (commits, upTo) => this.#release(commits, upTo))
    this.#written = tables.cursor
    this.#asked = new PagesAsked(tables, {
      accounts: this.#accounts,
      unwritten: this.#unwritten,
      openPosition: (id) => this.#fold.openPosition(id),
      standing: () => ({ written: this.#written, head: this.#head }),
    })
  }

  get cursor(): number {
    return this.#queue.cursor
  }

  get failed(): Promise<never> {
    return this.#queue.failed
  }

  get asked(): AskedHistory {
    return this.#asked
  }

  apply(commit: FoldedCommit, ended: EndedOrders): void {
    const past = commit.seq <= this.#written ? null : new CommitPast(commit)
    this.#past = past
    this.#fold.apply(commit, ended)
    this.#head = commit.seq
    if (commit.seq === 1)
      for (const event of commit.events) if (event.type === 'engineCreated') this.#begin(event.seed)
    if (past === null) return
    this.#unwritten.add(past)
    this.#queue.push(past)
  }

  #begin(seed: string): void {
    this.#seed = seed
    this.#asked.begin(seed)
  }

  orderPlaced({ orderId, accountId, marketId }: OrderPlaced, { phaseOrdinal, sequence }: Identity): void {
    this.#listsOf(accountId, phaseOrdinal).ordersOn(marketId).begin(orderId, sequence)
  }

  orderEnded(event: OrderEnd, order: Order): void {
    const list = this.#listsOf(order.accountId, order.phaseOrdinal).ordersOn(order.marketId)
    const past = this.#past?.addOrder(order)
    if (event.type === 'orderReplaced') return list.endUnseen(order.id)
    list.end(order.id)
    if (past !== undefined) list.hold(past)
  }

  positionOpened(event: IncreasePosition, at: number, identity: Identity): Position {
    const position = unopenedPosition(event, at, identity)
    const lists = this.#listsOf(position.accountId, position.phaseOrdinal)
    lists.portfolio.add(position.sequence)
    lists.open.add(position)
    lists.closedOn(position.marketId).begin(position.id, position.sequence)
    return position
  }

  positionChanged(position: Position, event: PositionEvent, at: number): void {
    positionRecipe(position, event, at)
    this.#past?.addEvent(position, event)
  }

  positionEnded(position: Position): void {
    const lists = this.#listsOf(position.accountId, position.phaseOrdinal)
    const closed = lists.closedOn(position.marketId)
    lists.open.delete(position)
    closed.end(position.id)
    const past = this.#past?.addPosition(position)
    if (past === undefined) return
    closed.hold(past)
    lists.portfolio.hold(past)
  }

  /** The lists of a finished phase are left behind (H3). */
  phaseBegan(accountId: string, phaseOrdinal: number): void {
    this.#accounts.set(accountId, new AccountLists(phaseOrdinal))
  }

  recovered(): void {}

  durable(seq: number): void {
    this.#queue.durable(seq)
  }

  room(): Promise<void> | null {
    return this.#queue.room()
  }

  flushed(): Promise<void> {
    return this.#queue.flushed()
  }

  saved(): SavedPages {
    return { seed: this.#seed }
  }

  placesOf({ id }: Account): SavedLists | null {
    return this.#accounts.get(id)?.saved() ?? null
  }

  /** Its rank in its list. */
  placeOf(record: Order | Position): number {
    return this.#listOf(record).placeOf(record.id)
  }

  restore(saved: object | null, seq: number, created: number): void {
    this.#begin((saved as SavedPages | null)?.seed ?? '')
    this.#fold.restore(created)
    this.#accounts.clear()
    this.#unwritten.clear()
    this.#queue.forget()
    this.#head = seq
  }

  restorePlaces(account: Account, places: object | null): void {
    this.#fold.restoreAccount(account)
    if (places === null) return
    const saved = places as SavedLists
    this.#accounts.set(account.id, new AccountLists(saved.phaseOrdinal, saved))
  }

  restorePlace(record: Order | Position, place: number | null): void {
    this.#listOf(record).restore(record.id, place as number)
    if (!('openedAt' in record)) return
    // The engine goes on changing its own.
    const position = { ...record }
    this.#fold.restorePosition(position.id, position)
    this.#listsOf(position.accountId, position.phaseOrdinal).open.add(position)
  }

  endedOrder(orderId: string): Ended | undefined {
    return this.#asked.ended('orders', orderId)
  }

  endedPosition(positionId: string): Ended | undefined {
    return this.#asked.ended('positions', positionId)
  }

  orders(): never {
    throw inDatabase()
  }

  closedPositions(): never {
    throw inDatabase()
  }

  portfolio(): never {
    throw inDatabase()
  }

  positionEvents(): never {
    throw inDatabase()
  }

  order(): never {
    throw inDatabase()
  }

  position(): never {
    throw inDatabase()
  }

  #release(commits: readonly CommitPast[], upTo: number): void {
    this.#written = upTo
    for (const past of commits) {
      this.#unwritten.release(past)
      for (const { record, sequence } of past.orders)
        this.#accounts.get(record.accountId)?.seenOrdersOn(record.marketId)?.release(sequence)
      for (const { record, sequence } of past.positions) {
        const lists = this.#accounts.get(record.accountId)
        lists?.seenClosedOn(record.marketId)?.release(sequence)
        lists?.portfolio.release(sequence)
      }
    }
  }

  #listsOf(accountId: string, phaseOrdinal: number): AccountLists {
    let lists = this.#accounts.get(accountId)
    if (lists === undefined) {
      lists = new AccountLists(phaseOrdinal)
      this.#accounts.set(accountId, lists)
    }
    return lists
  }

  /** The list that shows an order or a position once it has ended. */
  #listOf(record: Order | Position) {
    const lists = this.#listsOf(record.accountId, record.phaseOrdinal)
    return 'openedAt' in record ? lists.closedOn(record.marketId) : lists.ordersOn(record.marketId)
  }
}

function inDatabase(): RangeError {
  return new RangeError('the history lists of this engine are in its database, which has to be waited for')
}
