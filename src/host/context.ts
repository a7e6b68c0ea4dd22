/** What every route needs to answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Command } from '../domain/command.ts'
import type { Refusal } from '../domain/errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { AnswerOf, Query, QueryOutcome } from '../engine/queries.ts'
import type { Operator, Principal } from './authentication.ts'
import type { Clock } from './clock.ts'
import type { Metrics } from './metrics.ts'
import { type Rejection, rejectionOf } from './rejection.ts'

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
  readonly metrics: Metrics
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends a command for the caller of a request and waits until its outcome is durable. */
export async function send<C extends Command>(
  { engine, clock, metrics }: HostContext,
  request: FastifyRequest,
  command: C,
): Promise<Outcome<C>> {
  const started = performance.now()
  const outcome = await engine.send(command, { at: clock.now(), caller: callerOf(request) })
  metrics.commandTook((performance.now() - started) / 1_000)
  return outcome
}

/** Answers a query for the caller of a request, once what it says cannot be lost any more. */
export async function ask<Q extends Query>(
  { engine }: HostContext,
  request: FastifyRequest,
  query: Q,
): Promise<QueryOutcome<AnswerOf<Q>>> {
  const outcome = engine.query(query, callerOf(request))
  if (engine.durableHead < engine.head) await engine.settled()
  return outcome
}

export function callerOf(request: FastifyRequest): Caller {
  const { principal } = request
  if (principal === null) throw new TypeError('a route without access rules asked for its caller')
  return principal
}

export function operatorOf(request: FastifyRequest): Operator {
  const { operator } = request
  if (operator === null) throw new TypeError('a route without access rules asked for its operator')
  return operator
}

/** Answers with JSON text that is written already. */
export function answer(reply: FastifyReply, json: string, status: 200 | 201 = 200): FastifyReply {
  return reply.code(status).header('content-type', JSON_TYPE).send(json)
}

export function refuse(context: HostContext, reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reject(context, reply, rejectionOf(refusal))
}

export function reject(
  { metrics }: HostContext,
  reply: FastifyReply,
  { status, headers, body }: Rejection,
): FastifyReply {
  metrics.refused(body.error)
  return reply
    .code(status)
    .headers({ 'content-type': JSON_TYPE, ...headers })
    .send(JSON.stringify(body))
}
