/**
 * Orders that have not ended, as the history lists know them: what they were placed as, which is what their end is told
 * about. They are records and not bytes: encoding one and reading it back would take twenty times as long as holding it.
 */
import { IdMap } from '../collections/idMap.ts'
import { endOrder, placedOrder } from '../domain/evolve/orderReducers.ts'
import type { Order } from '../domain/state/order.ts'
import type { OrderEnd, OrderPlaced } from '../events/orderEvents.ts'
import type { Identity } from './pastEvents.ts'

export class WorkingOrders {
  #orders = new IdMap<Order>()
  /** The order placed last, while it may still fill in the commit that placed it. */
  #latest: Order | null = null

  place(event: OrderPlaced, at: number, identity: Identity): void {
    this.committed()
    this.#latest = placedOrder(event, at, identity)
  }

  /** The order as it ended; it is gone from here. */
  end(event: OrderEnd): Order {
    const order = this.#taken(event.orderId)
    endOrder(order, event)
    return order
  }

  /** The commit is over: what it placed and did not end rests. */
  committed(): void {
    if (this.#latest !== null) this.#orders.add(this.#latest.id, this.#latest)
    this.#latest = null
  }

  restore(order: Order): void {
    this.#orders.add(order.id, { ...order })
  }

  clear(): void {
    this.#orders = new IdMap()
    this.#latest = null
  }

  #taken(id: string): Order {
    const latest = this.#latest
    if (latest !== null && latest.id === id) {
      this.#latest = null
      return latest
    }
    const order = this.#orders.get(id)
    if (order === undefined) throw new ReferenceError(`no active order ${id}`)
    this.#orders.delete(id)
    return order
  }
}
