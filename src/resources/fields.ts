/** The fields the API is made of, as JSON schemas: one schema validates, types and describes (A1, A4, A5, A6). */
import { type Static, type TSchema, Type } from 'typebox'
import { FP9_MAX_LENGTH, FP9_PATTERN } from '../quantity/fp9.ts'

/** What an fp9 integer counts in, by the name its form has in the API description. */
const COUNTED = {
  Quote: 'fp9, quote (USD)',
  Base: 'fp9, units of the base asset',
  Price: 'fp9, quote per unit of the base asset',
  Rate: 'fp9, fraction: 50000000 = 5%',
  Leverage: 'fp9, multiple: 10000000000 = 10x',
  Amount: 'fp9, quote (USD) of an increase order, units of the base asset of a close order',
} as const

const ABOUT_FP9 = 'integer as a string, scaled by 10^9: `1000000000` is 1.'

/** An fp9 integer as a string, which says what it means and what it counts in. */
function quantity(title: keyof typeof COUNTED) {
  return (meaning?: string) =>
    Type.String({
      title,
      pattern: FP9_PATTERN,
      maxLength: FP9_MAX_LENGTH,
      description:
        meaning === undefined ? `${COUNTED[title]}; ${ABOUT_FP9}` : `${meaning} (${COUNTED[title]})`,
      examples: ['1000000000'],
    })
}

export const quote = quantity('Quote')
export const base = quantity('Base')
export const price = quantity('Price')
export const rate = quantity('Rate')
export const leverage = quantity('Leverage')
export const amount = quantity('Amount')

export const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

/** 8-4-4-4-12 hexadecimal digits in either case (A4). */
export const uuid = (meaning = 'uuid, 8-4-4-4-12 hexadecimal digits in either case.') =>
  Type.String({
    title: 'Uuid',
    pattern: UUID_PATTERN,
    description: meaning,
    examples: ['00000000-0000-4000-8000-000000000002'],
  })

export const Uuid = uuid()

/** What the host writes: ISO 8601, UTC, milliseconds. */
export const instant = (meaning?: string) =>
  Type.String({
    title: 'Instant',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
    description: meaning === undefined ? 'ISO 8601 in UTC with milliseconds.' : `${meaning} (ISO 8601, UTC)`,
    examples: ['2026-01-05T00:10:00.000Z'],
  })

export const Instant = instant()

export const text = (description: string) => Type.String({ description })
export const flag = (description: string) => Type.Boolean({ description })
/** A whole number of at least `minimum`. */
export const count = (description: string, minimum = 0) => Type.Integer({ minimum, description })

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[], description: string) {
  return Type.Enum([...words], { type: 'string', description })
}

/** An object with these fields and no others; its `title` is its name in the API description. */
export function closed<Fields extends Record<string, TSchema>>(
  fields: Fields,
  options: { title?: string; description?: string; examples?: unknown[] } = {},
) {
  return Type.Object(fields, { additionalProperties: false, ...options })
}

/** Present, and null where there is nothing. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { description } = schema as { description?: string }
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
}

/** May be left out; null means the same (A6). */
export function optional<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(nullable(schema))
}

/** One page of a list. */
export function pageOf<Schema extends TSchema>(item: Schema, title: string) {
  return closed(
    {
      data: Type.Array(item, { description: 'The items of this page.' }),
      totalCount: count('How many there are over all pages.'),
    },
    { title, description: 'One page of a list, and how many items there are over all pages.' },
  )
}

export const AccountPath = closed({ accountId: uuid("The account; it has to be the caller's.") })
export const OrderPath = closed({ orderId: uuid("The order; its account has to be the caller's.") })
export const PositionPath = closed({
  positionId: uuid("The position, `idx` of its record; its account has to be the caller's."),
})
export const ApiKeyPath = closed({ id: uuid('The API key.') })
export const MarketPath = closed({
  accountId: uuid("The account; it has to be the caller's."),
  asset: Type.String({
    minLength: 1,
    description: 'Base asset ticker, exactly as listed.',
    examples: ['BTC'],
  }),
})

export const NoQuery = closed({})
export const AccountQuery = closed({
  accountId: uuid("The account that the prices and bounds apply to; it has to be the caller's."),
})

/** `limit` and `offset` as a URL carries them; their bounds are in the patterns (I10). */
export const PageQuery = closed({
  limit: Type.Optional(
    Type.String({
      pattern: '^0*(?:[1-9][0-9]?|100)$',
      description: 'Items of a page: an integer from 1 to 100, default 20.',
      examples: ['20'],
    }),
  ),
  offset: Type.Optional(
    Type.String({
      pattern: `^0*(?:[0-9]{1,15}|${upTo('9007199254740991')})$`,
      description: 'Items to leave out before: an integer from 0 to 9007199254740991, default 0.',
      examples: ['0'],
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
