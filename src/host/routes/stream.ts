/** What a venue tells as it happens: to traders their accounts and the markets, to operators the log. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { COMMAND_FIELDS } from '../../events/commandTable.ts'
import { EVENT_TYPES } from '../../events/eventTable.ts'
import {
  type EndReason,
  OperatorStreamMessage,
  OperatorStreamOpening,
  OperatorStreamQuery,
  StreamMessageResource,
  StreamOpening,
  StreamQuery,
} from '../../resources/stream.ts'
import type { Rejection } from '../../terms/errors.ts'
import type { Authentication } from '../authentication.ts'
import { clientOf, type HostContext, principalOf, reject } from '../context.ts'
import { type ErrorAnswer, errorAnswerOf, malformed } from '../errorAnswer.ts'
import { type FieldFault, otherForm } from '../fieldsFromJson.ts'
import { operation } from '../operation.ts'
import { Places } from '../places.ts'
import { Missed, snapshot } from '../stream/beginning.ts'
import { CommitStream } from '../stream/commitStream.ts'
import { EventStream } from '../stream/eventStream.ts'
import { StreamHub } from '../stream/hub.ts'
import { Listener, type StreamConnection } from '../stream/listener.ts'
import type { Message } from '../stream/message.ts'
import { saysLaterWhoAsks, upgradeOf } from '../stream/upgrades.ts'
import { NO_HANDSHAKE, type WebSocketStream, WebSockets } from '../stream/webSocket.ts'
import { MalformedJson, parseStrictJson } from '../strictJson.ts'
import { type ValidationFault, validatorOf } from '../validation.ts'

/** Whether a caller is let in by what their request says of them, as the declaration of its route asks; null = yes. */
export type Admit = (request: FastifyRequest, reply: FastifyReply) => ErrorAnswer | null

type StreamRequest = FastifyRequest<{ Querystring: StreamQuery }>

/** Streams that one user may have at once. */
const STREAMS_OF_A_USER = 20
/** Of these so many are told at once what they missed: each holds all of it until it has been taken (K4). */
const RESUMED_AT_ONCE = 2

const OVER_WEBSOCKET =
  'With `Upgrade: websocket` the same messages come over a WebSocket, one in each; what Server-Sent Events have as `id` stands in front as `id`. Without an `Authorization` header the client says first, within 5 s, `{ "token", "accountIds"?, "from"? }` (operators: `{ "token", "from"?, "type"?, "accountId"?, "marketId"?, "quietPrices"? }`), and nothing later. A refusal is then the last message, and 4000 and its status the code that closes.'

const stream = operation({
  id: 'stream',
  summary: 'What happens to accounts and markets, as it happens: Server-Sent Events or WebSocket, resumable',
  description: OVER_WEBSOCKET,
  tag: 'stream',
  access: 'trader',
  extension: true,
  query: StreamQuery,
  response: StreamMessageResource,
  contentType: 'text/event-stream',
  errors: ['account_not_found', 'account_access_denied', 'api_trading_not_enabled'],
})

const operatorStream = operation({
  id: 'operatorStream',
  summary: 'The event log as it grows: Server-Sent Events or WebSocket, resumable',
  description: OVER_WEBSOCKET,
  tag: 'operator',
  access: 'operator',
  role: 'read',
  extension: true,
  query: OperatorStreamQuery,
  response: OperatorStreamMessage,
  contentType: 'text/event-stream',
  errors: [],
})

