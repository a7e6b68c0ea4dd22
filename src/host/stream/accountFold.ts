/**
 * What is open of an account, as its commits make it, one event after the other: so that each order and each position can
 * be told as it was right after an event, also where a commit holds several, or ends what nobody keeps any longer.
 */
import { endOrder, endsOrder, placedOrder } from '../../domain/evolve/orderReducers.ts'
import { endsPosition, positionRecipe, unopenedPosition } from '../../domain/evolve/positionReducers.ts'
import type { Order, OrderRecord } from '../../domain/state/order.ts'
import type { Position, PositionEventRecord } from '../../domain/state/position.ts'
import type { Event } from '../../events/event.ts'
import type { OrderEnd } from '../../events/orderEvents.ts'
import type { PositionEvent } from '../../events/positionEvents.ts'
import { endedOrderRecord, positionEventRecord } from '../../projections/records.ts'

/** What an event made of an order or a position; null where it is about neither. */
export type Change =
  | { readonly type: 'order'; readonly record: OrderRecord }
  | { readonly type: 'position'; readonly record: PositionEventRecord }
  | null

/** Nobody reads the place in the order of creation here. */
const UNPLACED = { sequence: 0, phaseOrdinal: 0 }

export class AccountFold {
  readonly #orders: Map<string, Order>
  readonly #positions: Map<string, Position>
  /** The order that ended last: the one behind the position event that follows. */
  #lastEnded: OrderRecord | null = null

  /** Goes on from what is open, which it keeps. */
  constructor({ orders, positions }: { readonly orders: Order[]; readonly positions: Position[] }) {
    this.#orders = new Map(orders.map((order) => [order.id, order]))
    this.#positions = new Map(positions.map((position) => [position.id, position]))
  }

  get hasPositions(): boolean {
    return this.#positions.size > 0
  }

  apply(event: Event, at: number): Change {
    if (event.type === 'orderPlaced') {
      const order = placedOrder(event, at, UNPLACED)
      this.#orders.set(order.id, order)
      return { type: 'order', record: endedOrderRecord(order) }
    }
    if (endsOrder(event)) return { type: 'order', record: this.#end(event) }
    return isPositionEvent(event) ? { type: 'position', record: this.#change(event, at) } : null
  }

  #end(event: OrderEnd): OrderRecord {
    const order = this.#orders.get(event.orderId)
    if (order === undefined) throw new ReferenceError(`no open order ${event.orderId}`)
    this.#orders.delete(event.orderId)
    endOrder(order, event)
    this.#lastEnded = endedOrderRecord(order)
    return this.#lastEnded
  }

  #change(event: PositionEvent, at: number): PositionEventRecord {
    const opens = event.type === 'increasePosition' && event.opens
    const position = opens ? unopenedPosition(event, at, UNPLACED) : this.#positions.get(event.positionId)
    if (position === undefined) throw new ReferenceError(`no open position ${event.positionId}`)
    positionRecipe(position, event, at)
    if (endsPosition(event)) this.#positions.delete(position.id)
    else if (opens) this.#positions.set(position.id, position)
    return positionEventRecord(position, this.#orderBehind(event))
  }

  /** One order makes one event: nobody asks for it again. */
  #orderBehind(event: PositionEvent): OrderRecord | null {
    const order = this.#lastEnded
    if (!('orderId' in event) || order?.id !== event.orderId) return null
    this.#lastEnded = null
    return order
  }
}

export function isPositionEvent(event: Event): event is PositionEvent {
  return Object.hasOwn(POSITION_EVENTS, event.type)
}

const POSITION_EVENTS: Readonly<Record<PositionEvent['type'], true>> = {
  increasePosition: true,
  closePosition: true,
  addMargin: true,
  removeMargin: true,
  payFunding: true,
  liquidate: true,
  forceClose: true,
}
