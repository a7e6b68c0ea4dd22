/**
 * The history lists of a store that keeps them as rows and can be asked for them: pages come from the tables, and from what is
 * told and not written yet. In memory is where the pages of a list begin, a few numbers for a thousand entries, and what is open.
 */
import type { Account } from '../domain/state/account.ts'
import type { Order } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { Ended } from '../domain/state/world.ts'
import type { OrderEnd, OrderPlaced } from '../events/orderEvents.ts'
import type { IncreasePosition } from '../events/positionEvents.ts'
import type { AskedHistory, History } from '../projections/history.ts'
import { type ReadableRows, type RowQuery, RowsLost } from '../store/rowStore.ts'
import { AccountLists, type SavedLists } from './accountLists.ts'
import type { CommitPast, PastOrder, PastPosition } from './commitPast.ts'
import { PagesAsked } from './pagesAsked.ts'
import type { Identity } from './pastEvents.ts'
import { TabledHistory } from './tabledHistory.ts'
import { UnwrittenPast } from './unwrittenPast.ts'

interface SavedPages {
  /** Of the engine, for its ids. */
  readonly seed: string
}

export class PagedHistory extends TabledHistory implements History {
  override readonly form = 'paged-1'
  readonly #accounts = new Map<string, AccountLists>()
  readonly #unwritten = new UnwrittenPast()
  readonly #asked: PagesAsked
  #seed = ''
  /** The last commit whose rows are in the tables, as far as those who read know. */
  #written: number
  /** The last commit told. */
  #head = 0

  constructor(tables: ReadableRows) {
    super(tables)
    this.#written = tables.cursor
    const read = (query: RowQuery) =>
      tables.read(query).catch((error) => {
        if (error instanceof RowsLost) this.lost(error)
        throw error
      })
    this.#asked = new PagesAsked(read, {
      accounts: this.#accounts,
      unwritten: this.#unwritten,
      openPosition: (id) => this.open.get(id),
      standing: () => ({ written: this.#written, head: this.#head }),
    })
  }

  get asked(): AskedHistory {
    return this.#asked
  }

  override engineCreated(seed: string): void {
    this.#begin(seed)
  }

  #begin(seed: string): void {
    this.#seed = seed
    this.#asked.begin(seed)
  }

  override orderPlaced({ accountId, marketId }: OrderPlaced, { phaseOrdinal, sequence }: Identity): void {
    this.#listsOf(accountId, phaseOrdinal).ordersOn(marketId).begin(sequence)
  }

  override orderEnded(event: OrderEnd, order: Order): PastOrder | null {
    const list = this.#listsOf(order.accountId, order.phaseOrdinal).ordersOn(order.marketId)
    const past = super.orderEnded(event, order)
    if (event.type === 'orderReplaced') list.endUnseen(order.sequence)
    else {
      list.end(order.sequence)
      if (past !== null) list.hold(past)
    }
    return past
  }

  override positionOpened(event: IncreasePosition, at: number, identity: Identity): Position {
    const position = super.positionOpened(event, at, identity)
    const lists = this.#listsOf(position.accountId, position.phaseOrdinal)
    lists.portfolio.add(position.sequence)
    lists.open.add(position)
    lists.closedOn(position.marketId).begin(position.sequence)
    return position
  }

  override positionEnded(position: Position): PastPosition | null {
    const lists = this.#listsOf(position.accountId, position.phaseOrdinal)
    const closed = lists.closedOn(position.marketId)
    lists.open.delete(position)
    closed.end(position.sequence)
    const past = super.positionEnded(position)
    if (past !== null) {
      closed.hold(past)
      lists.portfolio.hold(past)
    }
    return past
  }

  /** The lists of a finished phase are left behind (H3). */
  override phaseBegan(accountId: string, phaseOrdinal: number): void {
    this.#accounts.set(accountId, new AccountLists(phaseOrdinal))
  }

  override completed(seq: number): void {
    this.#head = seq
    super.completed(seq)
  }

  protected override waits(past: CommitPast): void {
    this.#unwritten.add(past)
    super.waits(past)
  }

  override saved(): SavedPages {
    return { seed: this.#seed }
  }

  override placesOf({ id }: Account): SavedLists | null {
    return this.#accounts.get(id)?.saved() ?? null
  }

  /** Its rank in its list. */
  override placeOf(record: Order | Position): number {
    return this.#listOf(record).placeOf(record.sequence)
  }

  override restore(saved: object | null, seq: number): void {
    super.restore(saved, seq)
    this.#begin((saved as SavedPages | null)?.seed ?? '')
    this.#accounts.clear()
    this.#unwritten.clear()
    this.#head = seq
  }

  override restorePlaces(account: Account, places: object | null): void {
    if (places === null) return
    const saved = places as SavedLists
    this.#accounts.set(account.id, new AccountLists(saved.phaseOrdinal, saved))
  }

  override restoreOrder(order: Order, place: number | null): void {
    this.#listOf(order).restore(order.sequence, place as number)
  }

  override restorePosition(record: Position, place: number | null): Position {
    const position = super.restorePosition(record, place)
    this.#listOf(position).restore(position.sequence, place as number)
    this.#listsOf(position.accountId, position.phaseOrdinal).open.add(position)
    return position
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

  protected override written(commits: readonly CommitPast[], upTo: number): void {
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
