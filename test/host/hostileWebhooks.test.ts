// Receivers that are not who they should be, never come to an end, are gone for days, or are told a thing twice: nothing is lost
// without a word, nothing is told to another, and what comes again is the same.

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import tls from 'node:tls'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Cursor,
  type CursorKeeper,
  WEBHOOK_PACE,
  Webhook,
  type WebhookClock,
  type WebhookTerms,
} from '../../src/host/webhooks/webhook.ts'
import * as certificates from './certificates.ts'
import { marketOrder, startVenue, type VenueUnderTest } from './venue.ts'

const SECRET = 'whsec-of-a-receiver'
const HOUR = 3_600_000

const closing: (() => unknown)[] = []
let venue: VenueUnderTest
beforeEach(async () => {
  venue = await startVenue()
  closing.push(() => venue.venue.close())
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  vi.restoreAllMocks()
})

interface Told {
  readonly id: number
  readonly body: string
  readonly signature: string
}

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown

/** A receiver that answers as it is told to; what it is told it keeps. */
async function receiverThat(answer: Answer, certificate?: string): Promise<{ url: string; told: Told[] }> {
  const told: Told[] = []
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { headers } = request
    told.push({
      id: Number(headers['margin-core-id']),
      body,
      signature: `${headers['margin-core-signature']}`,
    })
    answer(response, request)
  }
  const server =
    certificate === undefined
      ? createServer(hear)
      : createSecureServer({ key: certificates.KEY, cert: certificate }, hear)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const scheme = certificate === undefined ? 'http' : 'https'
  return { url: `${scheme}://localhost:${(server.address() as AddressInfo).port}/hook`, told }
}

class Kept implements CursorKeeper {
  cursor: Cursor | null = null
  read = async () => this.cursor
  write = async (cursor: Cursor) => {
    this.cursor = cursor
  }
}

async function told(
  url: string,
  terms: WebhookTerms = {},
  keeper: CursorKeeper = new Kept(),
  secret = SECRET,
) {
  const pace = { ...WEBHOOK_PACE, firstPause: 10, longestPause: 40, keepEvery: 0 }
  const configuration = { url, secret, types: ['order.executed'] as const }
  const webhook = await Webhook.begin(venue.venue.engine, configuration, keeper, { pace, ...terms })
  closing.push(() => webhook.stop())
  return webhook
}

const order = async () => (await venue.post('/orders', marketOrder({ amount: '10000000000' }))).body.id
const taken: Answer = (response) => response.writeHead(204).end()
const caughtUp = (webhook: Webhook) =>
  expect.poll(() => webhook.standing.backlog, { timeout: 20_000 }).toBe(0)
const ordersIn = (all: readonly Told[]) =>
  all.flatMap(({ body }) =>
    JSON.parse(body).events.map((event: { data: { orderId: string } }) => event.data.orderId),
  )

describe('over TLS', () => {
  beforeEach(() => {
    const { connect } = tls
    const trusting = (options: tls.ConnectionOptions, ...more: []) =>
      connect({ ...options, ca: [certificates.AUTHORITY] }, ...more)
    vi.spyOn(tls, 'connect').mockImplementation(trusting as typeof connect)
  })

  test('a receiver with a certificate of an authority that is trusted is told', async () => {
    const receiver = await receiverThat(taken, certificates.FOR_LOCALHOST)
    const webhook = await told(receiver.url)
    await order()
    await caughtUp(webhook)
    expect(receiver.told).toHaveLength(1)
    expect(webhook.standing.lastError).toBe(null)
  })

  test.each([
    ['signs for itself', certificates.SELF_SIGNED, /self-signed certificate/],
    ['has a certificate that is over', certificates.EXPIRED, /certificate has expired/],
    [
      'has the certificate of another host',
      certificates.FOR_ANOTHER_HOST,
      /does not match certificate's altnames/,
    ],
  ])('one that %s is told nothing, and the operator why', async (_, certificate, why) => {
    const receiver = await receiverThat(taken, certificate)
    const webhook = await told(receiver.url)
    await order()
    await expect.poll(() => webhook.standing.attempts, { timeout: 20_000 }).toBeGreaterThan(1)
    expect(receiver.told).toEqual([])
    expect(webhook.standing).toMatchObject({
      backlog: 1,
      delivered: 0,
      lastError: expect.stringMatching(why),
    })
  })

  test('one that does not speak it is told nothing', async () => {
    const receiver = await receiverThat(taken)
    const webhook = await told(receiver.url.replace('http:', 'https:'))
    await order()
    await expect.poll(() => webhook.standing.attempts, { timeout: 20_000 }).toBeGreaterThan(1)
    expect(receiver.told).toEqual([])
  })
})

