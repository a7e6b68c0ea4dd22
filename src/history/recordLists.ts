/**
 * Where the history lists are kept, as {@link RecordFold} tells them: in memory, as records under keys, or as rows of tables. It is
 * said at the level of orders and positions, because each keeps them in its own way: bytes in memory that cost a commit next
 * to nothing, keys that count up, rows that others query. `test/history/listFeatures.ts` is this contract as tests.
 */
import { IdMap } from '../collections/idMap.ts'
import type { Account } from '../domain/state/account.ts'
import type { Order } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { OrderEnd, OrderPlaced } from '../events/orderEvents.ts'
import type { IncreasePosition, PositionEvent } from '../events/positionEvents.ts'
import type { FoldedCommit } from '../projections/decidedProjection.ts'
import type { Keeping } from '../projections/keeping.ts'
import type { Identity } from './pastEvents.ts'

/**
 * `Open`: what they keep of an open position. What they need not know of does nothing. `index`: which event of its commit it
 * is, from 0.
 */
export abstract class RecordLists<Open> {
  /** The open positions by id, as the fold follows them, of whoever does not find them otherwise. */
  protected open = new IdMap<Open>()
  /** As in `DecidedFold`, and so is what snapshots carry. */
  readonly form: string | null = null

  get keeping(): Keeping | null {
    return null
  }

  /** What is kept of an open position, which was created as so many. */
  openAt(_sequence: number, id: string): Open {
    return this.open.known(id)
  }

  /** A position is open from now on. */
  follow(id: string, open: Open): void {
    this.open.add(id, open)
  }

  /** It is about to end. */
  leave(id: string): void {
    this.open.delete(id)
  }

  nothingOpen(): void {
    this.open = new IdMap()
  }

  /** A commit begins, and what it does follows. */
  began(_commit: FoldedCommit): void {}

  /** The ids of the engine are of this seed. */
  engineCreated(_seed: string): void {}

  orderPlaced(_event: OrderPlaced, _identity: Identity, _index: number): void {}

  /** The order as it ended: nobody changes it any more. */
  abstract orderEnded(event: OrderEnd, order: Order, index: number): void

  /** Before its first event is told. */
  abstract positionOpened(event: IncreasePosition, at: number, identity: Identity, index: number): Open

  /** Each event, the first and the last included. */
  abstract positionChanged(open: Open, event: PositionEvent, at: number, index: number): void

  abstract positionEnded(open: Open, event: PositionEvent): void

  /** An account begins a phase. */
  phaseBegan(_accountId: string, _phaseOrdinal: number): void {}

  /** All of a commit was told, before which so many accounts, orders and positions had been created, and `after` it so many. */
  completed(_seq: number, _before: number, _after: number): void {}

  saved(): object {
    return {}
  }

  placesOf(_account: Account): object | null {
    return null
  }

  placeOf(_record: Order | Position): number | null {
    return null
  }

  /** Goes on from what was {@link saved} at commit `seq`, with nothing open; null: from the beginning. */
  restore(_saved: object | null, _seq: number): void {}

  restorePlaces(_account: Account, _places: object | null): void {}

  restoreOrder(_order: Order, _place: number | null): void {}

  /** The engine goes on changing its own. */
  abstract restorePosition(position: Position, place: number | null): Open
}
