/**
 * The Margin Trading API as a Fastify plugin: `app.register(marginTradingApi, { engine })`. It admits requests in the
 * documented order (I1), turns HTTP into commands and queries and back, and decides nothing.
 */

import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Engine } from '../engine/engine.ts'
import { EngineStopped } from '../engine/engineStopped.ts'
import { earlierOutcome } from '../engine/internals.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { Caller, Command } from '../events/command.ts'
import type { PlaceOrder } from '../events/placeOrder.ts'
import { RowsUnreadable } from '../store/rowStore.ts'
import { rejection } from '../terms/errors.ts'
import { isReading, mayActAs, requireDeclaredAccess } from './access.ts'
import { MAX_API_KEYS_PER_USER } from './apiKeyLimit.ts'
import { Authentication, type Session } from './authentication.ts'
import { boundBacklog, ownerOf } from './backlog.ts'
import type { BeforeCarryingOut } from './beforeCarryingOut.ts'
import { type Clock, systemClock } from './clock.ts'
import type { FeedConfiguration } from './configuration.ts'
import type { KeyTerms } from './configuredKeys.ts'
import { type HostContext, reject } from './context.ts'
import { describeApi } from './description.ts'
import { DueInstants } from './dueInstants.ts'
import { ONLY_READS, STOPPED, waitForWhatAnswersRestOn } from './durableAnswers.ts'
import type { EpochSpan } from './epochSpan.ts'
import {
  beyondRole,
  type ErrorAnswer,
  errorAnswerOf,
  internalError,
  malformed,
  rateLimitRejection,
  saying,
  shardUnavailable,
  transportErrorAnswer,
  wrongTokensRejection,
} from './errorAnswer.ts'
import type { SourceStanding } from './feed/sourceStanding.ts'
import { LongAnswer } from './longAnswer.ts'
import { Metrics } from './metrics.ts'
import { type OperatorToken, operatorsOf } from './operators.ts'
import { type Bucket, DEFAULT_RATE_LIMITS, quotaHeaders, RateLimiter, type RateLimits } from './rateLimit.ts'
import { accountRoutes } from './routes/accounts.ts'
import { apiKeyRoutes } from './routes/apiKeys.ts'
import { consoleRoutes } from './routes/console.ts'
import { documentationRoutes } from './routes/documentation.ts'
import { operatorRoutes } from './routes/operator.ts'
import { operatorReadRoutes } from './routes/operatorReads.ts'
import { answerPlacement, idempotencyKeysOf, orderRoutes } from './routes/orders.ts'
import { positionRoutes } from './routes/positions.ts'
import { previewRoutes } from './routes/preview.ts'
import { probeRoutes } from './routes/probes.ts'
import { type Admit, operatorStreamRoutes, streamRoutes } from './routes/stream.ts'
import { newApiKey } from './secret.ts'
import { ClientGone, carryOutForWhoIsThere, noteWhenTheyCame, waitForWhoIsThere } from './stillThere.ts'
import { routeUpgrades, saysLaterWhoAsks } from './stream/upgrades.ts'
import { MalformedJson, parseStrictJson } from './strictJson.ts'
import { Turns } from './turns.ts'
import { ValidationFault, validatorOf } from './validation.ts'
import type { Webhooks } from './webhooks/webhooks.ts'
import { WrongTokens } from './wrongTokens.ts'

/** What a server offers: both, the traders' side, or the operators' (K10). */
export type Surface = 'whole' | 'traders' | 'operators'

