/** Records as the API writes them: fp9 strings, ISO dates, the fields and no others (A1, A5, C13). */
import type { OrderRecord } from '../domain/state/order.ts'
import type { PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import { formatFp9 } from '../quantity/fp9.ts'

/** A field as JSON holds it: quantities and durations as strings, instants as ISO 8601 with milliseconds. */
type Wire<T> = {
  readonly [Field in keyof T]: Field extends 'version'
    ? number
    : T[Field] extends boolean
      ? boolean
      : null extends T[Field]
        ? string | null
        : string
}

export type WireOrder = Wire<OrderRecord>
export type WirePosition = Wire<PositionRecord>
export type WirePositionEvent = WirePosition & { readonly order: WireOrder | null }

/** Epoch milliseconds as `date-time` (A5). */
export function formatInstant(at: number): string {
  if (at !== latest.at) latest = { at, text: new Date(at).toISOString() }
  return latest.text
}

/** Records written together mostly carry the same instant, and making its text costs more than the rest of a record. */
let latest = { at: 0, text: new Date(0).toISOString() }

export function wireOrder(order: OrderRecord): WireOrder {
  return { ...wire(order), createdAt: formatInstant(order.createdAt) } as WireOrder
}

export function wirePosition(position: PositionRecord): WirePosition {
  return {
    ...wire(position),
    version: position.version,
    openedAt: formatInstant(position.openedAt),
    lastUpdatedAt: formatInstant(position.lastUpdatedAt),
    closedAt: position.closedAt === null ? null : formatInstant(position.closedAt),
    holdingTimeMs: position.holdingTimeMs === null ? null : String(position.holdingTimeMs),
  } as WirePosition
}

export function wirePositionEvent({ order, ...position }: PositionEventRecord): WirePositionEvent {
  return { ...wirePosition(position), order: order === null ? null : wireOrder(order) }
}

/** Every bigint as its fp9 string, everything else as it is. */
function wire(record: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(record))
    fields[field] = typeof value === 'bigint' ? formatFp9(value) : value
  return fields
}
