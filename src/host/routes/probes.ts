/** What a supervisor and a load balancer ask, without a token: nothing of accounts, of operators or of the machine is told. */
import type { FastifyInstance } from 'fastify'
import type { Engine } from '../../engine/engine.ts'
import { closed, nullable, oneOf, text } from '../../resources/fields.ts'
import { type HostContext, JSON_TYPE } from '../context.ts'
import { ONLY_READS, STOPPED } from '../durableAnswers.ts'
import { operation } from '../operation.ts'

const StandingResource = closed(
  {
    status: oneOf(
      ['ok', 'reading', 'failed'],
      '`reading`: commands are refused, and what there is can be read. `failed`: nothing is served.',
    ),
    reason: nullable(
      text('Why it is not `ok`, for people; null while it is. Operators read more in health.'),
    ),
  },
  { title: 'Standing', description: 'Whether the venue can serve.' },
)

const live = operation({
  id: 'live',
  summary: 'Whether the process runs: 200 as long as it answers',
  tag: 'operator',
  access: 'public',
  extension: true,
  response: closed(
    { status: oneOf(['ok'], 'The process runs.') },
    { title: 'Liveness', description: 'That the process runs.' },
  ),
  errors: [],
  whenStopped: true,
})

const ready = operation({
  id: 'ready',
  summary: 'Whether the venue can serve everything; 503 where it cannot',
  tag: 'operator',
  access: 'public',
  extension: true,
  response: StandingResource,
  errors: [],
  whenStopped: true,
})

export function probeRoutes(app: FastifyInstance, { engine }: HostContext): void {
  app.get('/live', live, async (_request, reply) =>
    reply.headers(NOT_KEPT).send(JSON.stringify({ status: 'ok' })),
  )
  app.get('/ready', ready, async (_request, reply) => {
    const standing = standingOf(engine)
    return reply
      .code(standing.status === 'ok' ? 200 : 503)
      .headers(NOT_KEPT)
      .send(JSON.stringify(standing))
  })
}

/** What was so a moment ago is of no use. */
const NOT_KEPT = { 'content-type': JSON_TYPE, 'cache-control': 'no-store' }

interface Standing {
  readonly status: 'ok' | 'reading' | 'failed'
  readonly reason: string | null
}

function standingOf({ failure, unwritable }: Engine): Standing {
  if (failure !== null) return { status: 'failed', reason: STOPPED.body.message }
  return unwritable === null
    ? { status: 'ok', reason: null }
    : { status: 'reading', reason: ONLY_READS.body.message }
}
