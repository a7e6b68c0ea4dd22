/**
 * When an answer may leave (K5, K6): once everything it rests on is durable, whatever its status, so that after a crash
 * the log explains whatever anybody was told. In one place, for every route there is and will be. An answer that waits
 * for nothing costs two comparisons.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HostContext } from './context.ts'
import { JSON_TYPE, reject } from './context.ts'
import { type ErrorAnswer, errorAnswerOf, shardUnavailable } from './errorAnswer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The commit up to which its answer has to wait; null = the head at the moment it is sent. */
    restsOn: number | null
  }
  interface FastifyContextConfig {
    /** The answer is about the process and not about the log: it waits for nothing. */
    readonly atOnce?: boolean
    /** It says itself that the engine has stopped. */
    readonly whenStopped?: boolean
  }
}

export const STOPPED = errorAnswerOf({ code: 'engine_stopped' })
/** The next owner may be there in a second. */
const UNAVAILABLE = shardUnavailable(1_000, true)
/** The same for a command where nothing can be written. Why is the operator's to know. */
export const ONLY_READS: ErrorAnswer = {
  ...STOPPED,
  body: {
    ...STOPPED.body,
    message: 'Commands are refused: nothing can be written. What there is can be read.',
  },
}

export function waitForWhatAnswersRestOn(app: FastifyInstance, context: HostContext): void {
  const { engine, mayAnswer } = context
  app.decorateRequest('restsOn', null)
  app.addHook('onRequest', (request, reply, done) => {
    if (engine.failure === null || isAnsweredWhenStopped(request)) return done()
    // Why it has was told when it did, and stands in its health: not once more for every request.
    request.log.info('the engine has stopped')
    reject(context, reply, STOPPED)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const { access, atOnce } = request.routeOptions.config
    if (access === 'public' || atOnce === true) return done(null, payload)
    // Decided by an engine that runs no more, and perhaps in the middle of a command: it says nothing.
    if (request.restsOn === null && engine.failure !== null) return done(null, unsaid())
    const seq = request.restsOn ?? engine.head
    if (seq <= engine.durableHead) return done(null, mayAnswer() ? payload : unsaid())
    engine.whenDurable(seq).then(
      () => done(null, mayAnswer() ? payload : unsaid()),
      () => done(null, unsaid()),
    )

    /** What an owner that has lost its shard has found out may be old. */
    function unsaid(): string {
      return instead(reply, mayAnswer() ? STOPPED : UNAVAILABLE)
    }
  })
}

function isAnsweredWhenStopped({ is404, routeOptions: { config } }: FastifyRequest): boolean {
  return !is404 && (config.access === 'public' || config.whenStopped === true)
}

/** What stands in place of an answer whose ground was lost. */
function instead(reply: FastifyReply, { status, headers, body }: ErrorAnswer): string {
  for (const header of ['x-idempotency-cached', 'x-idempotency-timestamp', 'retry-after', 'content-length'])
    reply.removeHeader(header)
  reply.code(status).headers({ 'content-type': JSON_TYPE, ...headers })
  return JSON.stringify(body)
}
