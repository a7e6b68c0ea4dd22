/**
 * One command being decided: the world as it is after the events so far, and the place where further events go. An
 * event is applied as it is emitted, because the next decision of the same command depends on it. Validation comes
 * before the first emission; what is refused therefore leaves no trace.
 */
import type { AccountEvent } from '../events/accountEvents.ts'
import type { Event } from '../events/event.ts'
import type { OrderEvent } from '../events/orderEvents.ts'
import type { PositionEvent } from '../events/positionEvents.ts'
import type { Account } from './account/account.ts'
import { apply, type Observer } from './apply.ts'
import type { Refusal } from './errors.ts'
import type { Order } from './order/order.ts'
import type { Position } from './position/position.ts'
import { moveClock } from './schedule.ts'
import type { World } from './world.ts'

/** A close-all that did not close everything says which positions stayed, and why (I9). */
export interface CloseAllAnswer {
  readonly orders: readonly Order[]
  readonly failed: readonly { readonly positionId: string; readonly error: Refusal }[]
}

/** What an accepted command answers: the aggregate it was about. */
export type Answer = Order | Position | CloseAllAnswer | null

export class Step implements Observer {
  readonly world: World
  /** Time of the command, epoch ms. */
  readonly at: number
  readonly events: Event[] = []
  /** Positions this command changed and left open: their liquidation price moved (B6). One may be listed twice. */
  changed: Position[] = []
  /** Accounts whose equity this command moved: their risk is checked at its end (J5). One may be listed twice. */
  readonly touched: Account[] = []
  answer: Answer = null
  readonly #observer: Observer
  #ids: number

  /**
   * `observer` is told of every change, as it would be when the log is folded again. `firstId`: index of the first id,
   * where several steps share a sequence.
   */
  constructor(world: World, at: number, observer: Observer, firstId = 0) {
    this.world = world
    this.at = at
    this.#observer = observer
    this.#ids = firstId
  }

  /** The next id of the commit this command will make (A4). */
  newId(): string {
    return this.world.ids.id(this.world.seq + 1, this.#ids++)
  }

  emit(event: Event): void {
    if (this.events.length === 0) moveClock(this.world, this.at)
    this.events.push(event)
    apply(this.world, event, this.at, this)
  }

  orderChanged(event: OrderEvent, order: Order): void {
    this.#observer.orderChanged(event, order)
  }

  positionChanged(event: PositionEvent, position: Position): void {
    this.touched.push(this.world.accounts.get(position.trader) as Account)
    if (position.status === 'opened') this.changed.push(position)
    this.#observer.positionChanged(event, position)
  }

  accountChanged(event: AccountEvent, account: Account): void {
    this.#observer.accountChanged(event, account)
  }
}
