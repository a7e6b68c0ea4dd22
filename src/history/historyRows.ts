/**
 * What a commit adds to the history tables: every order and position that ended in it, and every event of a position but
 * funding (I13), as the records of the API under the engine's names. Nothing is left out that a phase left behind (H3) or
 * an update replaced (I3): that is for whoever asks the tables.
 */
import { positionRecipe, unopenedPosition } from '../domain/evolve/positionReducers.ts'
import type { Account } from '../domain/state/account.ts'
import type { Order } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { OrderEnd } from '../events/orderEvents.ts'
import type { IncreasePosition, PositionEvent } from '../events/positionEvents.ts'
import type { Identity } from '../projections/pastEvents.ts'
import {
  type EndedOrders,
  type FoldedCommit,
  RecordFold,
  type RecordLists,
} from '../projections/recordFold.ts'
import { endedOrderRecord, positionRecord } from '../projections/records.ts'
import type { Row } from '../store/rowStore.ts'

export interface CommitRows {
  readonly seq: number
  readonly orders: Row[]
  readonly positions: Row[]
  readonly position_events: Row[]
}

export class HistoryRows implements RecordLists<Position> {
  readonly #fold = new RecordFold<Position>(this)
  /** Null while a commit is passed over. */
  #rows: CommitRows | null = null
  #at = 0

  /** What the commit adds. `ended`: the orders it ended, in the order of their ends. */
  of(commit: FoldedCommit, ended: EndedOrders): CommitRows {
    const rows = noRows(commit.seq)
    this.#rows = rows
    this.#at = commit.at
    this.#fold.apply(commit, ended)
    return rows
  }

  /** Folds a commit whose rows are written already: what is open has to be known, and making rows is most of the work. */
  pass(commit: FoldedCommit, ended: EndedOrders): void {
    this.#rows = null
    this.#fold.apply(commit, ended)
  }

  /** Goes on after a snapshot before which so many accounts, orders and positions were created. */
  restore(created: number): void {
    this.#fold.restore(created)
  }

  restoreAccount(account: Account): void {
    this.#fold.restoreAccount(account)
  }

  /** One that is open; the engine goes on changing its own. */
  restorePosition(position: Position): void {
    this.#fold.restorePosition(position.id, { ...position })
  }

  orderPlaced(): void {}

  orderEnded(_event: OrderEnd, order: Order): void {
    this.#rows?.orders.push({
      ...placed(this.#rows, order),
      ended_at: instant(this.#at),
      ...columns(endedOrderRecord(order)),
    })
  }

  positionOpened(event: IncreasePosition, at: number, identity: Identity): Position {
    return unopenedPosition(event, at, identity)
  }

  positionChanged(position: Position, event: PositionEvent, at: number): void {
    positionRecipe(position, event, at)
    if (event.type === 'payFunding' || this.#rows === null) return
    const { id, ...rest } = columns(positionRecord(position))
    const orderId = 'orderId' in event ? event.orderId : null
    this.#rows.position_events.push({
      ...placed(this.#rows, position),
      position_id: id as string,
      order_id: orderId,
      ...rest,
    })
  }

  positionEnded(position: Position): void {
    this.#rows?.positions.push({ ...placed(this.#rows, position), ...columns(positionRecord(position)) })
  }

  phaseBegan(): void {}
}

/** Where a row belongs: its commit, and its own creation. */
function placed({ seq }: CommitRows, { sequence, phaseOrdinal }: Identity): Row {
  return { seq, sequence, phase_ordinal: phaseOrdinal }
}

function noRows(seq: number): CommitRows {
  return { seq, orders: [], positions: [], position_events: [] }
}

/** Fields of a record that are instants, epoch ms. */
const INSTANTS: ReadonlySet<string> = new Set(['createdAt', 'openedAt', 'lastUpdatedAt', 'closedAt'])

function columns(record: object): Row {
  const row: Record<string, Row[string]> = {}
  for (const [field, value] of Object.entries(record)) row[columnOf(field)] = cell(field, value)
  return row
}

function cell(field: string, value: bigint | number | string | boolean | null): Row[string] {
  // Units of 10⁻⁹, exactly.
  if (typeof value === 'bigint') return `${value}e-9`
  return typeof value === 'number' && INSTANTS.has(field) ? instant(value) : value
}

function instant(at: number): string {
  return new Date(at).toISOString()
}

const names = new Map<string, string>()

/** `takeTriggerPrice` is `take_trigger_price`. */
function columnOf(field: string): string {
  let name = names.get(field)
  if (name === undefined) {
    name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    names.set(field, name)
  }
  return name
}
