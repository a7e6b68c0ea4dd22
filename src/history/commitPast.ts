/**
 * What a commit adds to the history tables: every order and position that ended in it, and every event of a position but
 * funding (I13), as the records of the API under the engine's names. Nothing is left out that a phase left behind (H3) or
 * an update replaced (I3): that is for whoever asks the tables.
 */
import type { Order, OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionRecord } from '../domain/state/position.ts'
import type { PositionEvent } from '../events/positionEvents.ts'
import type { FoldedCommit } from '../projections/decidedProjection.ts'
import { endedOrderRecord, positionRecord } from '../projections/records.ts'
import type { Row, Rows } from '../store/rowStore.ts'
import type { Identity } from './pastEvents.ts'
import { orderColumns, positionColumns } from './rowColumns.ts'

export interface PastOrder extends Identity {
  readonly record: OrderRecord
}

export interface PastPosition extends Identity {
  readonly record: PositionRecord
}

/** A position right after an event. */
export interface PastEvent extends PastPosition {
  readonly orderId: string | null
}

/** What a commit adds, as records: rows are made of them when they are written. */
export class CommitPast {
  readonly seq: number
  readonly #at: number
  readonly orders: PastOrder[] = []
  readonly positions: PastPosition[] = []
  readonly events: PastEvent[] = []

  constructor({ seq, at }: FoldedCommit) {
    this.seq = seq
    this.#at = at
  }

  /** How many rows it becomes. */
  get size(): number {
    return this.orders.length + this.positions.length + this.events.length
  }

  addOrder(order: Order): PastOrder {
    const { sequence, phaseOrdinal } = order
    const past = { sequence, phaseOrdinal, record: endedOrderRecord(order) }
    this.orders.push(past)
    return past
  }

  addPosition(position: Position): PastPosition {
    const { sequence, phaseOrdinal } = position
    const past = { sequence, phaseOrdinal, record: positionRecord(position) }
    this.positions.push(past)
    return past
  }

  /** Of funding nothing is kept. */
  addEvent(position: Position, event: PositionEvent): PastEvent | null {
    if (event.type === 'payFunding') return null
    const { sequence, phaseOrdinal } = position
    const orderId = 'orderId' in event ? event.orderId : null
    const past = { sequence, phaseOrdinal, record: positionRecord(position), orderId }
    this.events.push(past)
    return past
  }

  orderRows(): Row[] {
    const ended_at = new Date(this.#at).toISOString()
    return this.orders.map(({ record, ...identity }) => ({
      ...this.#placed(identity),
      ended_at,
      ...orderColumns(record),
    }))
  }

  positionRows(): Row[] {
    return this.positions.map(({ record, ...identity }) => ({
      ...this.#placed(identity),
      ...positionColumns(record),
    }))
  }

  eventRows(): Row[] {
    return this.events.map(({ record, orderId, ...identity }) => {
      const { id, ...rest } = positionColumns(record)
      return { ...this.#placed(identity), position_id: id as string, order_id: orderId, ...rest }
    })
  }

  /** Where a row belongs: its commit, and its own creation. */
  #placed({ sequence, phaseOrdinal }: Identity): Row {
    return { seq: this.seq, sequence, phase_ordinal: phaseOrdinal }
  }
}

export function rowsOf(commits: readonly CommitPast[]): Rows {
  return {
    orders: commits.flatMap((commit) => commit.orderRows()),
    positions: commits.flatMap((commit) => commit.positionRows()),
    position_events: commits.flatMap((commit) => commit.eventRows()),
  }
}