/** What the plugin serves, and to whom. */
export interface MarginTradingApiOptions {
  readonly engine: Engine
  /** Default: the machine's clock. */
  readonly clock?: Clock
  /** What is due of `engine`; default: of its own. {@link serveVenue} shares one with the schedule and the feed. */
  readonly due?: DueInstants
  /** Interactive sessions: they may do what their user may, and manage API keys. */
  readonly sessions?: readonly Session[]
  /** By hash, API keys as they are whatever the log says, null for those that have ended; default: none. */
  readonly unwrittenKeys?: ReadonlyMap<string, KeyTerms | null>
  /** An admin called `operator`. Without this and `operatorTokens` the operator surface is off. */
  readonly operatorToken?: string | null
  readonly operatorTokens?: readonly OperatorToken[]
  /** Default: the whole. */
  readonly surface?: Surface
  /** A page at `/`; default: none, because that path is the embedding server's own. */
  readonly startPage?: boolean
  /** Default: metrics of its own. Two servers of one engine count into the same. */
  readonly metrics?: Metrics
  /** Per API key and bucket; null = off. */
  readonly rateLimit?: RateLimits | null
  /** Where the prices come from, as it is shown to operators; default: from them. */
  readonly feed?: FeedConfiguration | null
  /** What its sources say, as it is shown to operators. */
  readonly sources?: () => readonly SourceStanding[]
  /** Whose standing is shown to operators. */
  readonly webhooks?: Webhooks
  /** Whether an answer may leave now; default: always. A node of a cluster asks its lease. */
  readonly mayAnswer?: () => boolean
  /** The epochs of commits from a sequence on, of a shard; default: there are none. */
  readonly epochs?: (from: number, limit: number) => Promise<readonly EpochSpan[]>
  /** What a trader's command has to wait for before it is decided; default: nothing. */
  readonly beforeDeciding?: (command: Command, caller: Caller) => Promise<void> | null
  /** What comes before a command of an operator is carried out, and how; default: nothing, and as it is. */
  readonly beforeCarryingOut?: BeforeCarryingOut
  /** Draws a key for a user; default: `mtk_` and 32 random bytes (I6). A node of a cluster has the shard of the user in it. */
  readonly newApiKey?: (userId: string) => string
  /** How many live API keys one user may have (K3); default 20. */
  readonly maxApiKeysPerUser?: number
}

/** Bytes of a body; no documented one comes near. */
export const BODY_LIMIT = 65_536

/**
 * Requests that are handled in a turn of the loop beside the first of everybody. Fewer make each dearer: every turn asks the system what has
 * come, and wakes up whoever reads the answers.
 */
const REQUESTS_A_TURN = 16
/** A turn that has taken so long handles no more of them, ms. */
const PATIENCE_MS = 2

/**
 * The Margin Trading API as a plugin of Fastify, below a prefix where one is given: what succeeds answers as A7 says, what is not
 * the caller's as I7 and I14 do, and slow readers are let go of (K4). {@link createServer} is a server of its own.
 *
 * ```ts
 * const app = Fastify()
 * await app.register(marginTradingApi, { engine, clock: manualClock(engine), prefix: '/venue' })
 * const answer = await app.inject('/venue/live')
 * await app.close()
 * answer.statusCode // → 200
 * ```
 *
 * @throws TypeError when one secret stands for two things (K10), or a route declares no access (K1).
 */
export const marginTradingApi: FastifyPluginAsync<MarginTradingApiOptions> = async (app, options) => {
  const { engine, clock = systemClock(engine), sessions = [], surface = 'whole' } = options
  const limits = options.rateLimit === undefined ? DEFAULT_RATE_LIMITS : options.rateLimit
  const context: HostContext = {
    engine,
    clock,
    due: options.due ?? new DueInstants(engine, clock),
    metrics: options.metrics ?? new Metrics(engine, clock),
    feed: options.feed ?? null,
    sources: options.sources ?? (() => []),
    webhooks: options.webhooks ?? null,
    mayAnswer: options.mayAnswer ?? (() => true),
    epochs: options.epochs ?? (async () => []),
    beforeDeciding: options.beforeDeciding ?? (() => null),
    beforeCarryingOut: options.beforeCarryingOut ?? (() => null),
    newApiKey: options.newApiKey ?? newApiKey,
    maxApiKeysPerUser: options.maxApiKeysPerUser ?? MAX_API_KEYS_PER_USER,
  }
  const operators = operatorsOf(options.operatorToken ?? null, options.operatorTokens ?? [])
  const serves = {
    traders: surface !== 'operators',
    operators: surface !== 'traders' && operators.length > 0,
  }

  app.decorateRequest('principal', null)
  app.decorateRequest('operator', null)
  requireDeclaredAccess(app)
  context.metrics.observe(app)
  waitForWhatAnswersRestOn(app, context)
  readJsonBodies(app)
  app.setValidatorCompiler<TSchema>(({ schema }) => validatorOf(schema))
  app.setSerializerCompiler(() => JSON.stringify)
  giveUpWhatIsNotRead(app)
  noteWhenTheyCame(app)
  boundBacklog(app)
  const authentication = new Authentication(engine.read, sessions, operators, options.unwrittenKeys)
  const gates: Gates = {
    authentication,
    limiter: limits === null ? null : new RateLimiter(limits),
    wrongTokens: new WrongTokens(),
  }
  app.addHook('onRequest', admission(context, gates))
  app.addHook('preValidation', byTurns())
  waitForWhoIsThere(app)
  app.addHook('preHandler', afterWhatIsDue(context))
  carryOutForWhoIsThere(app)
  app.setErrorHandler<FastifyError>((error, request, reply) => explain(context, error, request, reply))
  app.setNotFoundHandler((_request, reply) => reject(context, reply, NOT_FOR_KEYS))

  const admit: Admit = (request, reply) => {
    const obstacle = obstacleOf(context, gates, request, reply)
    return obstacle !== null && 'status' in obstacle ? obstacle : null
  }

  await describeApi(app)
  routeUpgrades(app)
  if (serves.traders) {
    accountRoutes(app, context)
    orderRoutes(app, context)
    positionRoutes(app, context)
    streamRoutes(app, context, authentication, admit)
    apiKeyRoutes(app, context)
  }
  if (serves.operators) {
    operatorStreamRoutes(app, context, admit)
    operatorReadRoutes(app, context)
    previewRoutes(app, context)
    operatorRoutes(app, context)
  }
  probeRoutes(app, context)
  documentationRoutes(app, options.startPage ?? false)
  consoleRoutes(app, context, { ...gates, clock, serves })
}

