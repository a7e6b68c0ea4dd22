/**
 * The Margin Trading API as a Fastify plugin: `app.register(marginTradingApi, { engine })`. It admits requests in the
 * documented order (I1), turns HTTP into commands and queries and back, and decides nothing.
 */
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { refusal } from '../domain/errors.ts'
import { type Engine, EngineStopped } from '../engine/engine.ts'
import { Authentication, type Session } from './authentication.ts'
import { type Clock, systemClock } from './clock.ts'
import { type HostContext, refuse, reject } from './context.ts'
import { Metrics } from './metrics.ts'
import { DEFAULT_RATE_LIMITS, RateLimiter, type RateLimits } from './rateLimit.ts'
import { failureRejection, rateLimitRejection, transportRejection } from './rejection.ts'
import { accountRoutes } from './routes/accounts.ts'
import { apiKeyRoutes } from './routes/apiKeys.ts'
import { describeApi, documentationRoutes } from './routes/documentation.ts'
import { operatorRoutes } from './routes/operator.ts'
import { answerPlacement, idempotencyKeyOf, orderRoutes } from './routes/orders.ts'
import { positionRoutes } from './routes/positions.ts'
import { MalformedJson, parseStrictJson } from './strictJson.ts'
import { ValidationFault, validatorOf } from './validation.ts'

export interface MarginTradingApiOptions {
  readonly engine: Engine
  /** Default: the machine's clock. */
  readonly clock?: Clock
  /** Interactive sessions: they may do what their user may, and manage API keys. */
  readonly sessions?: readonly Session[]
  /** Without one the operator surface is off. */
  readonly operatorToken?: string | null
  /** Per API key and bucket; null = off. */
  readonly rateLimit?: RateLimits | null
}

/** Bytes of a body; no documented one comes near. */
export const BODY_LIMIT = 65_536

export const marginTradingApi: FastifyPluginAsync<MarginTradingApiOptions> = async (app, options) => {
  const { engine, clock = systemClock(engine), sessions = [], operatorToken = null } = options
  const limits = options.rateLimit === undefined ? DEFAULT_RATE_LIMITS : options.rateLimit
  const context: HostContext = { engine, clock, metrics: new Metrics(engine) }

  app.decorateRequest('principal', null)
  readJsonBodies(app)
  app.setValidatorCompiler<TSchema>(({ schema }) => validatorOf(schema))
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook(
    'onRequest',
    admission(context, {
      authentication: new Authentication(engine.read, sessions, operatorToken),
      limiter: limits === null ? null : new RateLimiter(limits),
      operatorSurface: operatorToken !== null,
    }),
  )
  app.setErrorHandler<FastifyError>((error, request, reply) => explain(context, error, request, reply))
  app.setNotFoundHandler((_request, reply) => refuse(context, reply, refusal('api_key_not_allowed')))

  await describeApi(app)
  accountRoutes(app, context)
  orderRoutes(app, context)
  positionRoutes(app, context)
  apiKeyRoutes(app, context)
  if (operatorToken !== null) operatorRoutes(app, context)
  documentationRoutes(app)
}

/** JSON where a body is wanted; elsewhere bodies of any kind are ignored. No body is an empty one (A6). */
function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (request.routeOptions.config.body !== 'json') return undefined
      if (bytes.length === 0) return {}
      if (!isJson(request.headers['content-type'])) throw new UnsupportedBody()
      return parseStrictJson(bytes)
    },
  )
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined && request.routeOptions.config.body === 'json') request.body = {}
  })
}

class UnsupportedBody extends Error {
  readonly statusCode = 415
}

const JSON_CONTENT = /^application\/json *(?:;|$)/i
const FOREIGN_CHARSET = /; *charset *= *"?(?!utf-?8"? *(?:;|$))/i

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && JSON_CONTENT.test(contentType) && !FOREIGN_CHARSET.test(contentType)
}

interface Gates {
  readonly authentication: Authentication
  readonly limiter: RateLimiter | null
  readonly operatorSurface: boolean
}

/** I1 stages 1 to 4: who asks, how often, whether this route is for them, whether it is a repetition. */
function admission(context: HostContext, gates: Gates) {
  const { engine, clock } = context
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { access, idempotent } = request.is404 ? UNLISTED : request.routeOptions.config
    if (access === 'public') return
    const { authorization } = request.headers
    if (gates.operatorSurface && isOperatorPath(request.url)) {
      if (access !== 'operator' || !gates.authentication.isOperator(authorization))
        return refuse(context, reply, refusal('session_expired'))
      return
    }

    const now = clock.now()
    const principal = gates.authentication.principal(authorization, now)
    if (principal === null) return refuse(context, reply, refusal('session_expired'))
    if (principal.keyId !== null) {
      const bucket = request.method === 'GET' ? 'read' : 'write'
      const tripped = gates.limiter?.take(principal.keyId, bucket, now) ?? null
      if (tripped !== null) return reject(context, reply, rateLimitRejection(tripped, now))
      if (access !== 'trader') return refuse(context, reply, refusal('api_key_not_allowed'))
    } else if (access === undefined) return refuse(context, reply, refusal('session_expired'))

    request.principal = principal
    const key = idempotent === true ? idempotencyKeyOf(request.headers['x-idempotency-key']) : null
    const earlier = key === null ? null : engine.earlier(principal.userId, key, now)
    if (earlier !== null) return answerPlacement(context, reply, earlier)
  }
}

const UNLISTED: { access?: undefined; idempotent?: undefined } = {}

function isOperatorPath(url: string): boolean {
  return /^\/operator(?:[/?]|$)/.test(url)
}

/** Everything thrown on the way to a handler or in it, as a documented body. */
function explain(
  context: HostContext,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof ValidationFault)
    return refuse(context, reply, { code: 'validation_failed', details: error.paths })
  if (error instanceof MalformedJson) return reject(context, reply, transportRejection(400, 'body'))
  if (error instanceof EngineStopped || context.engine.failure !== null) {
    request.log.error(error, 'the engine has stopped')
    return reject(context, reply, failureRejection(503))
  }
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return reject(context, reply, transportRejection(status, 'body'))
  request.log.error(error, 'unexpected')
  return reject(context, reply, failureRejection(500))
}
