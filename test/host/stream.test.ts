// The stream as a client meets it: what it says and when, to whom, and how it ends.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Check } from 'typebox/value'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  MarginTradingClient,
  StreamEnded,
  type StreamMessage,
  type VenueStream,
} from '../../src/host/index.ts'
import { StreamMessageResource } from '../../src/resources/stream.ts'
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

const ROOT = new URL('../../', import.meta.url)
const SECOND = { ...ALICE, accountId: 'a0000000-0000-4000-8000-0000000000a2' }
const DISPOSABLE = 'mtk_disposable'
const DEPOSIT = { type: 'adjustBalance', accountId: ALICE.accountId, amount: '1000000000' }

let venue: VenueUnderTest
beforeAll(async () => {
  const users = CONFIGURATION.users.map((user) =>
    user.id === ALICE.userId
      ? { ...user, apiKeys: [...user.apiKeys, { key: DISPOSABLE, expiresAt: null }] }
      : user,
  )
  users.push({ id: 'a0000000-0000-4000-8000-000000000003', sessionToken: 'session-of-carol', apiKeys: [] })
  const accounts = [...CONFIGURATION.accounts, account(SECOND)]
  venue = await startVenue({ ...CONFIGURATION, users, accounts })
})
afterAll(() => venue.venue.close())

const leaving: AbortController[] = []
afterEach(() => {
  for (const one of leaving.splice(0)) one.abort()
})

/** A stream that is read message by message. */
class Reading {
  readonly stream: VenueStream
  readonly #messages: AsyncIterator<StreamMessage>

  constructor(options: { token?: string; accountIds?: string[]; from?: number } = {}) {
    const { token = ALICE.key, ...rest } = options
    const controller = new AbortController()
    leaving.push(controller)
    const client = new MarginTradingClient({ baseUrl: venue.venue.url, token })
    this.stream = client.stream({ ...rest, signal: controller.signal })
    this.#messages = this.stream[Symbol.asyncIterator]()
  }

  /** The next message of one of the types. */
  async next<Type extends StreamMessage['type']>(
    ...types: Type[]
  ): Promise<Extract<StreamMessage, { type: Type }>> {
    for (;;) {
      const { value, done } = await this.#messages.next()
      if (done) throw new Error('the stream has ended')
      expect(Check(StreamMessageResource, value), JSON.stringify(value)).toBe(true)
      if (types.some((type) => type === value.type)) return value as Extract<StreamMessage, { type: Type }>
    }
  }
}

async function begun(options: ConstructorParameters<typeof Reading>[0] = {}): Promise<Reading> {
  const reading = new Reading(options)
  await reading.next('snapshot')
  return reading
}

test('it begins with a snapshot: everything as reads give it, at one commit', async () => {
  await venue.tick('50000000000000')
  const placed = await venue.post('/orders', limitOrder())
  await venue.post('/orders', marketOrder())
  const { data, seq } = await new Reading({ accountIds: [ALICE.accountId.toUpperCase()] }).next('snapshot')
  expect(seq).toBe(venue.venue.engine.head)
  const [alice] = (await venue.get('/accounts/with-risk-status')).body
  expect(data.accounts).toEqual([{ ...alice, locked: false, loaded: true }])
  expect(data.orders).toEqual([placed.body])
  expect(data.positions).toEqual((await venue.get(`/positions/${ALICE.accountId}/active`)).body)
  expect(data.markets.map(({ id }) => id)).toEqual([BTC, GOLD])
  await venue.post(`/positions/${ALICE.accountId}/close-all`)
})

test('without accounts it is about all of the caller', async () => {
  const { data } = await new Reading().next('snapshot')
  expect(data.accounts.map(({ accountId }) => accountId)).toEqual([ALICE.accountId, SECOND.accountId])
})