test.each<[string, (socket: Socket) => unknown]>([
  ['drips its headers byte by byte', (socket) => socket.write('HTTP/1.1 204 No Content\r\nX: ')],
  ['puts it off without end', () => {}],
])('one that %s has failed after its time, and is told again', async (_, begin) => {
  let asked = 0
  const receiver = await receiverThat((response, { socket }) => {
    asked += 1
    if (asked > 1) return taken(response, { socket } as IncomingMessage)
    const piece = begin.length === 0 ? 'HTTP/1.1 103 Early Hints\r\n\r\n' : 'x'
    begin(socket)
    const dripping = setInterval(() => socket.write(piece), 10)
    socket.on('close', () => clearInterval(dripping))
  })
  const pace = { ...WEBHOOK_PACE, firstPause: 10, timeout: 300 }
  const webhook = await told(receiver.url, { pace })
  const id = await order()
  await caughtUp(webhook)
  expect(asked).toBe(2)
  expect(ordersIn(receiver.told)).toEqual([id, id])
  expect(webhook.standing.lastError).toBe('timeout: no answer within 300 ms')
})

/** A clock that is at once where it is waited for: days go by in milliseconds. */
class Days implements WebhookClock {
  now = Date.parse('2026-01-05T00:00:00.000Z')
  wall = () => this.now
  wait = async (ms: number, signal: AbortSignal) => {
    await new Promise((resolve) => setImmediate(resolve))
    if (!signal.aborted) this.now += ms
  }
}

test('one that is dead for a day has lost nothing when it comes back, and others wait for nothing', async () => {
  const clock = new Days()
  const back = clock.now + 24 * HOUR
  const attempts: number[] = []
  const dead = await receiverThat((response) => {
    attempts.push(clock.now)
    response.writeHead(clock.now < back ? 503 : 204).end()
  })
  const other = await receiverThat(taken)
  const ids = []
  const living = await told(other.url)
  // Of a log that waits from the beginning: it has not been told any of it yet.
  const keeper = new Kept()
  keeper.cursor = { seq: venue.venue.engine.durableHead, firstFailedAt: null }
  for (let count = 0; count < 3; count++) ids.push(await order())
  await caughtUp(living)
  expect(ordersIn(other.told)).toEqual(ids)
  const notices: string[] = []
  const webhook = await told(
    dead.url,
    { clock, pace: WEBHOOK_PACE, onNotice: (text) => notices.push(text) },
    keeper,
  )
  await caughtUp(webhook)
  const later = dead.told.slice(-3)
  expect(ordersIn(later)).toEqual(ids)
  expect(webhook.standing).toMatchObject({ delivered: 3, givenUp: 0, givenUpSeq: null, attempts: 0 })
  const [waited] = later
  expect(notices).toEqual([
    `webhook ${dead.url}: commit ${waited?.id} is not taken, and is tried again: it answered 503`,
    `webhook ${dead.url}: it takes what it is told again`,
  ])
  // Twelve within the first 68 minutes, then one an hour.
  expect(attempts.length - 3).toBeGreaterThan(30)
  expect(attempts.length - 3).toBeLessThan(40)
  expect((attempts.at(-3) as number) - back, 'it is found again within an hour').toBeLessThan(HOUR)
})

