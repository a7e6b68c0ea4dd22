/** The history tables as they are read: records of rows. */
import type { OrderRecord } from '../domain/state/order.ts'
import type { Ended } from '../domain/state/world.ts'
import type { ReadableRows, ReadRow, RowQuery } from '../store/rowStore.ts'
import type { PastEvent, PastOrder, PastPosition } from './commitPast.ts'
import { eventOfRow, orderOfRow, positionOfRow } from './rowColumns.ts'

/** Which rows of a list a page needs. */
export interface PageOfRows {
  readonly below: number
  readonly skip: number
  readonly rows: number
}

/** Where a list belongs; of the portfolio to no market. */
export interface ListPlace extends Ended {
  readonly marketId?: string
}

export class TableReading {
  readonly #read: ReadableRows['read']

  constructor(read: ReadableRows['read']) {
    this.#read = read
  }

  /** Without those that an update replaced. */
  async orders(place: ListPlace, page: PageOfRows, upTo: number): Promise<PastOrder[]> {
    const rows = await this.#page('orders', place, page, upTo, { status: 'canceled_by_update' })
    return rows.map((row) => ({ ...identityOf(row), record: orderOfRow(row) }))
  }

  async positions(place: ListPlace, page: PageOfRows, upTo: number): Promise<PastPosition[]> {
    const rows = await this.#page('positions', place, page, upTo)
    return rows.map((row) => ({ ...identityOf(row), record: positionOfRow(row) }))
  }

  async ordersOf(ids: readonly string[], upTo: number): Promise<PastOrder[]> {
    const rows = await this.#ofIds('orders', ids, upTo)
    return rows.map((row) => ({ ...identityOf(row), record: orderOfRow(row) }))
  }

  async positionsOf(ids: readonly string[], upTo: number): Promise<PastPosition[]> {
    const rows = await this.#ofIds('positions', ids, upTo)
    return rows.map((row) => ({ ...identityOf(row), record: positionOfRow(row) }))
  }

  /** Whose an order or a position was that has ended; null: there is none. */
  async ended(table: 'orders' | 'positions', id: string, upTo: number): Promise<Ended | null> {
    const [row] = await this.#ofIds(table, [id], upTo)
    return row === undefined
      ? null
      : { accountId: String(row.account_id), phaseOrdinal: identityOf(row).phaseOrdinal }
  }

  /** The newest events of a position with a version below, newest first, and the orders behind them. */
  async eventsBefore(
    positionId: string,
    before: number,
    limit: number,
    upTo: number,
  ): Promise<{ readonly events: PastEvent[]; readonly orders: ReadonlyMap<string, OrderRecord> }> {
    const rows = await this.#read({
      table: 'position_events',
      where: { position_id: positionId },
      by: 'version',
      ...belowOf(before),
      limit,
      upTo,
    })
    const events = rows.map((row) => ({
      ...identityOf(row),
      record: eventOfRow(row),
      orderId: row.order_id as string | null,
    }))
    const ids = events.flatMap(({ orderId }) => orderId ?? [])
    const orders = await this.ordersOf([...new Set(ids)], upTo)
    return { events, orders: new Map(orders.map(({ record }) => [record.id, record])) }
  }

  async #page(
    table: RowQuery['table'],
    { accountId, phaseOrdinal, marketId }: ListPlace,
    { below, skip, rows }: PageOfRows,
    upTo: number,
    whereNot: RowQuery['whereNot'] = {},
  ): Promise<readonly ReadRow[]> {
    if (rows === 0) return []
    const where = {
      account_id: accountId,
      ...(marketId !== undefined && { market_id: marketId }),
      phase_ordinal: phaseOrdinal,
    }
    return this.#read({
      ...{ table, where, whereNot, by: 'sequence', ...belowOf(below), skip, limit: rows, upTo },
    })
  }

  async #ofIds(table: RowQuery['table'], ids: readonly string[], upTo: number): Promise<readonly ReadRow[]> {
    if (ids.length === 0) return []
    return this.#read({ table, where: { id: ids }, by: 'sequence', limit: ids.length, upTo })
  }
}

function belowOf(below: number): { readonly below?: number } {
  return Number.isFinite(below) ? { below } : {}
}

function identityOf({ sequence, phase_ordinal }: ReadRow): Pick<PastPosition, 'sequence' | 'phaseOrdinal'> {
  return { sequence: Number(sequence), phaseOrdinal: Number(phase_ordinal) }
}
