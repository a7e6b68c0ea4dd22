/** The operator surface: platform commands, the event log, health and metrics. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Engine } from '../../engine/engine.ts'
import { foreknown, isGivenAgain } from '../../engine/internals.ts'
import { reasonOf } from '../../engine/notices.ts'
import type { PlatformCommand } from '../../events/command.ts'
import type { CausedBy } from '../../events/commit.ts'
import { closed, count, instant, nullable, oneOf, text } from '../../resources/fields.ts'
import { CommitsArchived } from '../../store/store.ts'
import { ERRORS } from '../../terms/errors.ts'
import { mayActAs } from '../access.ts'
import {
  answer,
  answerTextsRead,
  type HostContext,
  JSON_TYPE,
  operatorOf,
  refuse,
  reject,
} from '../context.ts'
import { beyondRole, commandRefusal, malformed } from '../errorAnswer.ts'
import { FieldFault } from '../fieldsFromJson.ts'
import { commitsJson, toJson } from '../json.ts'
import { operation } from '../operation.ts'
import { COMMAND_ROLES, NO_MANUAL_CLOCK, platformCommands } from '../platformCommand.ts'
import { UncheckedCommands } from '../schemas/platformCommands.ts'

/** A thousand commands fit. */
export const COMMANDS_BODY_LIMIT = 4 * 1_048_576

const CommandResultResource = Type.Union(
  [
    closed({
      ok: Type.Literal(true, { description: 'It was accepted.' }),
      seq: count('Sequence of its commit.'),
    }),
    closed({
      ok: Type.Literal(false, { description: 'It was refused, and nothing happened.' }),
      error: oneOf(Object.keys(ERRORS), 'Why.'),
      message: text('The same, for people.'),
    }),
  ],
  { title: 'CommandResult', description: 'What became of a platform command.' },
)

const commands = operation({
  id: 'platformCommands',
  summary: 'Platform commands, applied in order, each on its own',
  tag: 'operator',
  access: 'operator',
  role: 'desk',
  body: UncheckedCommands,
  bodyExamples: {
    tick: {
      summary: 'The index price of a market',
      value: {
        type: 'updatePrice',
        marketId: '00000000-0000-4000-8000-00000000000b',
        indexPrice: '50000000000000',
      },
    },
  },
  response: closed(
    { results: Type.Array(CommandResultResource, { description: 'One for each command, in their order.' }) },
    { title: 'CommandResults', description: 'What became of platform commands.' },
  ),
  errors: [],
})

const CommitsQuery = closed({
  from: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description: 'First sequence, default 1.',
      examples: ['1'],
    }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: '^0*[1-9][0-9]{0,5}$',
      description: 'How many commits, 1 to 999999, default 100.',
      examples: ['100'],
    }),
  ),
})

const CauserResource = Type.Union(
  [
    closed({
      type: Type.Literal('user', { description: 'A trader.' }),
      userId: text('Whose command it was.'),
      keyId: nullable(text('The key it came with; null with a session.')),
    }),
    closed({
      type: Type.Literal('operator', { description: 'An operator.' }),
      name: text('What they are called.'),
    }),
  ],
  { title: 'Causer', description: 'Who caused it; absent for time and feeds.' },
)

const commits = operation({
  id: 'commits',
  summary: 'The event log, oldest first',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  query: CommitsQuery,
  response: closed(
    {
      data: Type.Array(
        closed(
          {
            seq: count('Its sequence: 1 more than the one before.'),
            at: instant('When it happened.'),
            by: Type.Optional(CauserResource),
            epoch: Type.Optional(count('In a cluster: the epoch of its shard that it was appended under.')),
            command: Type.Unknown({ description: 'What was asked: an object with a `type`.' }),
            events: Type.Array(Type.Unknown({ description: 'An object with a `type`.' }), {
              description: 'What came of it.',
            }),
          },
          { title: 'Commit', description: 'One accepted command and its events.' },
        ),
        { description: 'The commits, oldest first.' },
      ),
      head: count('Sequence of the newest commit.'),
    },
    { title: 'Commits', description: 'A part of the log.' },
  ),
  errors: [],
})

const health = operation({
  id: 'health',
  summary: 'Whether the engine runs; 503 when it has failed, or only reads',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  response: closed(
    {
      status: oneOf(
        ['ok', 'reading', 'failed'],
        '`reading`: nothing can be written, every command is refused and what there is can be read.',
      ),
      reason: nullable(text('Why it is not `ok`; null while it is.')),
      head: count('Sequence of the newest commit.'),
      durableHead: count('Sequence up to which all is durable.'),
      at: instant('The time of the venue.'),
      clockOffsetMs: Type.Integer({
        description: 'How far the wall clock is ahead of `at` in milliseconds; negative: behind.',
      }),
    },
    { title: 'Health', description: 'How the engine stands.' },
  ),
  errors: [],
  atOnce: true,
  whenStopped: true,
})

