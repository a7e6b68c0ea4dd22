/**
 * The accounts, orders and positions of a world as they were after one commit, each with its place in the history lists,
 * to be walked in pieces while commands go on: what is about to change, or to leave, and has not been met yet is copied
 * first, once. Taking it costs the same however much there is.
 */
import type { Account } from '../domain/account/account.ts'
import type { BeforeChange } from '../domain/beforeChange.ts'
import type { Order } from '../domain/order/order.ts'
import type { Position } from '../domain/position/position.ts'
import type { Watermarks } from '../domain/triggers/triggers.ts'
import type { World } from '../domain/world.ts'
import type { FoldedHistory } from '../projections/history.ts'

/** A record as it was. */
export interface Pictured<T> {
  readonly record: T
  /** The record itself where nothing has changed. */
  readonly was: T
  /** What the history keeps of it. */
  readonly place: unknown
}

export class WorldImage implements BeforeChange {
  readonly accounts: Walk<Account>
  readonly orders: Walk<Order>
  readonly positions: Walk<Position>
  readonly #world: World
  readonly #watermarks: Watermarks

  /** @throws Error while another image of the world is being read. */
  constructor(world: World, history: FoldedHistory) {
    if (world.beforeChange !== null) throw new Error('another image of this world is being read')
    this.#world = world
    const watermarks = world.triggers.watermarks()
    this.#watermarks = watermarks
    const { created, days } = world
    const begun = days.seen
    this.accounts = new Walk(world.accounts, created, (account) => ({
      record: account,
      was: { ...account, profitableDaysSeen: days.profitableDaysOf(account, begun) },
      place: history.placesOf(account),
    }))
    this.orders = new Walk(world.orders, created, (order) => ({
      record: order,
      was: order.type === 'trailing_stop' ? { ...order, watermark: watermarks.of(order) } : order,
      place: history.placeOf(order),
    }))
    this.positions = new Walk(world.positions, created, (position) => ({
      record: position,
      was: position,
      place: history.placeOf(position),
    }))
    world.beforeChange = this
  }

  accountChanging(account: Account): void {
    this.accounts.changing(account)
  }

  orderChanging(order: Order): void {
    this.orders.changing(order)
  }

  positionChanging(position: Position): void {
    this.positions.changing(position)
  }

  /** From here on nothing is copied any more. */
  release(): void {
    this.#world.beforeChange = null
    this.#watermarks.release()
  }
}

interface Sequenced {
  readonly sequence: number
}

/** Records that are there are met in creation order, those that have left meanwhile at the end. */
class Walk<T extends Sequenced> {
  /** How many it will have met. */
  readonly size: number
  readonly #records: { readonly size: number; values(): Iterable<T> }
  readonly #created: number
  readonly #picture: (record: T) => Pictured<T>
  readonly #copies = new Map<T, Pictured<T>>()
  /** Records up to this sequence have been met. */
  #met = 0

  /** `created`: later records are not met. */
  constructor(
    records: { readonly size: number; values(): Iterable<T> },
    created: number,
    picture: (record: T) => Pictured<T>,
  ) {
    this.size = records.size
    this.#records = records
    this.#created = created
    this.#picture = picture
  }

  changing(record: T): void {
    const { sequence } = record
    if (sequence <= this.#met || sequence > this.#created || this.#copies.has(record)) return
    const picture = this.#picture(record)
    this.#copies.set(record, { ...picture, was: { ...picture.was } })
  }

  *[Symbol.iterator](): Generator<Pictured<T>, void> {
    for (const record of this.#records.values()) {
      if (record.sequence > this.#created) break
      this.#met = record.sequence
      yield this.#copies.get(record) ?? this.#picture(record)
      this.#copies.delete(record)
    }
    this.#met = this.#created
    yield* this.#copies.values()
  }
}
