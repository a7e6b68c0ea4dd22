// The history lists of one step: what ended in it. What ended earlier is known by two ids that stand for all of it.

import { positionRecipe, unopenedPosition } from '../../src/domain/evolve/positionReducers.ts'
import type { Order, OrderRecord } from '../../src/domain/state/order.ts'
import type { Position, PositionRecord } from '../../src/domain/state/position.ts'
import type { Ended } from '../../src/domain/state/world.ts'
import type { OrderEnd } from '../../src/events/orderEvents.ts'
import type { IncreasePosition, PositionEvent } from '../../src/events/positionEvents.ts'
import type { Identity } from '../../src/history/pastEvents.ts'
import { RecordLists } from '../../src/history/recordLists.ts'
import type { History, Page } from '../../src/projections/history.ts'
import { endedOrderRecord, positionRecord } from '../../src/projections/records.ts'

/** Any order, and any position, that ended before the step, on the account in its present phase. */
export const ENDED = {
  order: '00000000-0000-4000-8000-0000000000e1',
  position: '00000000-0000-4000-8000-0000000000e2',
  /** The same of a phase that is over. */
  earlierOrder: '00000000-0000-4000-8000-0000000000e3',
  earlierPosition: '00000000-0000-4000-8000-0000000000e4',
} as const

const NOTHING: Page<never> = { data: [], totalCount: 0 }

export class StepHistory extends RecordLists<Position> implements History {
  readonly #accountId: string
  readonly #orders = new Map<string, OrderRecord>()
  readonly #positions = new Map<string, Position>()

  /** `accountId`: whose the ended ones are. */
  constructor(accountId: string) {
    super()
    this.#accountId = accountId
  }

  orderEnded(_event: OrderEnd, order: Order): void {
    this.#orders.set(order.id, order)
  }

  positionOpened(event: IncreasePosition, at: number, identity: Identity): Position {
    return unopenedPosition(event, at, identity)
  }

  positionChanged(position: Position, event: PositionEvent, at: number): void {
    positionRecipe(position, event, at)
  }

  positionEnded(position: Position): void {
    this.#positions.set(position.id, position)
  }

  order(orderId: string): OrderRecord | undefined {
    const order = this.#orders.get(orderId)
    return order && endedOrderRecord(order)
  }

  position(positionId: string): PositionRecord | undefined {
    const position = this.#positions.get(positionId)
    return position && positionRecord(position)
  }

  endedOrder(orderId: string): Ended | undefined {
    return this.#ended(orderId, ENDED.order, ENDED.earlierOrder)
  }

  endedPosition(positionId: string): Ended | undefined {
    return this.#ended(positionId, ENDED.position, ENDED.earlierPosition)
  }

  #ended(id: string, present: string, earlier: string): Ended | undefined {
    if (id !== present && id !== earlier) return undefined
    return { accountId: this.#accountId, phaseOrdinal: id === present ? 1 : 0 }
  }

  orders(): Page<OrderRecord> {
    return NOTHING
  }

  closedPositions(): Page<PositionRecord> {
    return NOTHING
  }

  portfolio(): Page<PositionRecord> {
    return NOTHING
  }

  positionEvents(): undefined {
    return undefined
  }

  restorePosition(position: Position): Position {
    return { ...position }
  }
}
