/** Records as the API writes them: fp9 strings, ISO dates, the fields and no others (A1, A5, C13). */
import type { OrderRecord } from '../domain/state/order.ts'
import type { PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import { formatFp9 } from '../quantity/fp9.ts'

/** Fields that have another name in the API than in the engine (docs/glossary.md). */
const ORDER_NAMES = { accountId: 'trader', marketId: 'market', orderType: 'type' } as const
const POSITION_NAMES = { id: 'idx', accountId: 'trader', marketId: 'market' } as const

/** A field as JSON holds it: quantities and durations as strings, instants as ISO 8601 with milliseconds. */
type Wire<T, Names> = {
  readonly [Field in keyof T as Field extends keyof Names
    ? Names[Field] & string
    : Field]: Field extends 'version'
    ? number
    : T[Field] extends boolean
      ? boolean
      : null extends T[Field]
        ? string | null
        : string
}

/** An order as the API writes it. */
export type WireOrder = Wire<OrderRecord, typeof ORDER_NAMES>
/** A position as the API writes it. */
export type WirePosition = Wire<PositionRecord, typeof POSITION_NAMES>
/** A position event as the API writes it. */
export type WirePositionEvent = WirePosition & { readonly order: WireOrder | null }

/**
 * Epoch milliseconds as `date-time` (A5).
 *
 * ```ts
 * formatInstant(Date.UTC(2026, 0, 5, 12)) // → 2026-01-05T12:00:00.000Z
 * ```
 */
export function formatInstant(at: number): string {
  if (at !== latest.at) latest = { at, text: new Date(at).toISOString() }
  return latest.text
}

/** Records written together mostly carry the same instant, and making its text costs more than the rest of a record. */
let latest = { at: 0, text: new Date(0).toISOString() }

/**
 * An order as the API writes it: quantities as fp9 strings, times as ISO 8601 with milliseconds.
 *
 * ```ts
 * const [filled] = engine.read.orderHistory(ALICE, BTC).data
 * wireOrder(filled).leverage // → 10000000000
 * ```
 */
export function wireOrder(order: OrderRecord): WireOrder {
  return { ...wire(order, ORDER_NAMES), createdAt: formatInstant(order.createdAt) } as WireOrder
}

/**
 * A position as the API writes it (C13): quantities and durations as strings, times as ISO 8601 with milliseconds.
 *
 * ```ts
 * wirePosition(position).openedAt // → 2026-01-05T12:00:00.000Z
 * ```
 */
export function wirePosition(position: PositionRecord): WirePosition {
  return {
    ...wire(position, POSITION_NAMES),
    version: position.version,
    openedAt: formatInstant(position.openedAt),
    lastUpdatedAt: formatInstant(position.lastUpdatedAt),
    closedAt: position.closedAt === null ? null : formatInstant(position.closedAt),
    holdingTimeMs: position.holdingTimeMs === null ? null : String(position.holdingTimeMs),
  } as WirePosition
}

/**
 * A position event as the API writes it, with the order behind it.
 *
 * ```ts
 * const [opened] = engine.read.positionEvents(position.id)
 * wirePositionEvent(opened).order?.type // → market
 * ```
 */
export function wirePositionEvent({ order, ...position }: PositionEventRecord): WirePositionEvent {
  return { ...wirePosition(position), order: order === null ? null : wireOrder(order) }
}

/** Every bigint as its fp9 string, everything else as it is, each under its name in the API. */
function wire(record: object, names: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(record))
    fields[names[field] ?? field] = typeof value === 'bigint' ? formatFp9(value) : value
  return fields
}

const ENGINE_ORDER_NAMES = inverse(ORDER_NAMES)
const ENGINE_POSITION_NAMES = inverse(POSITION_NAMES)

/** The engine's names of the fields of a resource of the API, where they are others: for whoever reads the API. */
export function engineNames(resource: object): Readonly<Record<string, string>> {
  if ('idx' in resource) return ENGINE_POSITION_NAMES
  return 'trader' in resource ? ENGINE_ORDER_NAMES : {}
}

function inverse(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names).map(([engine, wire]) => [wire, engine]))
}