test('an order that fills is told as placed and as executed, with the position and the account', async () => {
  const reading = await begun()
  await venue.tick('50000000000000')
  const { body } = await venue.post('/orders', marketOrder())
  const placed = await reading.next('order')
  const executed = await reading.next('order')
  const position = await reading.next('position')
  const told = await reading.next('account')
  expect([placed.data.status, executed.data]).toEqual(['active', body])
  expect(position.data).toMatchObject({ eventName: 'increasePosition', version: 1, order: body })
  expect(told.data.riskStatus.freeBalance).not.toBe('10000000000000')
  expect(new Set([placed, executed, position, told].map(({ seq }) => seq)).size).toBe(1)
  await venue.tick('49000000000000')
  // Both come by clocks of their own, in either order.
  let [price, equity] = ['', { unrealizedPnl: '0', currentEquity: '' }]
  while (price !== '49000000000000' || equity.unrealizedPnl === '0') {
    const { type, data } = await reading.next('price', 'equity')
    if (type === 'equity') equity = data
    else if (data.marketId === BTC) price = data.indexPrice
  }
  expect(BigInt(equity.unrealizedPnl)).toBeLessThan(0n)
  expect(reading.stream.accounts.get(ALICE.accountId)?.riskStatus.currentEquity).toBe(equity.currentEquity)
  expect(reading.stream.markets.get(BTC)?.state.indexPrice).toBe('49000000000000')
  await venue.post(`/positions/${ALICE.accountId}/close-all`)
  expect((await reading.next('position')).data.status).toBe('closed')
})

test('nobody hears of another’s account; everybody hears of markets', async () => {
  const bob = await begun({ token: BOB.key })
  await venue.operate(DEPOSIT, { type: 'setMarketStatus', marketId: GOLD, status: 'paused' })
  const told = await bob.next('account', 'order', 'position', 'market')
  expect(told).toMatchObject({ type: 'market', data: { id: GOLD, settings: { isPaused: true } } })
  await venue.operate({ type: 'setMarketStatus', marketId: GOLD, status: 'open' })
  for (const [token, accountIds, code] of [
    [ALICE.key, [BOB.accountId], 'account_access_denied'],
    [ALICE.key, [BTC], 'account_not_found'],
    ['mtk_nobody', [], 'session_expired'],
  ] as const)
    await expect(new Reading({ token, accountIds: [...accountIds] }).next('snapshot')).rejects.toMatchObject({
      code,
    })
})

test('it resumes after a commit with everything since, and before the log with a snapshot', async () => {
  const { head } = venue.venue.engine
  const { body } = await venue.post('/orders', limitOrder())
  await venue.delete(`/orders/${body.id}`)
  const reading = new Reading({ from: head })
  expect((await reading.next('order', 'snapshot')).data).toEqual(body)
  expect((await reading.next('order')).data).toMatchObject({ id: body.id, status: 'canceled' })
  expect((await reading.next('account')).seq).toBe(venue.venue.engine.head)
  const ahead = new Reading({ from: head + 1_000_000 })
  expect((await ahead.next('order', 'snapshot')).type).toBe('snapshot')
  for (const from of ['x', '-1', '1.5']) {
    const headers = { 'last-event-id': from }
    for (const [path, key] of [
      ['/stream', ALICE.key],
      ['/operator/stream', OPERATOR],
    ] as const)
      expect((await venue.get(path, { headers, key })).body).toMatchObject({
        message: expect.stringContaining(
          ` Last-Event-ID: is ${JSON.stringify(from)}; expected: the sequence of a commit`,
        ),
        details: ['Last-Event-ID'],
      })
  }
})

test('it is an event stream: the id of an event is its commit', async () => {
  const text = await firstOf(`/stream?accountId=${ALICE.accountId}`, ALICE.key, 'snapshot')
  expect(text).toContain('content-type: text/event-stream; charset=utf-8')
  expect(text).toMatch(/\r\nid: \d+\ndata: \{"type":"snapshot"/)
})

/** What a plain client reads until a word has come. */
function firstOf(path: string, token: string, word: string): Promise<string> {
  const { hostname, port } = new URL(venue.venue.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (!text.includes(word)) return
      socket.destroy()
      resolve(text)
    })
    socket.write(`GET ${path} HTTP/1.1\r\nhost: venue\r\nauthorization: Bearer ${token}\r\n\r\n`)
  })
}

test('a stream ends, with its reason, when its key does', async () => {
  const reading = await begun({ token: DISPOSABLE })
  const keys = (await venue.get('/user/api-keys', { key: ALICE.session })).body
  const { id } = keys.at(-1)
  await venue.delete(`/user/api-keys/${id}`, { key: ALICE.session })
  const ended = await reading.next('order').catch((error) => error)
  expect(ended).toBeInstanceOf(StreamEnded)
  expect(ended.reason).toBe('session_expired')
})

test('a key’s stream ends when an account may no longer be used with keys; a session’s goes on', async () => {
  const byKey = await begun({ accountIds: [SECOND.accountId] })
  const bySession = await begun({ token: ALICE.session, accountIds: [SECOND.accountId] })
  await venue.operate({ type: 'setApiTrading', accountId: SECOND.accountId, enabled: false })
  await expect(byKey.next('order')).rejects.toMatchObject({ reason: 'api_trading_not_enabled' })
  expect((await bySession.next('account')).data.apiTrading).toBe(false)
  await venue.operate({ type: 'setApiTrading', accountId: SECOND.accountId, enabled: true })
})

