/** An operation of the API: who may call it, what it takes and gives, and every code it can answer with (I15). */
import { type TSchema, Type } from 'typebox'
import { ERRORS, type ErrorCode } from '../terms/errors.ts'
import type { Access, OperatorRole } from './access.ts'
import { closed, Instant, NoQuery } from './schemas/fields.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a body is read at all. */
    readonly body?: 'json' | 'ignored'
    /** Whether `x-idempotency-key` counts here (I4). */
    readonly idempotent?: boolean
  }
}

type OfferedAccess = Exclude<Access, 'nobody'>

interface OperationTerms<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  readonly id: string
  readonly summary: string
  readonly tag: 'accounts' | 'markets' | 'orders' | 'positions' | 'api-keys' | 'operator'
  readonly access: OfferedAccess
  /** The least role, where it is for operators; default: admin. */
  readonly role?: OperatorRole
  /** Beside what every operation of its access can answer. */
  readonly errors: readonly ErrorCode[]
  readonly response: TSchema
  readonly status?: 200 | 201
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Named by the document without being shown: served as an extension (I8, I9, H8). */
  readonly extension?: boolean
  readonly idempotent?: boolean
  readonly atOnce?: boolean
  readonly whenStopped?: boolean
  /** Whether the answer shows a secret. */
  readonly secret?: boolean
}

const ErrorResource = (codes: readonly string[]) =>
  closed({
    statusCode: Type.Integer(),
    message: Type.String(),
    error: Type.Enum([...codes]),
    details: Type.Optional(Type.Array(Type.String())),
    leverage: Type.Optional(Type.String()),
    minLeverage: Type.Optional(Type.String()),
    maxLeverage: Type.Optional(Type.String()),
    bucket: Type.Optional(Type.Enum(['read', 'write'])),
    window: Type.Optional(Type.Enum(['second', 'minute'])),
    limit: Type.Optional(Type.Integer()),
    retryAt: Type.Optional(Instant),
  })

const COMMON_ERRORS: { readonly [A in OfferedAccess]: readonly ErrorCode[] } = {
  trader: ['session_expired', 'api_key_rate_limit_exceeded'],
  session: ['session_expired', 'api_key_rate_limit_exceeded', 'api_key_not_allowed'],
  operator: ['session_expired', 'api_key_rate_limit_exceeded', 'api_key_not_allowed'],
  public: [],
}

/** Two names of one header; both given and different is `validation_failed`. */
export const IDEMPOTENCY_HEADERS = ['x-idempotency-key', 'idempotency-key'] as const

const IdempotencyKey = Type.Optional(
  Type.String({
    maxLength: 255,
    description: 'the same key of the same user within an hour replays the first outcome; empty = none',
  }),
)
const IdempotencyKeys = Type.Object(
  Object.fromEntries(IDEMPOTENCY_HEADERS.map((name) => [name, IdempotencyKey])),
)

const text = (description: string) => ({ type: 'string', description })
const REPLAY_HEADERS = {
  'X-Idempotency-Cached': text('`true` where the answer is a replay'),
  'X-Idempotency-Timestamp': text('where it is a replay: when the first call completed, ISO 8601'),
}
const QUOTA_HEADERS = {
  'RateLimit-Limit': text('to API keys: requests allowed in the window that is nearest to its limit'),
  'RateLimit-Remaining': text('to API keys: requests left in it'),
  'RateLimit-Reset': text('to API keys: seconds until it ends'),
}
const SECRET_HEADERS = { 'Cache-Control': text('`no-store`: the answer shows a secret') }

/** The route options of an operation. */
export function operation<
  Params extends TSchema = TSchema,
  Query extends TSchema = typeof NoQuery,
  Body extends TSchema = TSchema,
>(terms: OperationTerms<Params, Query, Body>) {
  const {
    id,
    summary,
    tag,
    access,
    role = 'admin',
    params,
    body,
    extension = false,
    idempotent = false,
    atOnce = false,
    whenStopped = false,
  } = terms
  const errors: ErrorCode[] = [
    'engine_stopped',
    ...COMMON_ERRORS[access],
    'validation_failed',
    ...terms.errors,
  ]
  return {
    config: {
      access,
      role,
      body: body === undefined ? ('ignored' as const) : ('json' as const),
      idempotent,
      atOnce,
      whenStopped,
    },
    schema: {
      operationId: id,
      summary: extension ? `${summary} (extension)` : summary,
      tags: [tag],
      security: [{ [access]: access === 'operator' ? [role] : [] }],
      ...(extension && { 'x-extension': true }),
      'x-error-codes': errors,
      ...(params !== undefined && { params }),
      querystring: (terms.query ?? NoQuery) as Query,
      ...(body !== undefined && { body }),
      ...(idempotent && { headers: IdempotencyKeys }),
      response: {
        [terms.status ?? 200]: { ...described('Success', terms.response), headers: successHeaders(terms) },
        ...errorResponses(errors),
      },
    } as {
      params: Params
      querystring: Query
      body: Body
    },
  }
}

function successHeaders({
  access,
  idempotent,
  secret,
}: Pick<OperationTerms<TSchema, TSchema, TSchema>, 'access' | 'idempotent' | 'secret'>): object {
  return {
    ...(access === 'trader' && QUOTA_HEADERS),
    ...(idempotent && REPLAY_HEADERS),
    ...(secret && SECRET_HEADERS),
  }
}

function errorResponses(errors: readonly ErrorCode[]): Record<number, object> {
  const responses: Record<number, object> = {}
  for (const status of new Set(errors.map((code) => ERRORS[code].status))) {
    const codes = errors.filter((code) => ERRORS[code].status === status)
    const headers = status === 429 ? { 'Retry-After': text('whole seconds to wait') } : {}
    responses[status] = { ...described(codes.map(explained).join('\n\n'), ErrorResource(codes)), headers }
  }
  return responses
}

function explained(code: ErrorCode): string {
  const { meaning, extension } = ERRORS[code]
  return `\`${code}\`${extension ? ' (extension)' : ''}: ${meaning}`
}

function described(description: string, schema: TSchema): object {
  return { description, content: { 'application/json': { schema } } }
}
