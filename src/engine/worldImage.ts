/**
 * The accounts, orders and positions of a world as they were after one commit, to be read in pieces while commands go
 * on: whatever is about to change is copied first, once. Taking it costs a list of references.
 */
import type { Account } from '../domain/account/account.ts'
import type { BeforeChange } from '../domain/beforeChange.ts'
import type { Order } from '../domain/order/order.ts'
import type { Position } from '../domain/position/position.ts'
import type { World } from '../domain/world.ts'
import type { Price } from '../quantity/units.ts'

export class WorldImage implements BeforeChange {
  readonly accounts: readonly Account[]
  readonly orders: readonly Order[]
  readonly positions: readonly Position[]
  readonly #world: World
  readonly #created: number
  readonly #daysBegun: number
  /** The running best prices of trailing stops move without an event. */
  readonly #watermarks = new Map<Order, Price | null>()
  readonly #copies = new Map<object, object>()

  /** @throws Error while another image of the world is being read. */
  constructor(world: World) {
    if (world.beforeChange !== null) throw new Error('another image of this world is being read')
    this.#world = world
    this.#created = world.created
    this.#daysBegun = world.days.seen
    this.accounts = [...world.accounts.values()]
    this.orders = world.orders.toArray()
    this.positions = world.positions.toArray()
    for (const order of this.orders)
      if (order.type === 'trailing_stop') this.#watermarks.set(order, world.triggers.watermarkOf(order))
    world.beforeChange = this
  }

  changing(record: Account | Order | Position): void {
    if (record.sequence <= this.#created && !this.#copies.has(record)) this.#copies.set(record, { ...record })
  }

  account(account: Account): Account {
    const then = this.#then(account)
    return { ...then, profitableDaysSeen: this.#world.days.profitableDaysOf(then, this.#daysBegun) }
  }

  order(order: Order): Order {
    const then = this.#then(order)
    const watermark = this.#watermarks.get(order)
    return watermark === undefined ? then : { ...then, watermark }
  }

  position(position: Position): Position {
    return this.#then(position)
  }

  /** From here on nothing is copied any more. */
  release(): void {
    this.#world.beforeChange = null
    this.#copies.clear()
  }

  #then<T extends object>(record: T): T {
    return (this.#copies.get(record) as T | undefined) ?? record
  }
}