export function streamRoutes(
  instance: FastifyInstance,
  context: HostContext,
  authentication: Authentication,
  admit: Admit,
): void {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  const { engine, clock } = context
  const hub = new StreamHub(engine, (error) => app.log.error(error, 'streams have ended'))
  const resuming = new Places(RESUMED_AT_ONCE)
  const sockets = new WebSockets()
  const opening = openingOf(context, sockets, admit, hearOpening)
  app.addHook('preClose', (done) => {
    hub.close()
    sockets.close()
    done()
  })

  app.get('/stream', stream, async (request, reply) => {
    if (upgradeOf(request) !== undefined) {
      const socket = await opening(request, reply)
      if (socket === null) return reply
      const terms = termsOf(request)
      if ('body' in terms) refuseOn(socket, context, terms)
      else tell(request, terms, socket)
      return reply
    }
    const terms = termsOf(request)
    if ('body' in terms) return reject(context, reply, terms)
    tell(request, terms, new EventStream(reply))
    return reply
  })

  function termsOf(request: StreamRequest): StreamTerms | ErrorAnswer {
    const caller = principalOf(request)
    const named = [request.query.accountId ?? []].flat().map((id) => id.toLowerCase())
    const accountIds = named.length > 0 ? askedFor(new Set(named)) : allOf()
    if ('code' in accountIds) return errorAnswerOf(accountIds)
    const from = fromOf(request, request.query.from)
    if (from === undefined) return malformed([noSequence(request, request.query.from)])
    return { accountIds, hearsAll: named.length === 0, from }

    function askedFor(asked: ReadonlySet<string>): string[] | Rejection {
      for (const accountId of asked) {
        const access = engine.query({ type: 'activeOrders', accountId }, caller)
        if (!access.ok) return access.error
      }
      return [...asked]
    }

    function allOf(): string[] | Rejection {
      const accounts = engine.query({ type: 'accounts' }, caller)
      return accounts.ok ? accounts.value.map(({ accountId }) => accountId) : accounts.error
    }
  }

  function tell(request: StreamRequest, { from, ...terms }: StreamTerms, outlet: StreamConnection): void {
    const principal = principalOf(request)
    const isGood = authentication.renewal(request.headers.authorization, principal)
    const obstacle = (): EndReason | null => {
      if (!isGood(clock.now())) return 'session_expired'
      return principal.keyId === null || mayTrade(listener.accountIds) ? null : 'api_trading_not_enabled'
    }
    const listener = new Listener({ userId: principal.userId, ...terms, outlet, obstacle })
    outlet.onGone = () => hub.remove(listener)
    const tooMany = hub.countOf(listener.userId) >= STREAMS_OF_A_USER
    hub.add(listener)
    if (tooMany) return hub.end(listener, 'too_many_streams')
    if (from === null) return beginWithSnapshot(listener)
    const withdraw = resuming.take(listener.userId, () => resume(listener, from))
    outlet.onGone = () => {
      withdraw()
      hub.remove(listener)
    }
  }

  function mayTrade(accountIds: Iterable<string>): boolean {
    for (const accountId of accountIds)
      if (engine.read.accountStanding(accountId)?.apiTrading !== true) return false
    return true
  }

  async function resume(listener: Listener, from: number): Promise<void> {
    try {
      // What came while it waited is part of what it missed.
      hub.restart(listener)
      const missed = new Missed(engine, from, [...listener.accountIds])
      const messages = await missed.told(`user ${listener.userId}`, () => listener.hasEnded)
      if (listener.hasEnded) return
      if (messages !== null) return await begin(listener, messages, missed.head)
      hub.restart(listener)
      beginWithSnapshot(listener)
    } catch (error) {
      fail(listener, error)
    }
  }

  function beginWithSnapshot(listener: Listener): void {
    const first = snapshot(engine, [...listener.accountIds])
    hub.whenDurable(() => {
      begin(listener, [first], first.seq).catch((error) => fail(listener, error))
    })
  }

  async function begin(listener: Listener, messages: readonly Message[], complete: number): Promise<void> {
    if (!(await listener.begin(messages, complete))) hub.end(listener, 'slow_consumer')
  }

  function fail(listener: Listener, error: unknown): void {
    app.log.error(error, 'a stream could not begin')
    hub.end(listener, 'engine_stopped')
  }
}

/** Whom a stream is about, and from when on. */
interface StreamTerms {
  readonly accountIds: readonly string[]
  readonly hearsAll: boolean
  readonly from: number | null
}

export function operatorStreamRoutes(instance: FastifyInstance, context: HostContext, admit: Admit): void {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  const { engine } = context
  const commits = new CommitStream(engine)
  const sockets = new WebSockets()
  const opening = openingOf(context, sockets, admit, hearOperatorOpening)
  app.addHook('preClose', (done) => {
    commits.close()
    sockets.close()
    done()
  })

  app.get('/operator/stream', operatorStream, async (request, reply) => {
    if (upgradeOf(request) !== undefined) {
      const socket = await opening(request, reply)
      if (socket === null) return reply
      const fault = faultOf(request)
      if (fault === null) tell(request, reply, socket)
      else refuseOn(socket, context, malformed([fault]))
      return reply
    }
    const fault = faultOf(request)
    if (fault !== null) return reject(context, reply, malformed([fault]))
    tell(request, reply, new EventStream(reply))
    return reply
  })

  function tell(request: OperatorStreamRequest, reply: FastifyReply, outlet: EventStream | WebSocketStream) {
    const { type, accountId, marketId, quietPrices } = request.query
    const filter = {
      type,
      accountId: accountId?.toLowerCase(),
      marketId: marketId?.toLowerCase(),
      withoutQuietPrices: quietPrices === 'false',
    }
    commits.tell(outlet, fromOf(request, request.query.from) ?? engine.head, filter, clientOf(reply))
  }
}

