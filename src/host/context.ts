/** What every route needs to answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Engine } from '../engine/engine.ts'
import { foreknown, queryPast } from '../engine/internals.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { PastAnswerOf, PastQuery } from '../engine/pastQueries.ts'
import type { AnswerOf, Query, QueryOutcome } from '../engine/queries.ts'
import type { Caller, Command } from '../events/command.ts'
import type { Rejection } from '../terms/errors.ts'
import type { Principal } from './authentication.ts'
import type { BeforeCarryingOut } from './beforeCarryingOut.ts'
import type { Clock } from './clock.ts'
import type { FeedConfiguration } from './configuration.ts'
import type { DueInstants } from './dueInstants.ts'
import type { EpochSpan } from './epochSpan.ts'
import { type ErrorAnswer, errorAnswerOf } from './errorAnswer.ts'
import type { SourceStanding } from './feed/sourceStanding.ts'
import { LongAnswer, PIECE } from './longAnswer.ts'
import type { Metrics } from './metrics.ts'
import type { Operator } from './operators.ts'
import { QUOTA_HEADERS } from './rateLimit.ts'
import { stillThere, stillThereAfter } from './stillThere.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null on routes that need nobody, and for the operator. */
    principal: Principal | null
    /** The operator who asks; null everywhere else. */
    operator: Operator | null
  }
}

export interface HostContext {
  readonly engine: Engine
  readonly clock: Clock
  readonly due: DueInstants
  readonly metrics: Metrics
  /** Where the prices come from; null = from operators. */
  readonly feed: FeedConfiguration | null
  /** What their sources say, where there are any. */
  readonly sources: () => readonly SourceStanding[]
  /** Who is told of what happens; null where there is nobody. */
  readonly webhooks: Webhooks | null
  /** Whether an answer may leave now: of a shard only while its node holds its lease. */
  readonly mayAnswer: () => boolean
  /** What a command has to wait for before it is decided; null = nothing. */
  readonly beforeDeciding: (command: Command, caller: Caller) => Promise<void> | null
  /** What comes before a command of an operator is carried out, and how that is done then; null = nothing, as it is. */
  readonly beforeCarryingOut: BeforeCarryingOut
  /** The epochs of commits from a sequence on, as many as asked for; empty where the venue is on one host. */
  readonly epochs: (from: number, limit: number) => Promise<readonly EpochSpan[]>
  /** Draws a key for a user. */
  readonly newApiKey: (userId: string) => string
  /** Live API keys of one user (K3). */
  readonly maxApiKeysPerUser: number
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Sends a command for the caller of a request; resolves once what its outcome rests on is durable. Nothing happens between the look of
 * the precondition and the decision.
 *
 * @throws ClientGone where it had to wait and they may have gone meanwhile: what they asked next may be answered already, and this must
 * not be carried out behind it.
 */
export async function send<C extends Command>(
  { engine, clock, metrics, beforeDeciding }: HostContext,
  request: FastifyRequest,
  command: C,
  precondition: () => Rejection | null = () => null,
): Promise<Outcome<C>> {
  const started = performance.now()
  const caller = callerOf(request)
  const ready = beforeDeciding(command, caller)
  const { socket } = request.raw
  if (ready !== null) await stillThereAfter(ready, socket)
  for (let known = foreknown(engine, command); known !== null; known = foreknown(engine, command)) {
    await known
    await stillThere(socket, request.cameAt)
  }
  const refused = precondition()
  if (refused !== null) return { ok: false, error: refused }
  const deciding = engine.send(command, { at: clock.now(), caller })
  request.restsOn = engine.head
  const outcome = await deciding
  metrics.commandTook((performance.now() - started) / 1_000)
  return outcome
}

/** Answers a query for the caller of a request, as of now. */
export function ask<Q extends Exclude<Query, PastQuery>>(
  { engine }: HostContext,
  request: FastifyRequest,
  query: Q,
): QueryOutcome<AnswerOf<Q>> {
  request.restsOn = engine.head
  return engine.query(query, callerOf(request))
}

/** The same of what has ended: an answer that may have to be waited for, and is as of now nevertheless. */
export function askPast<Q extends PastQuery>(
  { engine }: HostContext,
  request: FastifyRequest,
  query: Q,
): Promise<QueryOutcome<PastAnswerOf<Q>>> {
  request.restsOn = engine.head
  return queryPast(engine, query, callerOf(request))
}

export function callerOf(request: FastifyRequest): Caller {
  return principalOf(request)
}

export function principalOf({ principal }: FastifyRequest): Principal {
  if (principal === null) throw new TypeError('a route without access rules asked for its caller')
  return principal
}

export function operatorOf(request: FastifyRequest): Operator {
  const { operator } = request
  if (operator === null) throw new TypeError('a route without access rules asked for its operator')
  return operator
}

/** Whose turn of the loop it is when a piece of a long answer is made. */
export function clientOf({ request: { principal, operator } }: FastifyReply): string {
  return principal === null ? `operator ${operator?.name}` : `user ${principal.userId}`
}

/** Answers with JSON text that is written already. */
export function answer(reply: FastifyReply, json: string, status: 200 | 201 = 200): FastifyReply {
  return reply.code(status).header('content-type', JSON_TYPE).send(json)
}

/** Bytes that a record takes up in memory until its text is written. */
const RECORD = 1_024

/**
 * Answers with a JSON array of texts: at once while it is short, else piece by piece (K15). `records` is how many are
 * there already; those that are only made when their text is asked for take up next to nothing.
 */
export function answerList(reply: FastifyReply, texts: Iterable<string>, records = 0): FastifyReply {
  return answerTexts(reply, arrayTexts(texts), records)
}

/** Answers with JSON text in parts, an empty one where a part took its time: while it is short at once, else in pieces. */
function answerTexts(reply: FastifyReply, texts: Iterable<string>, records = 0): FastifyReply {
  const parts = texts[Symbol.iterator]()
  let short = ''
  for (let next = parts.next(); !next.done; next = parts.next()) {
    short += next.value
    if (next.value !== '' && short.length < PIECE) continue
    const answer = new LongAnswer(continued(short, parts), clientOf(reply), records * RECORD)
    return reply.code(200).header('content-type', JSON_TYPE).send(answer)
  }
  return answer(reply, short)
}

/** The same with text that is still to be read from somewhere. */
export async function answerTextsRead(
  reply: FastifyReply,
  texts: AsyncGenerator<string, void>,
  type: string = JSON_TYPE,
): Promise<FastifyReply> {
  let short = ''
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    short += next.value
    if (short.length < PIECE) continue
    return reply
      .code(200)
      .header('content-type', type)
      .send(new LongAnswer(continuedRead(short, texts), clientOf(reply)))
  }
  return reply.code(200).header('content-type', type).send(short)
}

