/** What a platform command would do, shown before it is sent: decided on a copy of what it concerns, and not applied. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { isGivenAgain, tryCommand } from '../../engine/internals.ts'
import type { NotTried, TrialLimits, Tried } from '../../engine/trial.ts'
import type { PlatformCommand } from '../../events/command.ts'
import { postingsOf } from '../../projections/ledgerEntries.ts'
import type { Rejection } from '../../terms/errors.ts'
import { answer, clientOf, type HostContext, reject } from '../context.ts'
import { commandRefusal, malformed } from '../errorAnswer.ts'
import { FieldFault } from '../fieldsFromJson.ts'
import { toJson } from '../json.ts'
import { inPieces } from '../longAnswer.ts'
import { operation } from '../operation.ts'
import { NO_MANUAL_CLOCK, onePlatformCommand } from '../platformCommand.ts'
import { UncheckedCommand } from '../schemas/platformCommands.ts'
import { PreviewResource } from '../schemas/preview.ts'

/**
 * So much is copied in one turn of the loop and decided in another, each in a few milliseconds (`bench/preview.ts`); what
 * needs more is not tried.
 */
export const PREVIEW_LIMITS: TrialLimits = { records: 300, events: 5_000 }

const BEYOND: { readonly [Limit in keyof TrialLimits]: string } = {
  records: `It concerns more than ${PREVIEW_LIMITS.records} accounts, orders and positions: they are not copied while the venue goes on. The command itself can be sent.`,
  events: `More than ${PREVIEW_LIMITS.events.toLocaleString('en')} events would come of it: they are not shown. The command itself can be sent.`,
}

const preview = operation({
  id: 'previewCommand',
  summary: 'What a platform command would do, without doing it',
  description:
    'The command is decided on a copy of what it concerns, at the present time of the venue. Prices and other commands go on meanwhile: what comes of it when it is sent may be otherwise.',
  tag: 'operator',
  access: 'operator',
  role: 'read',
  extension: true,
  body: UncheckedCommand,
  bodyExamples: {
    deposit: {
      summary: 'A deposit of 100 USD',
      value: {
        type: 'adjustBalance',
        accountId: '00000000-0000-4000-8000-000000000002',
        amount: '100000000000',
      },
    },
  },
  response: PreviewResource,
  errors: [],
})

export function previewRoutes(instance: FastifyInstance, context: HostContext): void {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  const { engine, clock, due } = context

  app.post('/operator/preview', preview, async (request, reply) => {
    const command = read(request.body)
    if (command instanceof FieldFault) return reject(context, reply, malformed([command]))
    const at = await due.before()
    const { head: seq } = engine
    request.restsOn = seq
    if (isGivenAgain(engine, command, at))
      return answer(reply, toJson({ ...nothing(seq, at), result: 'repeated', message: REPEATED }))
    if (command.type === 'advanceTime' && clock.mode === 'system')
      return answer(reply, toJson({ ...nothing(seq, at), ...NOT_ADVANCED }))
    const found = await inPieces(tryCommand(engine, command, at, PREVIEW_LIMITS), clientOf(reply))
    return answer(reply, toJson(shown(found, command, nothing(seq, at))))
  })
}

const { error, message } = malformed([NO_MANUAL_CLOCK]).body
const NOT_ADVANCED = { result: 'refused', error, message } as const

const REPEATED =
  'A command under this id was given in the last 24 hours: nothing happens, and the answer is the one that it had.'

function read(body: unknown): PlatformCommand | FieldFault {
  try {
    return onePlatformCommand(body)
  } catch (error) {
    if (error instanceof FieldFault) return error
    throw error
  }
}

/** What is shown of a command of which nothing would come. */
const nothing = (seq: number, at: number) => ({
  seq,
  at,
  result: 'accepted' as 'accepted' | 'refused' | 'repeated' | 'unknown',
  error: null as string | null,
  message: null as string | null,
  events: [] as Tried['events'],
  postings: [] as ReturnType<typeof postingsOf>,
  accounts: [] as Tried['accounts'],
  house: null as Tried['house'] | null,
})

type Shown = ReturnType<typeof nothing>

function refused(empty: Shown, command: PlatformCommand, rejection: Rejection): Shown {
  return { ...empty, result: 'refused', error: rejection.code, message: commandRefusal(command, rejection) }
}

function shown(found: Tried | NotTried, command: PlatformCommand, empty: Shown): Shown {
  if ('beyond' in found) return { ...empty, result: 'unknown', message: BEYOND[found.beyond] }
  const { rejection, seq, at, events, accounts, house } = found
  if (rejection !== null) return { ...refused(empty, command, rejection), seq, at }
  return { ...empty, seq, at, events, postings: postingsOf(events), accounts, house }
}