test('what is given up after three days is told with its commit, and what follows is delivered', async () => {
  const clock = new Days()
  const back = clock.now + 74 * HOUR
  const receiver = await receiverThat((response) => response.writeHead(clock.now < back ? 500 : 200).end())
  const keeper = new Kept()
  keeper.cursor = { seq: venue.venue.engine.durableHead, firstFailedAt: null }
  const [lost, ...rest] = [await order(), await order(), await order()]
  const notices: string[] = []
  const webhook = await told(
    receiver.url,
    { clock, pace: WEBHOOK_PACE, onNotice: (text) => notices.push(text) },
    keeper,
  )
  await caughtUp(webhook)
  expect(ordersIn(receiver.told.slice(-2))).toEqual(rest)
  const [first] = receiver.told
  expect(ordersIn([first as Told])).toEqual([lost])
  expect(notices.slice(0, 2)).toEqual([
    `webhook ${receiver.url}: commit ${first?.id} is not taken, and is tried again: it answered 500`,
    `webhook ${receiver.url}: what commit ${first?.id} holds for it was given up after 72 hours: it answered 500`,
  ])
  expect(webhook.standing).toMatchObject({ delivered: 2, givenUp: 1, givenUpSeq: first?.id })
  const waited = clock.now - Date.parse('2026-01-05T00:00:00.000Z')
  expect(waited).toBeGreaterThanOrEqual(72 * HOUR)
})

test('a host that dies before or after the answer tells it again, the same under the same id', async () => {
  let isAnswering = false
  const receiver = await receiverThat((response) => isAnswering && response.writeHead(204).end())
  const keeper = new Kept()
  const first = await told(receiver.url, {}, keeper)
  const id = await order()
  await expect.poll(() => receiver.told.length, { timeout: 20_000 }).toBe(1)
  await first.stop()
  isAnswering = true
  // This one is answered, and its cursor is never written.
  const second = await told(receiver.url, {}, { read: keeper.read, write: async () => {} })
  await caughtUp(second)
  const third = await told(receiver.url, {}, keeper)
  await caughtUp(third)
  expect(ordersIn(receiver.told)).toEqual([id, id, id])
  expect(new Set(receiver.told.map(({ body }) => body)).size).toBe(1)
  expect(new Set(receiver.told.map(({ id: seq }) => seq)).size).toBe(1)
})

test('with another secret it goes on where it was, signed with that', async () => {
  let status = 500
  const receiver = await receiverThat((response) => response.writeHead(status).end())
  const keeper = new Kept()
  const before = await told(receiver.url, {}, keeper)
  const id = await order()
  await expect.poll(() => before.standing.attempts, { timeout: 20_000 }).toBeGreaterThan(0)
  await before.stop()
  status = 204
  const after = await told(receiver.url, {}, keeper, 'whsec-another')
  await caughtUp(after)
  const { isSigned } = await documented()
  const signedWith = (secret: string) =>
    ordersIn(receiver.told.filter(({ body, signature }) => isSigned(secret, signature, body)))
  expect(signedWith('whsec-another')).toEqual([id])
  // However often it was tried before that, and whatever of it came late.
  expect(new Set(signedWith(SECRET))).toEqual(new Set([id]))
})

/** What the page has receivers do. */
async function documented(): Promise<{
  isSigned: (secret: string, header: string, body: string, now?: number) => boolean
}> {
  const page = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? []
  return import(`data:text/javascript,${encodeURIComponent(program)}`)
}

test('a receiver as documented takes what is signed and new, and nothing else', async () => {
  const receiver = await receiverThat(taken)
  const webhook = await told(receiver.url)
  await order()
  await caughtUp(webhook)
  const { body, signature } = receiver.told[0] as Told
  const { isSigned } = await documented()
  const seconds = Number(/^t=(\d+)/.exec(signature)?.[1])
  expect(isSigned(SECRET, signature, body)).toBe(true)
  expect(isSigned(SECRET, signature, body, (seconds + 299) * 1_000)).toBe(true)
  // Caught, and sent again later; with a time of one's own; with another body; with another secret; with none.
  expect(isSigned(SECRET, signature, body, (seconds + 301) * 1_000)).toBe(false)
  expect(isSigned(SECRET, signature.replace(/^t=\d+/, `t=${seconds + 400}`), body)).toBe(false)
  expect(isSigned(SECRET, signature, `${body} `)).toBe(false)
  expect(isSigned('another', signature, body)).toBe(false)
  for (const none of ['', 'v1=', 't=1', `t=${seconds},v1=`, `t=${seconds},v1=00`, `t=x,${signature}`])
    expect(isSigned(SECRET, none, body), none).toBe(false)
})
