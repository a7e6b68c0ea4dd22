// The stream over a WebSocket: the messages of Server-Sent Events, the same access, and whoever comes with something else
// costs next to nothing.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { readInPortions } from '../../src/host/portionedSocket.ts'
import { MOST_UNSENT } from '../../src/host/stream/allowance.ts'
import { Listener } from '../../src/host/stream/listener.ts'
import { Message } from '../../src/host/stream/message.ts'
import { routeUpgrades } from '../../src/host/stream/upgrades.ts'
import { type SocketPace, type WebSocketStream, WebSockets } from '../../src/host/stream/webSocket.ts'
import { raw, rawSequence, request } from './raw.ts'
import {
  ALICE,
  account,
  BOB,
  BTC,
  CONFIGURATION,
  GOLD,
  limitOrder,
  marketOrder,
  OPERATOR,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

const SECOND = { ...ALICE, accountId: 'a0000000-0000-4000-8000-0000000000a2' }
const CAROL = 'session-of-carol'

async function started(): Promise<VenueUnderTest> {
  const carol = { id: 'a0000000-0000-4000-8000-000000000003', sessionToken: CAROL, apiKeys: [] }
  const users = [
    ...CONFIGURATION.users.map((user) =>
      user.id === ALICE.userId
        ? { ...user, apiKeys: [...user.apiKeys, { key: 'mtk_disposable', expiresAt: null }] }
        : user,
    ),
    carol,
  ]
  return startVenue({ ...CONFIGURATION, users, accounts: [...CONFIGURATION.accounts, account(SECOND)] })
}

let venue: VenueUnderTest
beforeAll(async () => {
  venue = await started()
})
afterAll(() => venue.venue.close())

const open: { terminate(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.terminate()
})

interface Told {
  readonly id?: number
  readonly type: string
  readonly seq: number
  readonly accountId?: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies are examined field by field
  readonly data: any
  readonly error?: string
}

/** A socket that is read message by message. */
class Reading {
  readonly socket: WebSocket
  readonly texts: string[] = []
  /** Code and reason, once it has closed. */
  readonly closed: Promise<readonly [code: number, reason: string]>
  #read = 0
  #onText = () => {}

  /** With a token in the header, or a first message. */
  constructor(path: string, by: { token?: string; first?: unknown }, url = venue.venue.url) {
    const headers = by.token === undefined ? {} : { authorization: `Bearer ${by.token}` }
    this.socket = new WebSocket(url.replace('http', 'ws') + path, { headers })
    open.push(this.socket)
    const { first } = by
    if (first !== undefined)
      this.socket.on('open', () =>
        this.socket.send(typeof first === 'string' || Buffer.isBuffer(first) ? first : JSON.stringify(first)),
      )
    this.socket.on('message', (text) => {
      this.texts.push(String(text))
      this.#onText()
    })
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        resolve([code, String(reason)])
        this.#onText()
      })
    })
    this.socket.on('error', () => {})
  }

  async next(...types: string[]): Promise<Told> {
    for (;;) {
      const text = this.texts[this.#read]
      if (text !== undefined) {
        this.#read += 1
        const message = JSON.parse(text) as Told
        if (types.length === 0 || types.includes(message.type)) return message
        continue
      }
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error('the socket has closed')
      await new Promise<void>((resolve) => {
        this.#onText = resolve
      })
    }
  }
}

async function begun(by: ConstructorParameters<typeof Reading>[1], path = '/stream'): Promise<Reading> {
  const reading = new Reading(path, by)
  await reading.next('snapshot')
  return reading
}

