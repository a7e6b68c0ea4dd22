/** JSON as the host writes it: bigints as fp9 strings, instants as ISO 8601 (A1, A5). */
import type { OrderRecord } from '../domain/order/order.ts'
import type { PositionEventRecord, PositionRecord } from '../domain/position/position.ts'
import type { Page } from '../projections/history.ts'
import { formatInstant, wirePosition, wirePositionEvent } from '../projections/wire.ts'
import { formatFp9 } from '../quantity/fp9.ts'
import { orderJson } from './orderJson.ts'

/** Fields that hold epoch milliseconds inside; durations end in `Ms` and stay numbers. */
const INSTANT_FIELD = /(?:^at|At|^frozenUntil)$/

/** Any record of the engine. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (field, held: unknown) => {
    if (typeof held === 'bigint') return formatFp9(held)
    return typeof held === 'number' && INSTANT_FIELD.test(field) ? formatInstant(held) : held
  })
}

export function ordersJson(orders: readonly OrderRecord[]): string {
  return `[${orders.map(orderJson).join()}]`
}

export function orderPageJson({ data, totalCount }: Page<OrderRecord>): string {
  return `{"data":${ordersJson(data)},"totalCount":${totalCount}}`
}

export function positionJson(position: PositionRecord): string {
  return JSON.stringify(wirePosition(position))
}

export function positionsJson(positions: readonly PositionRecord[]): string {
  return JSON.stringify(positions.map(wirePosition))
}

export function positionPageJson({ data, totalCount }: Page<PositionRecord>): string {
  return JSON.stringify({ data: data.map(wirePosition), totalCount })
}

export function positionEventsJson(events: readonly PositionEventRecord[]): string {
  return JSON.stringify(events.map(wirePositionEvent))
}