type OperatorStreamRequest = FastifyRequest<{ Querystring: OperatorStreamQuery }>

/** Whoever waits for what never comes would not know why. */
function faultOf(request: OperatorStreamRequest): FieldFault | null {
  const { type, from } = request.query
  if (type !== undefined && !TOLD_TYPES.has(type)) return otherForm('type', type, A_TYPE)
  return fromOf(request, from) === undefined ? noSequence(request, from) : null
}

const TOLD_TYPES: ReadonlySet<string> = new Set([...Object.keys(COMMAND_FIELDS), ...EVENT_TYPES])

const A_TYPE = 'the type of a command or an event, such as "updatePrice" or "orderExecuted"'

function noSequence({ headers }: FastifyRequest, from: string | undefined): FieldFault {
  const last = headers['last-event-id']
  const [path, given] = last === undefined ? ['from', from] : ['Last-Event-ID', last]
  return otherForm(path, given, 'the sequence of a commit, which is the id of its last event')
}

/** The commit that was heard last; null: none, undefined: something that is none. */
function fromOf({ headers }: FastifyRequest, from: string | undefined): number | null | undefined {
  const last = headers['last-event-id'] ?? from
  if (last === undefined || last === '') return null
  return /^[0-9]{1,15}$/.test(String(last)) ? Number(last) : undefined
}

/** Takes what a client says first as if it had stood in the head of its request; answers with what is at fault. */
type Hear = (request: FastifyRequest, first: unknown) => ValidationFault | null

const hearOpening: Hear = (request, first) => {
  const { error } = validOpening(first)
  if (error !== undefined) return error
  const { token, accountIds: accountId, from } = first as Static<typeof StreamOpening>
  return heard(request, token, from, accountId === undefined ? {} : { accountId })
}

const hearOperatorOpening: Hear = (request, first) => {
  const { error } = validOperatorOpening(first)
  if (error !== undefined) return error
  const { token, from, ...filter } = first as Static<typeof OperatorStreamOpening>
  return heard(request, token, from, filter)
}

const validOpening = validatorOf(StreamOpening)
const validOperatorOpening = validatorOf(OperatorStreamOpening)

function heard(request: FastifyRequest, token: string, from: number | undefined, terms: object): null {
  request.headers = { authorization: `Bearer ${token}` }
  const resumed = from === undefined ? {} : { from: String(from) }
  request.query = { ...(request.query as object), ...terms, ...resumed }
  return null
}

/** A refusal over a socket counts as any other. */
function refuseOn(socket: WebSocketStream, { metrics }: HostContext, refusal: ErrorAnswer): void {
  metrics.refused(refusal.body.error)
  socket.refuse(refusal)
}

/** Opens the socket of a request, its caller let in; null where it is answered otherwise, or nobody is there any more. */
function openingOf(context: HostContext, sockets: WebSockets, admit: Admit, hear: Hear) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<WebSocketStream | null> => {
    const isUnknown = saysLaterWhoAsks(request)
    const socket = sockets.open(request, reply)
    if (socket === null) reject(context, reply, NO_HANDSHAKE)
    if (socket === null || !isUnknown) return socket
    const first = await sockets.first(socket)
    if (first === null) return null
    const refusal = refusalOf(first, request) ?? admit(request, reply)
    if (refusal === null) return socket
    refuseOn(socket, context, refusal)
    return null
  }

  function refusalOf(first: Uint8Array, request: FastifyRequest): ErrorAnswer | null {
    try {
      const fault = hear(request, parseStrictJson(first))
      return fault === null ? null : malformed(fault.faults, fault.paths)
    } catch (error) {
      if (error instanceof MalformedJson) return malformed([{ path: 'body', fault: error.message }])
      throw error
    }
  }
}
