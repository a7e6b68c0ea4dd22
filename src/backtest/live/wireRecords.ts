/** Records of the API as the engine has them, and back. */
import { engineNames } from '../../projections/wire.ts'
import { parseFp9 } from '../../quantity/fp9.ts'

/** Fields as they travel: quantities as fp9 strings. */
export function toWire<Body>(fields: object): Body {
  const travels = (_field: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  return JSON.parse(JSON.stringify(fields, travels))
}

/** Fields that are text however they look. */
const TEXTS = new Set(['baseAsset', 'ticker', 'status', 'reason', 'errorCode', 'closeReason'])
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** A record of the API as the engine has it: its own names, fp9 strings as integers, instants and durations as milliseconds. */
export function fromWire<T>(value: unknown): T {
  return revive(value, '') as T
}

function revive(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((item) => revive(item, field))
  if (typeof value === 'object' && value !== null) {
    const names = engineNames(value)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [names[key] ?? key, revive(item, key)]),
    )
  }
  if (typeof value !== 'string' || TEXTS.has(field)) return value
  if (INSTANT.test(value)) return Date.parse(value)
  const quantity = parseFp9(value)
  if (quantity === undefined) return value
  return field.endsWith('Ms') ? Number(quantity) : quantity
}