test('it tells what Server-Sent Events tell', async () => {
  const own = await started()
  const headers = { authorization: `Bearer ${ALICE.key}` }
  const { body: events } = await fetch(`${own.venue.url}/stream`, { headers })
  let sent = ''
  const over = (async () => {
    for await (const part of (events as ReadableStream).pipeThrough(new TextDecoderStream())) sent += part
  })()
  const [byHeader, byMessage] = [
    new Reading('/stream', { token: ALICE.key }, own.venue.url),
    new Reading('/stream', { first: { token: ALICE.key } }, own.venue.url),
  ]
  await Promise.all([byHeader.next('snapshot'), byMessage.next('snapshot')])
  const { body } = await own.post('/orders', limitOrder())
  await own.post('/orders', marketOrder())
  await own.tick('49000000000000')
  await own.delete(`/orders/${body.id}`)
  await own.operate({ type: 'setMarketStatus', marketId: GOLD, status: 'paused' })
  await byHeader.next('equity')
  await own.post(`/positions/${ALICE.accountId}/close-all`)
  await own.operate({ type: 'setMarketStatus', marketId: GOLD, status: 'open' })
  const last = `"market","seq":${own.venue.engine.head},`
  for (const heard of [() => sent, () => byHeader.texts.join(), () => byMessage.texts.join()])
    await expect.poll(heard, { timeout: 10_000 }).toContain(last)
  await own.venue.close()
  await over
  const wanted = sent
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.slice(event.indexOf('data: ') + 6))
  expect(wanted.length).toBeGreaterThan(10)
  for (const reading of [byHeader, byMessage]) {
    expect(await reading.closed).toEqual([1001, 'closing'])
    expect(reading.texts.map((text) => text.replace(/^\{"id":\d+,/, '{'))).toEqual(wanted)
    const told = reading.texts.map((text) => JSON.parse(text) as Told)
    for (const { id, seq } of told) expect(id ?? seq).toBe(seq)
    expect([told[0]?.id, told.at(-2)?.id]).toEqual([told[0]?.seq, told.at(-2)?.seq])
  }
})

test('it resumes after a commit, for the accounts that are asked for', async () => {
  const { head } = venue.venue.engine
  const { body } = await venue.post('/orders', limitOrder())
  const from = { token: ALICE.key, accountIds: [ALICE.accountId.toUpperCase()], from: head }
  for (const reading of [
    new Reading('/stream', { first: from }),
    new Reading(`/stream?accountId=${ALICE.accountId}&from=${head}`, { token: ALICE.key }),
    // What the first message leaves out the query says.
    new Reading(`/stream?accountId=${ALICE.accountId}&from=1`, { first: { token: ALICE.key, from: head } }),
  ]) {
    expect((await reading.next()).data).toEqual(body)
    expect((await reading.next('account')).accountId).toBe(ALICE.accountId)
  }
  await venue.delete(`/orders/${body.id}`)
  const snapshot = await new Reading('/stream', { first: { ...from, from: undefined } }).next()
  expect(snapshot.data.accounts.map((one: { accountId: string }) => one.accountId)).toEqual([ALICE.accountId])
})

