/** What has ended and what has happened to positions, by id, until it is in the tables. */
import type { Ended } from '../domain/state/world.ts'
import type { CommitPast, PastEvent, PastOrder, PastPosition } from './commitPast.ts'

export class UnwrittenPast {
  readonly orders = new Map<string, PastOrder>()
  readonly positions = new Map<string, PastPosition>()
  /** Of a position, oldest first. */
  readonly #events = new Map<string, Set<PastEvent>>()

  add({ orders, positions, events }: CommitPast): void {
    for (const order of orders) this.orders.set(order.record.id, order)
    for (const position of positions) this.positions.set(position.record.id, position)
    for (const event of events) {
      const before = this.#events.get(event.record.id)
      if (before === undefined) this.#events.set(event.record.id, new Set([event]))
      else before.add(event)
    }
  }

  /** In the order they were added. */
  release({ orders, positions, events }: CommitPast): void {
    for (const { record } of orders) this.orders.delete(record.id)
    for (const { record } of positions) this.positions.delete(record.id)
    for (const event of events) {
      const rest = this.#events.get(event.record.id)
      rest?.delete(event)
      if (rest?.size === 0) this.#events.delete(event.record.id)
    }
  }

  clear(): void {
    for (const kept of [this.orders, this.positions, this.#events]) kept.clear()
  }

  /** Newest first, as they are now. */
  eventsOf(positionId: string): PastEvent[] {
    return Array.from(this.#events.get(positionId) ?? []).toReversed()
  }

  ended(table: 'orders' | 'positions', id: string): Ended | undefined {
    const past = this[table].get(id)
    return past && { accountId: past.record.accountId, phaseOrdinal: past.phaseOrdinal }
  }
}