/** JSON where a body is wanted; elsewhere bodies of any kind are ignored. No body is an empty one (A6). */
function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      try {
        done(null, readBody(request, bytes))
      } catch (error) {
        done(error as Error)
      }
    },
  )
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.config.body === 'json') request.body = {}
    done()
  })
}

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  if (request.routeOptions.config.body !== 'json') return undefined
  if (bytes.length === 0) return {}
  if (!isJson(request.headers['content-type'])) throw new UnsupportedBody()
  return parseStrictJson(bytes)
}

class UnsupportedBody extends Error {
  readonly statusCode = 415
}

const JSON_CONTENT = /^application\/json *(?:;|$)/i
const FOREIGN_CHARSET = /; *charset *= *"?(?!utf-?8"? *(?:;|$))/i

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && JSON_CONTENT.test(contentType) && !FOREIGN_CHARSET.test(contentType)
}

/** HEAD wants nothing of what a long answer would go on with. */
function giveUpWhatIsNotRead(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, payload: unknown, done) => {
    if (request.method === 'HEAD' && payload instanceof LongAnswer) payload.destroy()
    done(null, payload)
  })
}

interface Gates {
  readonly authentication: Authentication
  readonly limiter: RateLimiter | null
  readonly wrongTokens: WrongTokens
}

/** I1 stages 1 to 4 as a hook: what is not admitted is answered here and goes no further. */
function admission(context: HostContext, gates: Gates) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (saysLaterWhoAsks(request)) return done()
    const obstacle = obstacleOf(context, gates, request, reply)
    if (obstacle === null) done()
    else if ('status' in obstacle) reject(context, reply, obstacle)
    else answerPlacement(context, reply, obstacle)
  }
}

/**
 * Whoever asks much waits in turn; whoever asks little does not wait for them (K15). Once the body is there: bodies that are held back and
 * come all at once would be handled in one turn otherwise.
 */
function byTurns() {
  const turns = new Turns<string>(REQUESTS_A_TURN, PATIENCE_MS)
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    turns.take(ownerOf(request), done)
  }
}

/** What changes something is decided at the time that it is, and what fell due by then comes first (K15). */
function afterWhatIsDue({ due }: HostContext) {
  return ({ method }: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    if (isReading(method)) return done()
    const now = due.before()
    if (typeof now === 'number') done()
    else void now.then(() => done())
  }
}

/** By the route that matched and by nothing else (K1). */
function obstacleOf(
  context: HostContext,
  gates: Gates,
  request: FastifyRequest,
  reply: FastifyReply,
): ErrorAnswer | Outcome<PlaceOrder> | null {
  const { access } = request.is404 ? UNLISTED : request.routeOptions.config
  if (access === 'public') return null
  if (access === 'nobody') return nobody(context, gates, request)
  return access === 'operator'
    ? operatorObstacle(context, gates, request)
    : traderObstacle(context, gates, request, reply)
}

