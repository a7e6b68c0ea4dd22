/**
 * The accounts, orders and positions of a world as they were after one commit, each with its place in the history lists,
 * and the API keys, to be walked in pieces while commands go on: what is about to change, or to leave, and has not been met yet is copied
 * first, once. Taking it costs the same however much there is.
 */
import type { Account } from '../domain/state/account.ts'
import type { ApiKey, ApiKeys } from '../domain/state/apiKey.ts'
import { type BeforeChange, watchChanges } from '../domain/state/beforeChange.ts'
import { type Order, type OrderState, orderState } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { RunningPeak } from '../domain/state/runningPeak.ts'
import type { World } from '../domain/state/world.ts'
import type { DecidedFold } from '../projections/decidedProjection.ts'
import type { Price } from '../quantity/units.ts'

/** A record as it was. */
export interface Pictured<T, Was = T> {
  readonly record: T
  /** The record itself where nothing has changed. */
  readonly was: Was
  /** What the history keeps of it. */
  readonly place: unknown
}

export class WorldImage implements BeforeChange {
  readonly accounts: Walk<Account>
  readonly orders: Walk<Order, Order | OrderState>
  readonly positions: Walk<Position>
  readonly apiKeys: KeyWalk
  readonly #unwatch: () => void
  /** Of the peaks that have changed since. */
  readonly #peaks = new Map<RunningPeak, Price>()

  constructor(world: World, history: DecidedFold<unknown>) {
    const { created, days } = world
    const begun = days.seen
    this.accounts = new Walk(world.accounts, created, (account) => ({
      record: account,
      was: { ...account, profitableDaysSeen: days.profitableDaysOf(account, begun) },
      place: history.placesOf(account),
    }))
    this.orders = new Walk(world.orders, created, (order) => ({
      record: order,
      was: { ...orderState(order), peak: this.#peakThen(order.peak) },
      place: history.placeOf(order),
    }))
    this.positions = new Walk(world.positions, created, (position) => ({
      record: position,
      was: position,
      place: history.placeOf(position),
    }))
    this.apiKeys = new KeyWalk(world.apiKeys)
    this.#unwatch = watchChanges(world, this)
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

  apiKeyChanging(key: ApiKey): void {
    this.apiKeys.changing(key)
  }

  peakChanging(peak: RunningPeak): void {
    if (!this.#peaks.has(peak)) this.#peaks.set(peak, peak.price)
  }

  /** From here on nothing is copied any more. */
  release(): void {
    this.#unwatch()
  }

  /** A peak's price when the image was taken: that of the first on its chain of mergers that has changed since, else its price now. */
  #peakThen(peak: RunningPeak | null): Price | null {
    for (let at = peak; at !== null; at = at.into) {
      const was = this.#peaks.get(at)
      if (was !== undefined) return was
    }
    return peak?.price ?? null
  }
}

interface Sequenced {
  readonly sequence: number
}

/** Walks records as they were at its beginning while they change: those still there in creation order, those that have left at the end. */
class Walk<T extends Sequenced, Was = T> {
  /** How many it will have met. */
  readonly size: number
  readonly #records: { readonly size: number; values(): Iterable<T> }
  readonly #created: number
  readonly #picture: (record: T) => Pictured<T, Was>
  /** By creation sequence: of an order there is another object each time it is asked for. */
  readonly #copies = new Map<number, Pictured<T, Was>>()
  /** Records up to this sequence have been met. */
  #met = 0

  /** `created`: later records are not met. */
  constructor(
    records: { readonly size: number; values(): Iterable<T> },
    created: number,
    picture: (record: T) => Pictured<T, Was>,
  ) {
    this.size = records.size
    this.#records = records
    this.#created = created
    this.#picture = picture
  }

  changing(record: T): void {
    const { sequence } = record
    if (sequence <= this.#met || sequence > this.#created || this.#copies.has(sequence)) return
    const picture = this.#picture(record)
    this.#copies.set(sequence, { ...picture, was: { ...picture.was } })
  }

  *[Symbol.iterator](): Generator<Pictured<T, Was>, void> {
    for (const record of this.#records.values()) {
      if (record.sequence > this.#created) break
      this.#met = record.sequence
      yield this.#copies.get(record.sequence) ?? this.#picture(record)
      this.#copies.delete(record.sequence)
    }
    this.#met = this.#created
    yield* this.#copies.values()
  }
}

/** Walks API keys as they were at its beginning, in their order. A key never changes: a refreshed one is another in its place. */
class KeyWalk {
  /** How many it will have met. */
  readonly size: number
  readonly #keys: ApiKeys
  readonly #last: number
  /** By place, those that were there and are not any more. */
  readonly #were = new Map<number, ApiKey>()
  /** Keys up to this place have been met. */
  #met = 0

  constructor(keys: ApiKeys) {
    this.size = keys.size
    this.#keys = keys
    this.#last = keys.places
  }

  changing(key: ApiKey): void {
    const place = this.#keys.placeOf(key) as number
    if (place > this.#met && place <= this.#last && !this.#were.has(place)) this.#were.set(place, key)
  }

  *[Symbol.iterator](): Generator<ApiKey, void> {
    for (const { place, key } of this.#keys.placed()) {
      if (place > this.#last) break
      yield* this.#leftBefore(place)
      this.#met = place
      yield this.#were.get(place) ?? key
      this.#were.delete(place)
    }
    yield* this.#leftBefore(this.#last + 1)
    this.#met = this.#last
  }

  *#leftBefore(end: number): Generator<ApiKey, void> {
    for (let place = this.#met + 1; place < end && this.#were.size > 0; place++) {
      const was = this.#were.get(place)
      if (was === undefined) continue
      this.#met = place
      yield was
      this.#were.delete(place)
    }
  }
}
