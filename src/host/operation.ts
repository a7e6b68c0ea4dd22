/** An operation of the API: who may call it, what it takes and gives, and every code it can answer with (I15). */
import { type TSchema, Type } from 'typebox'
import { closed, count, instant, leverage, NoQuery, oneOf, text } from '../resources/fields.ts'
import { ERRORS, type ErrorCode } from '../terms/errors.ts'
import type { Access, OperatorRole } from './access.ts'
import { malformed } from './errorAnswer.ts'
import { otherForm } from './fieldsFromJson.ts'

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
  /** What its summary leaves open, in Markdown. */
  readonly description?: string
  readonly tag: 'accounts' | 'markets' | 'orders' | 'positions' | 'stream' | 'api-keys' | 'operator'
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
  /** Whether it may ask for a version of what it changes. */
  readonly conditional?: boolean
  readonly atOnce?: boolean
  readonly whenStopped?: boolean
  /** Default: JSON. */
  readonly contentType?: 'text/event-stream' | 'text/plain'
  /** Whether the answer shows a secret. */
  readonly secret?: boolean
  /** Bodies to show, by a name. */
  readonly bodyExamples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>
}

/** The body of every answer that is not the one asked for. */
export const ErrorResource = closed(
  {
    statusCode: count('The status of the answer.', 400),
    message: text('What is wrong, for people. It may change at any time.'),
    error: text('The code to branch on.'),
    details: Type.Optional(
      Type.Array(Type.String(), {
        description: 'With `validation_failed`: dotted paths of the fields at fault; `body` for the whole.',
      }),
    ),
    leverage: Type.Optional(leverage('With `invalid_leverage`: what was asked for.')),
    minLeverage: Type.Optional(leverage('With `invalid_leverage`: the lower bound it broke.')),
    maxLeverage: Type.Optional(leverage('With `invalid_leverage`: the upper bound it broke.')),
    bucket: Type.Optional(
      oneOf(
        ['read', 'write'],
        'With 429: which requests the limit counts; `read` is GET and HEAD, `write` all others.',
      ),
    ),
    window: Type.Optional(oneOf(['second', 'minute'], 'With 429: the window that is used up.')),
    limit: Type.Optional(count('With 429: requests allowed in it.', 1)),
    retryAt: Type.Optional(instant('With 429: when it ends.')),
  },
  {
    title: 'Error',
    description: 'Why a request was refused. Branch on `error`, never on `message`.',
    examples: [
      {
        statusCode: 400,
        message: ERRORS.insufficient_balance.meaning,
        error: 'insufficient_balance',
      },
    ],
  },
)

/** The body of an error, with the codes that it can be. */
const errorWith = (codes: readonly string[]) =>
  Type.Intersect([ErrorResource, Type.Object({ error: Type.Enum([...codes], { type: 'string' }) })])

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
    description:
      'An opaque text of up to 255 characters, a uuid for example. The same key of the same user within an hour replays the first outcome instead of acting again; empty = none. Either name of the header will do.',
  }),
)
// Without an example: a page that lets requests be tried would send it with every one, and the second would be a replay.
const IdempotencyKeys = Type.Object(
  Object.fromEntries(IDEMPOTENCY_HEADERS.map((name) => [name, IdempotencyKey])),
)

const Versions = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      pattern: '^"[1-9][0-9]{0,14}"$',
      description:
        'Extension. Between quotes the `version` that the position is to have, `"3"`; it is refused with `position_changed` where it has another. Of requests for one version one at most is accepted.',
    }),
  ),
})

const header = (description: string, example: string) => ({
  type: 'string',
  description,
  examples: [example],
})
const REPLAY_HEADERS = {
  'X-Idempotency-Cached': header('`true` where the answer is a replay.', 'true'),
  'X-Idempotency-Timestamp': header(
    'Where it is a replay: when the first call completed, ISO 8601.',
    '2026-01-05T00:10:00.000Z',
  ),
}
const QUOTA_HEADERS = {
  'RateLimit-Limit': header('To API keys: requests allowed in the window nearest to its limit.', '10'),
  'RateLimit-Remaining': header('To API keys: requests left in it.', '9'),
  'RateLimit-Reset': header('To API keys: seconds until it ends.', '1'),
}
const SECRET_HEADERS = { 'Cache-Control': header('`no-store`: the answer shows a secret.', 'no-store') }

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
    conditional = false,
    atOnce = false,
    whenStopped = false,
  } = terms
  const errors: ErrorCode[] = [
    ...(whenStopped ? [] : (['engine_stopped', 'shard_unavailable'] as const)),
    ...COMMON_ERRORS[access],
    'validation_failed',
    ...terms.errors,
  ]
  const isStream = terms.contentType === 'text/event-stream'
  return {
    // An answer that goes on has no head to be asked for alone.
    exposeHeadRoute: !isStream,
    config: {
      access,
      role,
      body: body === undefined ? ('ignored' as const) : ('json' as const),
      idempotent,
      atOnce,
      whenStopped,
      isStream,
    },
    schema: {
      operationId: id,
      summary: extension ? `${summary} (extension)` : summary,
      ...(terms.description !== undefined && { description: terms.description }),
      tags: [tag],
      security: access === 'public' ? [] : [{ [access]: access === 'operator' ? [role] : [] }],
      ...(extension && { 'x-extension': true }),
      'x-error-codes': errors,
      ...(terms.bodyExamples !== undefined && { 'x-body-examples': terms.bodyExamples }),
      ...(params !== undefined && { params }),
      querystring: (terms.query ?? NoQuery) as Query,
      ...(body !== undefined && { body }),
      ...(idempotent && { headers: IdempotencyKeys }),
      ...(conditional && { headers: Versions }),
      response: {
        [terms.status ?? 200]: {
          ...described('Success', terms.response, terms.contentType),
          headers: successHeaders(terms),
        },
        ...errorResponses(errors),
        ...(whenStopped && { 503: described('The same, where not all is well.', terms.response) }),
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

const WAIT: Readonly<Record<number, string>> = {
  429: 'Whole seconds to wait.',
  503: 'With `shard_unavailable`: whole seconds to wait.',
}

function errorResponses(errors: readonly ErrorCode[]): Record<number, object> {
  const responses: Record<number, object> = {}
  for (const status of new Set(errors.map((code) => ERRORS[code].status))) {
    const codes = errors.filter((code) => ERRORS[code].status === status)
    const headers = [429, 503].includes(status) ? { 'Retry-After': header(WAIT[status] as string, '1') } : {}
    const schema = errorWith(codes)
    responses[status] = {
      ...described(codes.map(explained).join('\n\n'), schema, undefined, exampleWith(codes)),
      headers,
    }
  }
  return responses
}

const MALFORMED = malformed([otherForm('body', [], 'an object')])

/** One of them as it is answered: what the operation has of its own, rather than a malformed input. */
function exampleWith(codes: readonly ErrorCode[]): object {
  const error = codes.find((code) => code !== 'validation_failed') ?? 'validation_failed'
  const { status: statusCode, meaning: message } = ERRORS[error]
  return error === 'validation_failed' ? MALFORMED.body : { statusCode, message, error }
}

function explained(code: ErrorCode): string {
  const { meaning, extension } = ERRORS[code]
  return `\`${code}\`${extension ? ' (extension)' : ''}: ${meaning}`
}

function described(
  description: string,
  schema: TSchema,
  contentType = 'application/json',
  example?: object,
): object {
  return { description, content: { [contentType]: { schema, ...(example && { example }) } } }
}
