// Webhooks: whoever is told is told everything of its types, in order, signed, at least once, whatever the receiver does and
// over a restart; and nobody else waits for it.

import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test } from 'vitest'
import {
  type Cursor,
  type CursorKeeper,
  WEBHOOK_PACE,
  Webhook,
  type WebhookPace,
} from '../../src/host/webhooks/webhook.ts'
import { bodiesOf, WEBHOOK_TYPES } from '../../src/host/webhooks/webhookEvents.ts'
import { type Commit, MemoryStore } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { VERSION } from '../../src/version.ts'
import { ALICE, CONFIGURATION, marketOrder, OPERATOR, startVenue, type VenueUnderTest } from './venue.ts'

const SECRET = 'whsec-of-a-receiver'
const PACE: WebhookPace = {
  firstPause: 10,
  longestPause: 40,
  timeout: 30_000,
  patience: 60_000,
  keepEvery: 0,
}

interface Told {
  readonly id: number
  readonly part: number
  readonly events: readonly { readonly type: string; readonly data: { readonly accountId: string } }[]
}

/** A receiver that checks what it is told, and answers as it is told to. */
class Receiver {
  readonly told: Told[] = []
  /** What it answers to the next ones: a status, or null to never answer; after them 204. */
  readonly answers: (number | null)[] = []
  /** When it was asked, on a clock that only goes forward, ms. */
  readonly askedAt: number[] = []
  readonly #server: Server
  readonly #hanging: ServerResponse[] = []

