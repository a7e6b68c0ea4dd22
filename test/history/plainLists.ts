// History lists as plain as can be: everything there ever was, in arrays, looked through from one end to the other.

import { positionRecipe, unopenedPosition } from '../../src/domain/evolve/positionReducers.ts'
import type { Order, OrderRecord } from '../../src/domain/state/order.ts'
import type { Position, PositionEventRecord, PositionRecord } from '../../src/domain/state/position.ts'
import type { Ended } from '../../src/domain/state/world.ts'
import type { OrderEnd } from '../../src/events/orderEvents.ts'
import type { IncreasePosition, PositionEvent } from '../../src/events/positionEvents.ts'
import type { Identity } from '../../src/history/pastEvents.ts'
import { RecordLists } from '../../src/history/recordLists.ts'
import type { History, Page, Paging } from '../../src/projections/history.ts'
import { endedOrderRecord, positionEventRecord, positionRecord } from '../../src/projections/records.ts'

interface Past<R> extends Identity {
  readonly record: R
}

export class PlainLists extends RecordLists<Position> implements History {
  readonly #orders: (Past<OrderRecord> & { readonly isReplaced: boolean })[] = []
  readonly #positions: Position[] = []
  readonly #events: { readonly id: string; readonly record: PositionEventRecord }[] = []
  readonly #phases = new Map<string, number>()

  orderEnded({ type }: OrderEnd, order: Order): void {
    const { sequence, phaseOrdinal } = order
    const isReplaced = type === 'orderReplaced'
    this.#orders.push({ sequence, phaseOrdinal, isReplaced, record: endedOrderRecord(order) })
  }

  positionOpened(event: IncreasePosition, at: number, identity: Identity): Position {
    const position = unopenedPosition(event, at, identity)
    this.#positions.push(position)
    return position
  }

  positionChanged(position: Position, event: PositionEvent, at: number): void {
    positionRecipe(position, event, at)
    if (event.type === 'payFunding') return
    const order = 'orderId' in event ? this.#orderOf(event.orderId) : undefined
    this.#events.push({ id: position.id, record: positionEventRecord(position, order?.record ?? null) })
  }

  positionEnded(): void {}

  override phaseBegan(accountId: string, phaseOrdinal: number): void {
    this.#phases.set(accountId, phaseOrdinal)
  }

  /** They are never left. */
  restorePosition(): never {
    throw new Error('plain lists begin with the log')
  }

  orders(accountId: string, marketId: string, paging: Paging): Page<OrderRecord> {
    const listed = this.#orders.filter(
      (order) => order.record.marketId === marketId && !order.isReplaced && this.#isOf(accountId, order),
    )
    return pageOf(listed, paging)
  }

  closedPositions(accountId: string, marketId: string, paging: Paging): Page<PositionRecord> {
    return pageOf(
      this.#pastOf(accountId).filter(
        ({ record: { marketId: on, status } }) => on === marketId && status !== 'opened',
      ),
      paging,
    )
  }

  portfolio(accountId: string, paging: Paging): Page<PositionRecord> {
    return pageOf(this.#pastOf(accountId), paging)
  }

  positionEvents(positionId: string): PositionEventRecord[][] | undefined {
    if (this.position(positionId) === undefined) return undefined
    return [
      this.#events
        .filter(({ id }) => id === positionId)
        .map(({ record }) => record)
        .reverse(),
    ]
  }

  order(orderId: string): OrderRecord | undefined {
    const order = this.#orderOf(orderId)
    return order && this.#isOf(order.record.accountId, order) ? order.record : undefined
  }

  position(positionId: string): PositionRecord | undefined {
    const position = this.#positions.find(({ id }) => id === positionId)
    return position && this.#pastOf(position.accountId).find(({ record }) => record.id === positionId)?.record
  }

  endedOrder(orderId: string): Ended | undefined {
    const order = this.#orderOf(orderId)
    return order && { accountId: order.record.accountId, phaseOrdinal: order.phaseOrdinal }
  }

  endedPosition(positionId: string): Ended | undefined {
    const position = this.#positions.find(({ id, status }) => id === positionId && status !== 'opened')
    return position && { accountId: position.accountId, phaseOrdinal: position.phaseOrdinal }
  }

  #orderOf(orderId: string) {
    return this.#orders.find(({ record }) => record.id === orderId)
  }

  #pastOf(accountId: string): Past<PositionRecord>[] {
    return this.#positions
      .map(({ ...position }) => ({ ...position, record: positionRecord(position) }))
      .filter((position) => this.#isOf(accountId, position))
  }

  #isOf(accountId: string, { record, phaseOrdinal }: Past<{ readonly accountId: string }>): boolean {
    return record.accountId === accountId && (this.#phases.get(accountId) ?? phaseOrdinal) === phaseOrdinal
  }
}

function pageOf<R>(listed: readonly Past<R>[], { limit, offset }: Paging): Page<R> {
  const newestFirst = listed.toSorted((a, b) => b.sequence - a.sequence)
  return {
    data: newestFirst.slice(offset, offset + limit).map(({ record }) => record),
    totalCount: listed.length,
  }
}
