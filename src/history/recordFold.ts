/**
 * What the history lists are made of: the events of each commit, and the orders it ended, as they ended. What is open is
 * never looked at. An order is not put together from its events a second time, because resting orders would then be held
 * twice (350 B each) and cost a tenth more to place and cancel; `test/properties/historyFold.test.ts` holds that it would come
 * to the same.
 */
import { endsPosition } from '../domain/evolve/positionReducers.ts'
import type { Account } from '../domain/state/account.ts'
import type { Order } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { IncreasePosition, PositionEvent } from '../events/positionEvents.ts'
import type { Applied, DecidedFold, FoldedCommit } from '../projections/decidedProjection.ts'
import type { Keeping } from '../projections/keeping.ts'
import { Identities } from './identities.ts'
import type { RecordLists } from './recordLists.ts'

export class RecordFold<Open, Lists extends RecordLists<Open>> implements DecidedFold<Lists> {
  readonly served: Lists
  readonly #identities = new Identities()

  constructor(lists: Lists) {
    this.served = lists
  }

  get keeping(): Keeping | null {
    return this.served.keeping
  }

  get form(): string | null {
    return this.served.form
  }

  apply(commit: FoldedCommit, { ended, changed }: Applied): void {
    const lists = this.served
    const before = this.#identities.created
    lists.began(commit)
    let [ends, changes, index] = [0, 0, -1]
    for (const event of commit.events) {
      index += 1
      switch (event.type) {
        case 'engineCreated':
          lists.engineCreated(event.seed)
          break
        case 'accountOpened':
          this.#identities.accountOpened(event)
          break
        case 'accountPromoted':
          lists.phaseBegan(event.accountId, this.#identities.accountPromoted(event.accountId))
          break
        case 'orderPlaced':
          lists.orderPlaced(event, this.#identities.next(event.accountId), index)
          break
        case 'orderExecuted':
        case 'orderCanceled':
        case 'orderFailed':
        case 'orderReplaced':
          lists.orderEnded(event, ended.at(ends++), index)
          break
        case 'increasePosition':
        case 'closePosition':
        case 'addMargin':
        case 'removeMargin':
        case 'payFunding':
        case 'liquidate':
        case 'forceClose':
          this.#changePosition(changed.at(changes++), event, commit.at, index)
      }
    }
    lists.completed(commit.seq, before, this.#identities.created)
  }

  saved(): object {
    return this.served.saved()
  }

  placesOf(account: Account): object | null {
    return this.served.placesOf(account)
  }

  placeOf(record: Order | Position): number | null {
    return this.served.placeOf(record)
  }

  restore(saved: object | null, seq: number, created: number): void {
    this.#identities.restore(created)
    this.served.nothingOpen()
    this.served.restore(saved, seq)
  }

  restorePlaces(account: Account, places: object | null): void {
    this.#identities.restoreAccount(account)
    this.served.restorePlaces(account, places)
  }

  restorePlace(record: Order | Position, place: number | null): void {
    if ('openedAt' in record) this.served.follow(record.id, this.served.restorePosition(record, place))
    else this.served.restoreOrder(record, place)
  }

  #changePosition(sequence: number, event: PositionEvent, at: number, index: number): void {
    const lists = this.served
    const opens = event.type === 'increasePosition' && event.opens
    const open = opens ? this.#begin(event, at, index) : lists.openAt(sequence, event.positionId)
    lists.positionChanged(open, event, at, index)
    if (!endsPosition(event)) return
    lists.leave(event.positionId)
    lists.positionEnded(open, event)
  }

  #begin(event: IncreasePosition, at: number, index: number): Open {
    const identity = this.#identities.next(event.accountId)
    const open = this.served.positionOpened(event, at, identity, index)
    this.served.follow(event.positionId, open)
    return open
  }
}