test.each<[string, unknown, number, string]>([
  ['no token', {}, 4400, 'validation_failed'],
  ['something beside', { token: ALICE.key, what: 1 }, 4400, 'validation_failed'],
  ['a commit that is none', { token: ALICE.key, from: -1 }, 4400, 'validation_failed'],
  ['an account that is none', { token: ALICE.key, accountIds: ['x'] }, 4400, 'validation_failed'],
  ['no JSON', '{"token"', 4400, 'validation_failed'],
  ['a member twice', '{"token":"x","token":"y"}', 4400, 'validation_failed'],
  ['a wrong token', { token: 'mtk_nobody' }, 4401, 'session_expired'],
  ['an operator’s token', { token: OPERATOR }, 4401, 'session_expired'],
  ['another’s account', { token: ALICE.key, accountIds: [BOB.accountId] }, 4403, 'account_access_denied'],
  ['no account', { token: ALICE.key, accountIds: [BTC] }, 4404, 'account_not_found'],
])('%s in the first message is refused with the body of HTTP, and counted', async (_, first, code, error) => {
  const counted = async () => {
    const { text } = await venue.get('/operator/metrics', { key: OPERATOR })
    return Number(
      new RegExp(`^margin_core_refusals_total\\{code="${error}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
    )
  }
  const before = await counted()
  const reading = new Reading('/stream', { first })
  expect(await reading.closed).toEqual([code, error])
  expect(await counted()).toBe(before + 1)
  expect(reading.texts.map((text) => JSON.parse(text))).toMatchObject([{ statusCode: code - 4000, error }])
})

test('it ends with its reason', async () => {
  const [byKey, byAccount] = [
    await begun({ token: 'mtk_disposable' }),
    await begun({ first: { token: ALICE.key, accountIds: [SECOND.accountId] } }),
  ]
  const keys = (await venue.get('/user/api-keys', { key: ALICE.session })).body
  await venue.delete(`/user/api-keys/${keys.at(-1).id}`, { key: ALICE.session })
  expect((await byKey.next('end')).data.reason).toBe('session_expired')
  expect(await byKey.closed).toEqual([4401, 'session_expired'])
  await venue.operate({ type: 'setApiTrading', accountId: SECOND.accountId, enabled: false })
  expect((await byAccount.next('end')).data.reason).toBe('api_trading_not_enabled')
  expect(await byAccount.closed).toEqual([4403, 'api_trading_not_enabled'])
  await venue.operate({ type: 'setApiTrading', accountId: SECOND.accountId, enabled: true })
})

test('the twenty streams of a user are counted over both transports', async () => {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${CAROL}` }
  for (let one = 0; one < 10; one++) {
    await begun({ first: { token: CAROL } })
    await fetch(`${venue.venue.url}/stream`, { headers, signal: leaving.signal })
  }
  const more = new Reading('/stream', { token: CAROL })
  expect((await more.next()).data).toEqual({ reason: 'too_many_streams' })
  expect(await more.closed).toEqual([4429, 'too_many_streams'])
  leaving.abort()
})

test('operators read the log', async () => {
  const { head } = venue.venue.engine
  const first = { token: OPERATOR, from: head, type: 'setMarketStatus', marketId: GOLD }
  const [byMessage, byHeader, wrong] = [
    new Reading('/operator/stream', { first }),
    new Reading(`/operator/stream?from=${head}&marketId=${GOLD}`, { token: OPERATOR }),
    new Reading('/operator/stream', { first: { token: ALICE.key } }),
  ]
  await venue.operate({ type: 'setMarketStatus', marketId: BTC, status: 'open' })
  await venue.operate({ type: 'setMarketStatus', marketId: GOLD, status: 'open' })
  for (const reading of [byMessage, byHeader])
    expect(await reading.next()).toMatchObject({ id: head + 2, type: 'commit', seq: head + 2 })
  expect(await wrong.closed).toEqual([4401, 'session_expired'])
})

test('a client that leaves is no stream any more', async () => {
  for (let one = 0; one < 21; one++) {
    const reading = await begun({ first: { token: BOB.key } })
    if (one % 2 === 0) reading.socket.close()
    else reading.socket.terminate()
    await reading.closed
  }
})

test.each<[string, (socket: WebSocket) => void, number, number]>([
  ['a message', (socket) => socket.send('{}'), 1008, 4400],
  ['a binary one', (socket) => socket.send(Buffer.from('{}')), 1003, 1003],
  ['a long one', (socket) => socket.send('x'.repeat(10_000)), 1009, 1009],
  ['a long one in pieces', (socket) => inPieces(socket, 10, 'x'.repeat(1_000)), 1009, 1009],
  ['one in sixteen pieces', (socket) => inPieces(socket, 16, ''), 1008, 4400],
  ['one in more pieces', (socket) => inPieces(socket, 17, ''), 1008, 1008],
  ['text that is none', (socket) => wireOf(socket).write(frame(0x81, 0xff)), 1007, 1007],
  ['a frame without a mask', (socket) => wireOf(socket).write(Buffer.from([0x81, 1, 0x41])), 1002, 1002],
  ['an unknown opcode', (socket) => wireOf(socket).write(frame(0x8b)), 1002, 1002],
  ['a reserved bit', (socket) => wireOf(socket).write(frame(0xc1, 0x41)), 1002, 1002],
])(
  '%s from its client closes the connection, as does one in place of the first',
  async (_, send, ...codes) => {
    const readings = [await begun({ token: ALICE.key }), new Reading('/stream', {})]
    await once((readings[1] as Reading).socket, 'open')
    for (const { socket } of readings) send(socket)
    const closed = await Promise.all(readings.map((reading) => reading.closed))
    expect(closed.map(([code]) => code)).toEqual(codes)
  },
)

function inPieces(socket: WebSocket, count: number, piece: string): void {
  for (let one = 0; one < count; one++) socket.send(piece, { fin: one === count - 1 })
}

const wireOf = (socket: WebSocket) => (socket as unknown as { readonly _socket: Socket })._socket

/** A frame whose mask is zero. */
const frame = (first: number, ...payload: number[]) =>
  Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0, ...payload])