const metricsText = operation({
  id: 'metrics',
  summary: 'Metrics in the Prometheus text format',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  extension: true,
  contentType: 'text/plain',
  response: Type.String({ examples: ['margin_core_head 1200\n'] }),
  errors: [],
  atOnce: true,
})

type CommandResult = { ok: true; seq: number } | { ok: false; error: string; message: string }

export function operatorRoutes(instance: FastifyInstance, context: HostContext): void {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  const { engine, clock, due, metrics } = context

  app.post('/operator/commands', { ...commands, bodyLimit: COMMANDS_BODY_LIMIT }, async (request, reply) => {
    try {
      const { name, role } = operatorOf(request)
      const wanted = platformCommands(request.body)
      const beyond = wanted.find(({ type }) => !mayActAs(role, COMMAND_ROLES[type]))
      if (beyond !== undefined)
        return reject(context, reply, beyondRole(beyond.type, COMMAND_ROLES[beyond.type], role))
      const deciding: Promise<CommandResult>[] = []
      for (const command of wanted) {
        for (let known = foreknown(engine, command); known !== null; known = foreknown(engine, command))
          await known
        const prepared = context.beforeCarryingOut(command)
        const inOneTurn = prepared === null ? <R>(carryOut: () => R) => carryOut() : await prepared
        const begun = due.before(() => leadOf(command))
        const at = typeof begun === 'number' ? begun : await begun
        const result = inOneTurn(() => apply(command, at, { type: 'operator', name }))
        // Where the engine stops while the next one waits, the answer says so, and not the process.
        result.catch(() => {})
        deciding.push(result)
      }
      request.restsOn = engine.head
      return answer(reply, JSON.stringify({ results: await Promise.all(deciding) }))
    } catch (error) {
      if (error instanceof FieldFault) return reject(context, reply, malformed([error]))
      throw error
    }
  })

  app.get('/operator/commits', commits, async (request, reply) => {
    const { from = '1', limit = '100' } = request.query
    await engine.whenDurable()
    const terms = { from: Number(from), limit: Number(limit) }
    const epochs = await context.epochs(terms.from, terms.limit)
    const stored = engine.commits({ from: terms.from })
    const texts = commitsJson(stored, { limit: terms.limit, head: engine.head, epochs })
    return answerTextsRead(reply, texts).catch((error: unknown) => {
      if (error instanceof CommitsArchived)
        return reject(context, reply, malformed([{ path: 'from', fault: error.message }]))
      throw error
    })
  })

  app.get('/operator/health', health, async (_request, reply) => {
    const { head, durableHead } = engine
    const { status, reason } = standingOf(engine)
    const body = toJson({
      status,
      reason,
      head,
      durableHead,
      at: clock.now(),
      clockOffsetMs: clock.offset(),
    })
    return reply
      .code(status === 'ok' ? 200 : 503)
      .header('content-type', JSON_TYPE)
      .send(body)
  })

  app.get('/operator/metrics', metricsText, async (_request, reply) => {
    const { registry } = metrics
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })

  /** What else stands below `/operator` is nobody's: it answers as a wrong token does (I7). */
  const nothing = { config: { access: 'nobody' }, schema: { hide: true } } as const
  for (const path of ['/operator', '/operator/*'])
    app.all(path, nothing, async (_request, reply) => refuse(context, reply, { code: 'session_expired' }))

  /** How far a command leads the time ahead, ms. */
  function leadOf(command: PlatformCommand): number {
    const leads = command.type === 'advanceTime' && clock.mode === 'manual'
    return leads && !isGivenAgain(engine, command, engine.now) ? command.ms : 0
  }

  /** The engine decides at once, in the order of the calls; only the waiting for the disk is shared. */
  async function apply(command: PlatformCommand, at: number, by: CausedBy): Promise<CommandResult> {
    if (command.type === 'advanceTime' && clock.mode === 'system') return NOT_ADVANCED
    const outcome = await engine.send(command, { at, by })
    if (outcome.ok) return { ok: true, seq: outcome.seq }
    return { ok: false, error: outcome.error.code, message: commandRefusal(command, outcome.error) }
  }
}

const { error, message } = malformed([NO_MANUAL_CLOCK]).body
const NOT_ADVANCED: CommandResult = { ok: false, error, message }

function standingOf({ failure, unwritable }: Engine): {
  readonly status: 'ok' | 'reading' | 'failed'
  readonly reason: string | null
} {
  if (failure !== null) return { status: 'failed', reason: reasonOf(failure) }
  return unwritable === null ? { status: 'ok', reason: null } : { status: 'reading', reason: unwritable }
}
