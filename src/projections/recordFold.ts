/**
 * What the history lists are made of: the events of each commit, and the orders it ended, as they ended. What is open is
 * never looked at. An order is not put together from its events a second time, because resting orders would then be held
 * twice (350 B each) and cost a tenth more to place and cancel; `test/properties/historyFold.test.ts` holds that it would come
 * to the same.
 */
import { IdMap } from '../collections/idMap.ts'
import { endsPosition } from '../domain/evolve/positionReducers.ts'
import type { Account } from '../domain/state/account.ts'
import type { Order } from '../domain/state/order.ts'
import type { Commit } from '../events/commit.ts'
import type { OrderEnd, OrderPlaced } from '../events/orderEvents.ts'
import type { IncreasePosition, PositionEvent } from '../events/positionEvents.ts'
import { Identities } from './identities.ts'
import type { Identity } from './pastEvents.ts'

/** A commit as far as lists are about it. */
export type FoldedCommit = Pick<Commit, 'seq' | 'at' | 'events'>

/** The orders that a commit ended, in the order of their ends. */
export interface EndedOrders {
  at(index: number): Order
}

/** Lists that are told what a commit does to orders and positions. `Open`: what they keep of an open position. */
export interface RecordLists<Open> {
  orderPlaced(event: OrderPlaced, identity: Identity): void
  /** The order as it ended: nobody changes it any more. */
  orderEnded(event: OrderEnd, order: Order): void
  /** Before its first event is told. */
  positionOpened(event: IncreasePosition, at: number, identity: Identity): Open
  /** Each event, the first and the last included. */
  positionChanged(open: Open, event: PositionEvent, at: number): void
  positionEnded(open: Open, event: PositionEvent): void
  /** An account begins a phase. */
  phaseBegan(accountId: string, phaseOrdinal: number): void
}

export class RecordFold<Open> {
  readonly #lists: RecordLists<Open>
  readonly #identities = new Identities()
  #open = new IdMap<Open>()

  constructor(lists: RecordLists<Open>) {
    this.#lists = lists
  }

  /** How many accounts, orders and positions have been created. */
  get created(): number {
    return this.#identities.created
  }

  /** An open position. */
  openPosition(id: string): Open | undefined {
    return this.#open.get(id)
  }

  openPositions(): Iterable<Open> {
    return this.#open.values()
  }

  /** @param ended the orders that the commit ended, in the order of their ends. */
  apply({ at, events }: FoldedCommit, ended: EndedOrders): void {
    let ends = 0
    for (const event of events) {
      switch (event.type) {
        case 'accountOpened':
          this.#identities.accountOpened(event)
          break
        case 'accountPromoted':
          this.#lists.phaseBegan(event.accountId, this.#identities.accountPromoted(event.accountId))
          break
        case 'orderPlaced':
          this.#lists.orderPlaced(event, this.#identities.next(event.accountId))
          break
        case 'orderExecuted':
        case 'orderCanceled':
        case 'orderFailed':
        case 'orderReplaced':
          this.#lists.orderEnded(event, ended.at(ends++))
          break
        case 'increasePosition':
        case 'closePosition':
        case 'addMargin':
        case 'removeMargin':
        case 'payFunding':
        case 'liquidate':
        case 'forceClose':
          this.#changePosition(event, at)
      }
    }
  }

  /** Goes on after a snapshot before which so much was created. What was there and has not ended follows. */
  restore(created: number): void {
    this.#identities.restore(created)
    this.#open = new IdMap()
  }

  restoreAccount(account: Account): void {
    this.#identities.restoreAccount(account)
  }

  restorePosition(id: string, open: Open): void {
    this.#open.add(id, open)
  }

  #changePosition(event: PositionEvent, at: number): void {
    const opens = event.type === 'increasePosition' && event.opens
    const open = opens ? this.#begin(event, at) : this.#open.get(event.positionId)
    if (open === undefined) throw new ReferenceError(`no open position ${event.positionId}`)
    this.#lists.positionChanged(open, event, at)
    if (!endsPosition(event)) return
    this.#open.delete(event.positionId)
    this.#lists.positionEnded(open, event)
  }

  #begin(event: IncreasePosition, at: number): Open {
    const open = this.#lists.positionOpened(event, at, this.#identities.next(event.accountId))
    this.#open.add(event.positionId, open)
    return open
  }
}