/** Whether the address may still try, whose token it is, and whether their role reaches this route (K10). */
function operatorObstacle(context: HostContext, gates: Gates, request: FastifyRequest): ErrorAnswer | null {
  const { authentication, wrongTokens } = gates
  const wait = wrongTokens.wait(request.ip)
  if (wait > 0) return wrongTokensRejection(bucketOf(request), context.clock.now(), wait)
  const credential = authentication.operator(request.headers.authorization)
  if (credential.operator === null) {
    if (credential.presented) wrongTokens.add(request.ip)
    return nobody(context, gates, request)
  }
  const { role: needed = 'admin' } = request.routeOptions.config
  const { role } = credential.operator
  if (!mayActAs(role, needed)) return beyondRole('This route', needed, role)
  request.operator = credential.operator
  return null
}

/** Who asks, how often, whether this route is for them, and whether it repeats an order that has its outcome. */
function traderObstacle(
  context: HostContext,
  gates: Gates,
  request: FastifyRequest,
  reply: FastifyReply,
): ErrorAnswer | Outcome<PlaceOrder> | null {
  const { engine, clock } = context
  const { authentication, limiter } = gates
  const { access, idempotent } = request.is404 ? UNLISTED : request.routeOptions.config
  const now = clock.now()
  const principal = authentication.principal(request.headers.authorization, now)
  if (principal === null) return nobody(context, gates, request)
  if (principal.keyId !== null) {
    const bucket = bucketOf(request)
    const tripped = limiter?.take(principal.keyId, bucket, now) ?? null
    if (tripped !== null) return rateLimitRejection(tripped, now)
    if (limiter !== null) reply.headers(quotaHeaders(limiter.quota(principal.keyId, bucket, now), now))
    if (access !== 'trader') return access === undefined ? NO_PATH_FOR_KEYS : NOT_FOR_KEYS
  } else if (access === undefined) return NO_PATH

  request.principal = principal
  const [key, other] = idempotent === true ? idempotencyKeysOf(request.headers) : []
  if (other !== undefined) return TWO_KEYS
  return key === undefined ? null : earlierOutcome(engine, principal.userId, key, now)
}

function bucketOf({ method }: FastifyRequest): Bucket {
  return isReading(method) ? 'read' : 'write'
}

/** Always the same code; the sentence says what is wrong with what they came with (I6). */
function nobody({ clock }: HostContext, { authentication }: Gates, request: FastifyRequest): ErrorAnswer {
  return saying(NOBODY, authentication.refusal(request.headers.authorization, clock.now()))
}

const NOBODY = errorAnswerOf(rejection('session_expired'))
const TWO_KEYS = malformed([
  { path: 'idempotency-key', fault: 'differs from x-idempotency-key; one of them is enough' },
])
const NOT_FOR_KEYS = errorAnswerOf(rejection('api_key_not_allowed'))
/** The codes of a path that is not there are given (I7); that it is not is said to those who may know it. */
const NO_PATH_FOR_KEYS = saying(
  NOT_FOR_KEYS,
  'There is no such path here for API keys; /openapi.json lists them.',
)
const NO_PATH = saying(NOBODY, 'There is no such path here; /openapi.json lists them.')
/** What no route was found for: nobody may use it, whatever it looks like (I7). */
const UNLISTED: { access?: undefined; idempotent?: undefined } = {}

/** Everything thrown on the way to a handler or in it, as a documented body. */
function explain(
  context: HostContext,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof ClientGone) return reject(context, reply, shardUnavailable(1_000))
  if (error instanceof ValidationFault) return reject(context, reply, malformed(error.faults, error.paths))
  if (error instanceof MalformedJson)
    return reject(context, reply, malformed([{ path: 'body', fault: error.message }]))
  if (error instanceof RowsUnreadable) {
    request.log.warn(error, 'the history cannot be read')
    return reject(context, reply, shardUnavailable(1_000))
  }
  const { failure, unwritable } = context.engine
  if (error instanceof EngineStopped && failure === null && unwritable !== null)
    return reject(context, reply, ONLY_READS)
  if (error instanceof EngineStopped || failure !== null) {
    request.log.error(error, 'the engine has stopped')
    return reject(context, reply, STOPPED)
  }
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return reject(context, reply, transportErrorAnswer(status, 'body'))
  request.log.error(error, 'unexpected')
  return reject(context, reply, internalError())
}