/** A server that does nothing but open sockets. */
async function serving(
  pace?: SocketPace,
): Promise<{ url: string; sockets: WebSockets; opened: WebSocketStream[] }> {
  const app = Fastify()
  const sockets = new WebSockets(pace)
  const opened: WebSocketStream[] = []
  app.get('/', async (request, reply) => {
    opened.push(sockets.open(request, reply) as WebSocketStream)
    return reply
  })
  routeUpgrades(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  open.push({
    terminate: () => {
      sockets.close()
      app.close()
    },
  })
  return { url, sockets, opened }
}

async function opened(pace?: SocketPace, autoPong = true) {
  const { url, sockets, opened } = await serving(pace)
  const socket = new WebSocket(url.replace('http', 'ws'), { autoPong })
  socket.on('error', () => {})
  open.push(socket)
  const closed = once(socket, 'close')
  await once(socket, 'open')
  const [stream] = opened as [WebSocketStream]
  const gone = new Promise<void>((resolve) => {
    stream.onGone = resolve
  })
  return { sockets, socket, stream, closed, gone }
}

const UNHURRIED = { firstMs: 60_000, pingMs: 60_000 }

const long = (length: number) =>
  new Message({ type: 'ping', seq: 1, at: 0, data: () => JSON.stringify('x'.repeat(length)) })

test('whoever goes before having said anything is not waited for', async () => {
  const { sockets, socket, stream } = await opened(UNHURRIED)
  const first = sockets.first(stream)
  socket.terminate()
  expect(await first).toBeNull()
})

test('a frame is what its length asks for, and is written once', async () => {
  const { socket, stream } = await opened()
  const heard: string[] = []
  socket.on('message', (text) => heard.push(String(text)))
  const messages = [0, 1, 100, 65_535, 65_536, 200_000].map(long)
  for (const message of messages) stream.send([message], null)
  stream.send(messages, 1)
  await expect.poll(() => heard.length).toBe(12)
  const texts = messages.map(({ json }) => json)
  const last = texts.at(-1)?.replace('{', '{"id":1,')
  expect(heard).toEqual([...texts, ...texts.slice(0, -1), last])
  for (const message of messages) expect(message.frame).toBe(message.frame)
})

test('what a client has not read is counted, and its end comes all the same', async () => {
  const { socket, stream, gone } = await opened()
  wireOf(socket).pause()
  const message = long(MOST_UNSENT)
  for (let one = 0; one < 50 && stream.unsent <= MOST_UNSENT; one++) {
    stream.send([message], null)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(stream.unsent).toBeGreaterThan(MOST_UNSENT)
  expect(await stream.taken(1)).toBe(false)
  // Nor is it answered however often it pings.
  const before = stream.unsent
  for (let one = 0; one < 1_000; one++) socket.ping('x'.repeat(125))
  socket.ping('last', true, () => {})
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(stream.unsent).toBeLessThanOrEqual(before)
  stream.end('slow_consumer')
  await gone
})

test('a ping is answered', async () => {
  const { socket } = await opened()
  socket.ping('are you there')
  expect(String(await once(socket, 'pong'))).toBe('are you there')
})

test('who answers pings stays; who does not is gone when the third is due', async () => {
  const [dead, alive] = [await opened(UNHURRIED, false), await opened(UNHURRIED)]
  for (let one = 0; one < 5; one++) {
    if (one < 3) dead.stream.ping()
    alive.stream.ping()
    await once(alive.socket, 'ping')
    alive.socket.ping()
    await once(alive.socket, 'pong')
    if (one < 2) expect(dead.socket.readyState).toBe(WebSocket.OPEN)
  }
  await dead.gone
  await dead.closed
  expect(alive.socket.readyState).toBe(WebSocket.OPEN)
  const timed = await opened({ firstMs: 60_000, pingMs: 5 }, false)
  await timed.gone
})

test.each([
  [1001, 'closing'],
  [1011, 'engine_stopped'],
  [1013, 'slow_consumer'],
  [4401, 'session_expired'],
  [4403, 'api_trading_not_enabled'],
  [4410, 'archived'],
  [4429, 'too_many_streams'],
] as const)('%i says why: %s', async (expected, reason) => {
  const { stream, closed } = await opened()
  stream.end(reason)
  const [code, told] = await closed
  expect([code, String(told)]).toEqual([expected, reason])
})

test.each([
  ['a message', (more: string) => more, [1008, 'not_expected']],
  ['a binary one', (more: string) => Buffer.from(more), [1003, 'binary']],
] as const)('who has sent a token and sends more is let go of: %s', async (_, of, expected) => {
  const first = { token: ALICE.key }
  const reading = await begun({ first })
  reading.socket.send(of(JSON.stringify(first)))
  expect(await reading.closed).toEqual(expected)
})

test.each([
  ['a snapshot', ''],
  ['what was missed', '?from=1'],
])('who does not take what it begins with is let go of: %s', async (_, from) => {
  const begin = vi.spyOn(Listener.prototype, 'begin').mockResolvedValue(false)
  onTestFinished(() => begin.mockRestore())
  const reading = new Reading(`/stream${from}`, { token: ALICE.key })
  expect(await reading.closed).toEqual([1013, 'slow_consumer'])
})

test('who says nothing is let go of', async () => {
  const { sockets, stream, closed } = await opened({ firstMs: 20, pingMs: 1_000 })
  expect(await sockets.first(stream)).toBeNull()
  const [code, reason] = await closed
  expect([code, String(reason)]).toEqual([4408, 'no_token'])
})

test('a server that closes lets go of those who have not said who they are, and of who comes later', async () => {
  const { sockets, stream, closed } = await opened()
  const first = sockets.first(stream)
  sockets.close()
  expect(await first).toBeNull()
  expect((await closed)[0]).toBe(1001)
  const own = await serving()
  own.sockets.close()
  const late = new WebSocket(own.url.replace('http', 'ws'))
  expect((await once(late, 'close'))[0]).toBe(1001)
})

test('a venue closes although somebody has not said who they are', async () => {
  const own = await started()
  const waiting = new Reading('/stream', {}, own.venue.url)
  await once(waiting.socket, 'open')
  await own.venue.close()
  expect((await waiting.closed)[0]).toBe(1001)
})

const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
}
const authorization = `Bearer ${ALICE.key}`

test('a handshake that is none is refused with the documented body', async () => {
  for (const broken of [
    { 'sec-websocket-key': 'short' },
    { 'sec-websocket-version': '1' },
    { 'sec-websocket-protocol': ',' },
  ])
    for (const who of [{ authorization }, {}]) {
      const headers = { ...HANDSHAKE, ...broken, ...who }
      const { status, body } = await raw(venue.venue.url, request('GET /stream', headers))
      expect([status, JSON.parse(body)]).toMatchObject([400, { details: ['upgrade'] }])
    }
})

test('what asks for another protocol where there is none is answered as if it had not', async () => {
  const { url } = venue.venue
  const get = await raw(url, request('GET /accounts/with-risk-status', { ...HANDSHAKE, authorization }))
  expect([get.status, JSON.parse(get.body)]).toEqual([
    200,
    (await venue.get('/accounts/with-risk-status')).body,
  ])
  const nobody = await raw(url, request('GET /accounts/with-risk-status', HANDSHAKE))
  expect(nobody.status).toBe(401)
  // A client that would rather speak HTTP/2, as Java's is at first.
  const order = request(
    'POST /orders',
    {
      authorization,
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'content-type': 'application/json',
    },
    JSON.stringify(limitOrder()),
  )
  const reading = request('GET /accounts/with-risk-status', { authorization, connection: 'keep-alive' })
  const answers = await rawSequence(url, [
    { bytes: order, bodiless: false },
    { bytes: reading, bodiless: false },
  ])
  expect(answers.map(({ status }) => status)).toEqual([201, 200])
  const { status } = await raw(
    url,
    request('GET /stream?from=x', { ...HANDSHAKE, authorization, upgrade: 'h2c' }),
  )
  expect(status).toBe(400)
})

test('a connection that asks for another protocol again and again is served by what it was at first', async () => {
  const app = Fastify()
  let connections = 0
  const sockets = new Set<Socket>()
  const listeners: number[] = []
  app.get('/', async ({ raw: { socket } }) => {
    sockets.add(socket)
    listeners.push(socket.eventNames().reduce((sum, event) => sum + socket.listenerCount(event), 0))
    return 'ok'
  })
  readInPortions(app.server)
  app.server.on('connection', () => {
    connections += 1
  })
  routeUpgrades(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = { connection: 'keep-alive, Upgrade', upgrade: 'h2c' }
  const { hostname, port } = new URL(url)
  const client = connect(Number(port), hostname)
  for (let one = 0; one < 20; one++) {
    client.write(request('GET /', ask))
    const [answer] = await once(client, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 200/)
  }
  client.destroy()
  await app.close()
  expect([connections, sockets.size]).toEqual([1, 1])
  expect(new Set(listeners.slice(1)).size).toBe(1)
})

test('whoever sends on while their socket is being closed has one timer', async () => {
  const { url, opened } = await serving()
  const socket = new WebSocket(url.replace('http', 'ws'))
  await once(socket, 'open')
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const wire = wireOf(socket)
  for (let one = 0; one < 200; one++) wire.write(frame(0x81))
  await once(socket, 'close')
  expect(opened).toHaveLength(1)
  expect(timers.mock.calls.filter(([, ms]) => ms === 2_000)).toHaveLength(1)
  timers.mockRestore()
})

test('two answers are never mixed', async () => {
  const bytes = Buffer.concat([
    request('GET /accounts/with-risk-status', { authorization, connection: 'keep-alive' }),
    request('GET /stream', { ...HANDSHAKE, authorization }),
  ])
  const { head, body } = await raw(venue.venue.url, bytes)
  expect(head + body).not.toContain('101')
  expect((await venue.get('/accounts/with-risk-status')).status).toBe(200)
})