  constructor() {
    this.#server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      this.askedAt.push(performance.now())
      request.on('end', () => {
        const [, seconds, mac] =
          /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['margin-core-signature'])) ?? []
        expect(mac).toBe(createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex'))
        expect(Math.abs(Number(seconds) - Date.now() / 1_000)).toBeLessThan(30)
        const told = JSON.parse(body)
        expect(request.headers['user-agent']).toBe(`margin-core/${VERSION}`)
        expect(request.headers['margin-core-id']).toBe(String(told.id))
        const answer = this.answers.length > 0 ? this.answers.shift() : 204
        if (answer == null) return void this.#hanging.push(response)
        if (answer < 300) this.told.push(told)
        response.writeHead(answer).end()
      })
    })
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook?token=hidden`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  get types(): string[] {
    return this.told.flatMap(({ events }) => events.map(({ type }) => type))
  }
}

let open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.reverse()) await one.close()
  open = []
})

async function received(): Promise<{ receiver: Receiver; url: string }> {
  const receiver = new Receiver()
  open.push(receiver)
  return { receiver, url: await receiver.listen() }
}

async function started(url: string, more: object = {}, options: object = {}): Promise<VenueUnderTest> {
  const webhooks = [
    { url, secret: SECRET, types: ['order.executed', 'position.liquidated', 'account.closed'] },
  ]
  const venue = await startVenue({ ...CONFIGURATION, webhooks, ...more }, { webhookPace: PACE, ...options })
  open.push(venue.venue)
  return venue
}

const standing = async (venue: VenueUnderTest) =>
  (await venue.get('/operator/webhooks', { key: OPERATOR })).body[0]
const caughtUp = (venue: VenueUnderTest) =>
  expect.poll(async () => (await standing(venue)).backlog, { timeout: 10_000 }).toBe(0)

test('a receiver is told what it asked for, signed, in order, with the sequence of the commit', async () => {
  const { receiver, url } = await received()
  const venue = await started(url)
  await venue.post('/orders', marketOrder({ leverage: '10000000000' }))
  await venue.tick('40000000000000')
  await venue.operate({ type: 'stopAccount', accountId: ALICE.accountId, reason: 'manual' })
  await caughtUp(venue)
  expect(receiver.types).toEqual([
    'order.executed',
    'order.executed',
    'position.liquidated',
    'account.closed',
  ])
  const ids = receiver.told.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(receiver.told[0]?.events[0]?.data.accountId).toBe(ALICE.accountId)
  expect(await standing(venue)).toMatchObject({
    url: url.split('?')[0],
    delivered: 3,
    givenUp: 0,
    attempts: 0,
    nextAttemptAt: null,
    lastError: null,
  })
})

test('one that fails, hangs and is gone is told everything again, in order, and nobody waits for it', async () => {
  const { receiver, url } = await received()
  receiver.answers.push(500, null, 302, 204, 503)
  const venue = await started(url, {}, { webhookPace: { ...PACE, timeout: 1_000 } })
  const orders = []
  const began = performance.now()
  for (let order = 0; order < 5; order++) orders.push((await venue.post('/orders', marketOrder())).body.id)
  expect(performance.now() - began).toBeLessThan(5_000)
  await expect
    .poll(async () => (await standing(venue)).lastError, { timeout: 10_000 })
    .toMatch(/500|aborted|302|503/)
  await caughtUp(venue)
  expect(
    receiver.told.flatMap(({ events }) =>
      events.map(({ data }) => (data as never as { orderId: string }).orderId),
    ),
  ).toEqual(orders)
  const { text } = await venue.get('/operator/metrics', { key: OPERATOR })
  expect(text).toContain(`margin_core_webhook_backlog{url="${url.split('?')[0]}"} 0`)
  expect(await standing(venue)).toMatchObject({ delivered: 5, attempts: 0, lastError: 'it answered 503' })
})

test('between two attempts lies a pause that grows up to the longest', async () => {
  const { receiver, url } = await received()
  receiver.answers.push(...Array(6).fill(500))
  const venue = await started(url)
  await venue.post('/orders', marketOrder())
  await caughtUp(venue)
  expect(receiver.askedAt).toHaveLength(7)
  // Timers count whole milliseconds from the turn of the loop they are set in.
  for (const [index, least] of [10, 20, 40, 40, 40, 40].entries())
    expect(receiver.askedAt[index + 1]).toBeGreaterThanOrEqual(
      (receiver.askedAt[index] as number) + least - 2,
    )
})

test('over a restart it goes on where it was; what was not taken is told then, and what happened while it was left out', async () => {
  const { receiver, url } = await received()
  const directory = await mkdtemp(join(tmpdir(), 'margin-core-webhooks-'))
  open.unshift({ close: () => rm(directory, { recursive: true }) })
  const first = await started(url, {}, { store: await openLmdbStore(directory) })
  await first.post('/orders', marketOrder())
  await caughtUp(first)
  receiver.answers.push(...Array(1_000).fill(500))
  await first.post('/orders', marketOrder())
  await first.post('/orders', marketOrder())
  await expect.poll(async () => (await standing(first)).attempts, { timeout: 10_000 }).toBeGreaterThan(0)
  expect((await standing(first)).firstFailedAt).toMatch(/Z$/)
  await open.pop()?.close()
  receiver.answers.length = 0
  const without = await started(url, { webhooks: [] }, { store: await openLmdbStore(directory) })
  await without.post('/orders', marketOrder())
  await open.pop()?.close()
  const second = await started(url, {}, { store: await openLmdbStore(directory) })
  await caughtUp(second)
  expect(receiver.types).toEqual(Array(4).fill('order.executed'))
  expect(new Set(receiver.told.map(({ id }) => id)).size).toBe(4)
})

test('one that was not there is told what happens from then on', async () => {
  const { receiver, url } = await received()
  const store = new MemoryStore()
  const first = await startVenue(CONFIGURATION, { store })
  await first.post('/orders', marketOrder())
  await first.venue.close()
  const venue = await started(url, {}, { store })
  await caughtUp(venue)
  expect(receiver.told).toEqual([])
  await venue.post('/orders', marketOrder())
  await caughtUp(venue)
  expect(receiver.types).toEqual(['order.executed'])
})

/** Keeps cursors slowly, and notes what was asked of it while it did. */
class SlowKeeper implements CursorKeeper {
  readonly kept: Cursor[] = []
  overlaps = 0
  #isWriting = false

  async read(): Promise<Cursor | null> {
    return null
  }

  async write(cursor: Cursor): Promise<void> {
    if (this.#isWriting) this.overlaps += 1
    this.#isWriting = true
    await setTimeout(20)
    this.#isWriting = false
    this.kept.push(cursor)
  }
}

test('its cursor is kept once after the other, the last one before it has stopped, with when a delivery first failed', async () => {
  const { receiver, url } = await received()
  receiver.answers.push(204, 500, ...Array(1_000).fill(500))
  const venue = await startVenue()
  open.push(venue.venue)
  const { engine } = venue.venue
  const keeper = new SlowKeeper()
  const configuration = { url, secret: SECRET, types: ['order.executed'] as const }
  const before = Date.now()
  const webhook = await Webhook.begin(engine, configuration, keeper, {
    pace: { ...PACE, firstPause: 60_000 },
  })
  expect(keeper.kept).toEqual([{ seq: engine.durableHead, firstFailedAt: null }])
  await venue.post('/orders', marketOrder())
  for (let tick = 0; tick < 20; tick++) await venue.tick(`${50_000 + tick}000000000`)
  await expect.poll(() => webhook.standing.backlog, { timeout: 10_000 }).toBe(0)
  await venue.post('/orders', marketOrder())
  await expect.poll(() => webhook.standing.attempts, { timeout: 10_000 }).toBe(1)
  const { seq, firstFailedAt, nextAttemptAt, lastError, lastErrorAt, backlog } = webhook.standing
  expect({ seq, lastError, backlog }).toEqual({
    ...{ seq: engine.durableHead - 1, backlog: 1 },
    lastError: 'it answered 500',
  })
  expect(firstFailedAt).toBeGreaterThanOrEqual(before)
  expect(nextAttemptAt).toBeGreaterThanOrEqual((firstFailedAt as number) + 60_000)
  expect(lastErrorAt).toBeGreaterThanOrEqual(firstFailedAt as number)
  await webhook.stop()
  expect(keeper.kept.at(-1)).toEqual({ seq, firstFailedAt })
  expect(keeper.overlaps).toBe(0)
  expect(keeper.kept.map(({ seq: at }) => at)).toEqual(
    keeper.kept.map(({ seq: at }) => at).toSorted((a, b) => a - b),
  )
})

test('whoever stops it waits for no receiver that does not answer, and nothing counts as failed', async () => {
  const { receiver, url } = await received()
  receiver.answers.push(null)
  const { venue, post } = await startVenue()
  open.push(venue)
  const configuration = { url, secret: SECRET, types: ['order.executed'] as const }
  const forEver = { ...PACE, timeout: 2 ** 31 - 1 }
  const webhook = await Webhook.begin(venue.engine, configuration, new SlowKeeper(), { pace: forEver })
  await post('/orders', marketOrder())
  await expect.poll(() => receiver.askedAt.length, { timeout: 10_000 }).toBe(1)
  await webhook.stop()
  expect(webhook.standing).toMatchObject({ backlog: 1, attempts: 0, firstFailedAt: null })
})

test('why a delivery failed is said in words, also where nobody answers and garbage is collected meanwhile', async () => {
  const { receiver, url } = await received()
  receiver.answers.push(...Array(1_000).fill(null))
  const venue = await started(url, {}, { webhookPace: { ...PACE, timeout: 500 } })
  await venue.post('/orders', marketOrder())
  await expect.poll(() => receiver.askedAt.length, { timeout: 10_000 }).toBe(1)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  await expect.poll(async () => (await standing(venue)).lastError, { timeout: 10_000 }).toMatch(/abort|time/i)
})

test('one that answers without end, breaks off, redirects or is none is judged by its status alone, and read no further', async () => {
  const inside = await received()
  const piece = Buffer.alloc(65_536, 'x')
  let sent = 0
  const endless = (response: ServerResponse) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
    }
    more()
  }
  const taken = `HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nthe first of it`
  const hostile: ((response: ServerResponse) => unknown)[] = [
    (response) => response.writeHead(302, { location: inside.url }).end(),
    (response) => response.writeHead(307, { location: inside.url }).end(),
    (response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end(),
    (response) => response.socket?.end('no answer at all\r\n\r\n'),
    (response) => response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(1_000_000)}\r\n\r\n`),
    (response) => response.socket?.resetAndDestroy(),
    // From here on each has answered 200.
    (response) => response.socket?.write(taken, () => response.socket?.resetAndDestroy()),
    endless,
  ]
  let asked = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => (hostile[asked++] ?? (() => response.writeHead(204).end()))(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => server.closeAllConnections() }, { close: () => server.close() })
  const venue = await started(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?token=hidden`)
  for (let order = 0; order < 3; order++) await venue.post('/orders', marketOrder())
  await caughtUp(venue)
  const { delivered, givenUp, lastError } = await standing(venue)
  expect([delivered, givenUp]).toEqual([3, 0])
  expect(lastError).not.toContain('hidden')
  // Six failed, and after the last of them the first was taken by who broke off.
  expect(asked).toBe(9)
  expect(sent).toBeLessThan(32 * 1_048_576)
  expect(inside.receiver.askedAt).toEqual([])
})

test('a cursor that is not kept yet is kept when it stops', async () => {
  const { url } = await received()
  const venue = await startVenue()
  open.push(venue.venue)
  const keeper = new SlowKeeper()
  const configuration = { url, secret: SECRET, types: ['order.executed'] as const }
  const pace = { ...PACE, keepEvery: 60_000 }
  const webhook = await Webhook.begin(venue.venue.engine, configuration, keeper, { pace })
  await venue.post('/orders', marketOrder())
  await expect.poll(() => webhook.standing.backlog, { timeout: 10_000 }).toBe(0)
  expect(keeper.kept).toHaveLength(1)
  await webhook.stop()
  expect(keeper.kept.slice(1)).toEqual([{ seq: webhook.standing.seq, firstFailedAt: null }])
})

test('it keeps to the pace that operators are told', async () => {
  const page = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  const { firstPause, longestPause, patience, timeout, keepEvery } = WEBHOOK_PACE
  const hour = 3_600_000
  expect([firstPause, longestPause, patience, timeout, keepEvery]).toEqual([
    1_000,
    hour,
    72 * hour,
    10_000,
    1_000,
  ])
  expect(page).toContain('after 1 s, 2 s, 4 s and so on up to an hour, for three days from the first attempt')
  expect(page).toContain('kept beside the log about once a second')
})

test('what is not taken for as long as there is patience is given up, and what follows is told', async () => {
  const { receiver, url } = await received()
  receiver.answers.push(...Array(40).fill(400))
  const venue = await started(url, {}, { webhookPace: { ...PACE, patience: 100 } })
  await venue.post('/orders', marketOrder())
  await expect.poll(async () => (await standing(venue)).givenUp, { timeout: 10_000 }).toBe(1)
  receiver.answers.length = 0
  await venue.post('/orders', marketOrder())
  await caughtUp(venue)
  expect(receiver.types).toEqual(['order.executed'])
})

test('that it takes nothing, and takes again, is told once of six failures in a row and more, and not of five', async () => {
  const { receiver, url } = await received()
  const { venue, post } = await startVenue()
  open.push(venue)
  const notices: string[] = []
  const configuration = { url, secret: SECRET, types: ['order.executed'] as const }
  const webhook = await Webhook.begin(venue.engine, configuration, new SlowKeeper(), {
    pace: PACE,
    onNotice: (notice) => notices.push(notice),
  })
  open.push({ close: () => webhook.stop() })
  const takenAfter = async (failures: number) => {
    receiver.answers.push(...Array(failures).fill(500))
    await post('/orders', marketOrder())
    await expect.poll(() => webhook.standing.backlog, { timeout: 10_000 }).toBe(0)
  }
  await takenAfter(5)
  expect(notices).toEqual([])
  const told = [
    expect.stringContaining('is not taken, and is tried again: it answered 500'),
    expect.stringContaining('takes what it is told again'),
  ]
  await takenAfter(6)
  expect(notices).toEqual(told)
  await takenAfter(8)
  expect(notices).toEqual([...told, ...told])
})

test('a commit with many events is told in parts, and every type is one of some event', () => {
  const event = { type: 'orderExecuted', orderId: 'x' } as never
  const commit = {
    seq: 7,
    at: 0,
    command: { type: 'closeAll' },
    events: Array(1_201).fill(event),
  } as never as Commit
  const bodies = bodiesOf(commit, ['order.executed', 'order.failed']).map((body) => JSON.parse(body))
  expect(bodies.map(({ id, part, events }) => [id, part, events.length])).toEqual([
    [7, 1, 500],
    [7, 2, 500],
    [7, 3, 201],
  ])
  expect(bodiesOf(commit, ['order.failed'])).toEqual([])
  expect(bodies.every((body) => !('shard' in body))).toBe(true)
  const ofShard = bodiesOf(commit, ['order.executed', 'order.failed'], 0).map((body) => JSON.parse(body))
  expect(ofShard).toEqual(bodies.map((body) => ({ shard: 0, ...body })))
  expect(WEBHOOK_TYPES).toContain('account.passed')
})

test('a receiver needs an address, a secret of its own and a type', async () => {
  const hook = { url: 'https://example.com', secret: SECRET, types: ['order.executed'] }
  for (const [wrong, path] of [
    [{ ...hook, url: 'ftp://example.com' }, 'webhooks[0].url'],
    [{ ...hook, url: 'https://user:hush@example.com/' }, 'webhooks[0].url: has a user or a password'],
    [{ ...hook, url: 'https://user@example.com/' }, 'webhooks[0].url: has a user or a password'],
    [{ ...hook, types: [] }, 'webhooks[0].types'],
    [{ ...hook, types: ['order.lost'] }, 'webhooks[0].types'],
    [{ ...hook, secret: OPERATOR }, 'webhooks[0].secret'],
  ] as const)
    await expect(startVenue({ ...CONFIGURATION, webhooks: [wrong] })).rejects.toThrow(path)
})