test('an operator’s stream says why it ends', async () => {
  const own = await startVenue(CONFIGURATION)
  const { hostname, port } = new URL(own.venue.url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /operator/stream HTTP/1.1\r\nhost: venue\r\nauthorization: Bearer ${OPERATOR}\r\n\r\n`)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await expect.poll(() => text).toContain('text/event-stream')
  const ended = once(socket, 'end')
  await own.venue.close()
  await ended
  expect(text).toMatch(/data: \{"type":"end".*"reason":"closing"/)
})

test('a user has twenty streams', async () => {
  const token = 'session-of-carol'
  const readings = await Promise.all(Array.from({ length: 20 }, () => begun({ token })))
  await expect(new Reading({ token }).next('snapshot')).rejects.toMatchObject({
    reason: 'too_many_streams',
  })
  expect(readings).toHaveLength(20)
})

test('a type that nothing has is refused rather than waited for', async () => {
  const { status, body } = await venue.get('/operator/stream?type=updatePrices', { key: OPERATOR })
  expect([status, body.details]).toEqual([400, ['type']])
  expect(body.message).toContain('type: is "updatePrices"; expected: the type of a command or an event')
})

test('operators read the log as it grows, all of it or what is about something', async () => {
  const { head } = venue.venue.engine
  const all = await operatorEvents(`/operator/stream?from=${head}`)
  const some = await operatorEvents(`/operator/stream?from=${head}&type=setMarketStatus&marketId=${GOLD}`)
  await venue.operate(DEPOSIT, { type: 'setMarketStatus', marketId: BTC, status: 'open' })
  await venue.operate({ type: 'setMarketStatus', marketId: GOLD, status: 'paused' })
  const paused = venue.venue.engine.head
  const commits = (await venue.get(`/operator/commits?from=${head + 1}`, { key: OPERATOR })).body.data
  const { value: first } = await all.next()
  expect(first).toMatchObject({ type: 'commit', seq: head + 1, data: commits[0] })
  const { value: only } = await some.next()
  expect(only).toMatchObject({ seq: paused, data: { events: [{ type: 'marketStatusChanged' }] } })
  await Promise.all([all.return(undefined), some.return(undefined)])
})

async function operatorEvents(path: string) {
  const response = await fetch(venue.venue.url + path, { headers: { authorization: `Bearer ${OPERATOR}` } })
  return messagesOf(response)
}

async function* messagesOf({ body }: Response): AsyncGenerator<{ seq: number; data: unknown }, void> {
  let text = ''
  for await (const part of (body as ReadableStream).pipeThrough(new TextDecoderStream())) {
    text += part
    const events = text.split('\n\n')
    text = events.pop() as string
    for (const event of events) yield JSON.parse(event.slice(event.indexOf('data: ') + 6))
  }
}

/** Runs a program of the page until it has seen an order. */
async function ranUntilAnOrder(command: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, URL: venue.venue.url, KEY: ALICE.key }
  const child = spawn(command, args, { env, cwd: ROOT })
  let output = ''
  child.stderr.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'close')
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('snapshot')) resolve()
    })
    child.once('close', () => resolve())
  })
  await venue.post('/orders', limitOrder({ amount: '100000000000' }))
  await ended
  return output
}

test('the programs of the page run', { timeout: 30_000 }, async () => {
  const page = await readFile(new URL('docs/stream.md', ROOT), 'utf8')
  const blockOf = (language: string) => page.split(`\`\`\`${language}\n`)[1]?.split('```')[0] as string
  const typescript = blockOf('ts').replace(
    "'margin-core/client'",
    `'${new URL('src/client/index.ts', ROOT).href}'`,
  )
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'margin-core-stream-')), 'page.mts')
  await writeFile(file, typescript)
  const [byClient, plain] = await Promise.all([
    ranUntilAnOrder(process.execPath, '--import', 'tsx', file),
    ranUntilAnOrder('python3', '-c', blockOf('python')),
  ])
  expect(byClient).toMatch(/^\d+ snapshot .*\n(\d+ .*\n)*\d+ order .* active/)
  expect(plain).toMatch(/^\d+ snapshot\n(\d+ .*\n)*\d+ order\n$/)
})