/** {@link answerList} of texts that are still to be read from somewhere. */
export function answerListRead(reply: FastifyReply, texts: AsyncIterable<string>): Promise<FastifyReply> {
  return answerTextsRead(reply, arrayTextsRead(texts))
}

async function* arrayTextsRead(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  let before = '['
  for await (const text of texts) {
    yield before + text
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function* arrayTexts(texts: Iterable<string>): Generator<string, void> {
  let before = '['
  for (const text of texts) {
    if (text === '') yield ''
    else {
      yield before + text
      before = ','
    }
  }
  yield before === '[' ? '[]' : ']'
}

function* continued(begun: string, rest: Iterator<string>): Generator<string, void> {
  yield begun
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}

async function* continuedRead(begun: string, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield begun
  yield* rest
}

export function refuse(context: HostContext, reply: FastifyReply, rejection: Rejection): FastifyReply {
  return reject(context, reply, errorAnswerOf(rejection))
}

export function reject(
  { metrics }: HostContext,
  reply: FastifyReply,
  { status, headers, body }: ErrorAnswer,
): FastifyReply {
  metrics.refused(body.error)
  // It says that an order is not durable yet: true at once, and of no use later.
  if (body.error === 'idempotency_key_in_flight') reply.request.restsOn = 0
  for (const header of QUOTA_HEADERS) reply.removeHeader(header)
  return reply
    .code(status)
    .headers({ 'content-type': JSON_TYPE, 'x-request-id': reply.request.id, ...headers })
    .send(JSON.stringify(body))
}
