/** The fields the API is made of, as JSON schemas: one schema validates, types and describes (A1, A4, A5, A6). */
import { type Static, type TSchema, Type } from 'typebox'
import { FP9_MAX_LENGTH, FP9_PATTERN } from '../../quantity/fp9.ts'

/** An fp9 integer as a string. */
export const Fp9 = Type.String({
  pattern: FP9_PATTERN,
  maxLength: FP9_MAX_LENGTH,
  description: 'fp9: integer string scaled by 10^9',
  examples: ['1000000000'],
})

const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

/** 8-4-4-4-12 hexadecimal digits in either case (A4). */
export const Uuid = Type.String({ pattern: UUID_PATTERN, description: 'uuid, 8-4-4-4-12 hexadecimal digits' })

/** What the host writes: ISO 8601, UTC, milliseconds. */
export const Instant = Type.String({
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
  description: 'ISO 8601 in UTC with milliseconds',
  examples: ['2026-01-05T00:10:00.000Z'],
})

/** An object with these fields and no others. */
export function closed<Fields extends Record<string, TSchema>>(
  fields: Fields,
  options: { description?: string } = {},
) {
  return Type.Object(fields, { additionalProperties: false, ...options })
}

/** Present, and null where there is nothing. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** May be left out; null means the same (A6). */
export function optional<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(nullable(schema))
}

/** One page of a list. */
export function pageOf<Schema extends TSchema>(item: Schema) {
  return closed({
    data: Type.Array(item),
    totalCount: Type.Integer({ minimum: 0, description: 'count over all pages' }),
  })
}

export const AccountPath = closed({ accountId: Uuid })
export const OrderPath = closed({ orderId: Uuid })
export const PositionPath = closed({ positionId: Uuid })
export const ApiKeyPath = closed({ id: Uuid })
export const MarketPath = closed({
  accountId: Uuid,
  asset: Type.String({ minLength: 1, description: 'base asset ticker, exactly as listed' }),
})

export const NoQuery = closed({})
export const AccountQuery = closed({ accountId: Uuid })

/** `limit` and `offset` as a URL carries them; their bounds are in the patterns (I10). */
export const PageQuery = closed({
  limit: Type.Optional(
    Type.String({ pattern: '^0*(?:[1-9][0-9]?|100)$', description: 'integer, 1 to 100, default 20' }),
  ),
  offset: Type.Optional(
    Type.String({
      pattern: `^0*(?:[0-9]{1,15}|${upTo('9007199254740991')})$`,
      description: 'integer, 0 to 9007199254740991, default 0',
    }),
  ),
})

export type PageQuery = Static<typeof PageQuery>

/** Patterns of the numbers with as many digits as `maximum` that do not exceed it. */
function upTo(maximum: string): string {
  const smaller = [...maximum].flatMap((digit, at) =>
    digit === '0' ? [] : [`${maximum.slice(0, at)}[0-${Number(digit) - 1}][0-9]{${maximum.length - at - 1}}`],
  )
  return [...smaller, maximum].join('|')
}
