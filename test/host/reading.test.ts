// A venue on a disk where nothing can be written: what there is is read as before, every command is refused, nothing is
// tried behind anybody's back, and with room again it goes on.

import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { NodeDisk } from '../../src/store/lmdb/nodeDisk.ts'
import { isStream, routeTable } from './routeTable.ts'
import {
  ALICE,
  account,
  BOB,
  BTC,
  CONFIGURATION,
  GOLD,
  limitOrder,
  market,
  marketOrder,
  OPERATOR,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-reading-'))
const data = path.join(folder, 'data')
const SECRETS = { trader: ALICE.key, session: ALICE.session, operator: OPERATOR, public: null, nobody: null }
const KEYED = { 'x-idempotency-key': 'once' }

/** A commit after which Alice has her account. */
const AS_OF = 8

let ids: { orderId: string; positionId: string; keyId: string }
let madeKey: string
let placed: string
let before: Map<string, string>

/** Speak of the process. */
const OF_THE_PROCESS = new Set(['/live', '/ready', '/operator/health', '/operator/metrics'])

/** Everything there is to read, as text. */
async function everythingRead(venue: VenueUnderTest): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  for (const { method, path: route, access } of await routeTable()) {
    if (method !== 'GET' || access === undefined || access === 'nobody') continue
    if (OF_THE_PROCESS.has(route)) continue
    if (isStream(route)) continue
    const where = route
      .replace(':accountId', ALICE.accountId)
      .replace(':positionId', ids.positionId)
      .replace(':asset', 'BTC')
      .replace('why/:id', `why/${ids.positionId}`)
      .replace(/as-of$/, `as-of?seq=${AS_OF}&accountId=${ALICE.accountId}`)
      .replace(/^\/v2\/markets$/, `/v2/markets?accountId=${ALICE.accountId}`)
    const answer = await venue.get(where, { key: SECRETS[access] })
    expect(answer.status, where).toBe(200)
    pages.set(route, answer.text)
  }
  return pages
}

/** A command of every route that takes one, each good where anything can be written. */
function everyCommand(): {
  readonly route: string
  readonly send: (venue: VenueUnderTest) => Promise<{ status: number; body: unknown }>
}[] {
  const { orderId, positionId, keyId } = ids
  const own = { key: ALICE.session }
  return [
    { route: 'POST /orders', send: (v) => v.post('/orders', limitOrder()) },
    {
      route: 'PATCH /orders/:orderId',
      send: (v) => v.patch(`/orders/${orderId}`, { triggerPrice: '39000000000000' }),
    },
    { route: 'DELETE /orders/:orderId', send: (v) => v.delete(`/orders/${orderId}`) },
    {
      route: 'PATCH /positions/:positionId/margin',
      send: (v) => v.patch(`/positions/${positionId}/margin`, { marginChange: '10000000000' }),
    },
    {
      route: 'POST /positions/:accountId/close-all',
      send: (v) => v.post(`/positions/${ALICE.accountId}/close-all`, {}),
    },
    { route: 'POST /user/api-keys', send: (v) => v.post('/user/api-keys', { name: 'more' }, own) },
    {
      route: 'POST /user/api-keys/:id/refresh',
      send: (v) => v.post(`/user/api-keys/${keyId}/refresh`, undefined, own),
    },
    { route: 'DELETE /user/api-keys/:id', send: (v) => v.delete(`/user/api-keys/${keyId}`, own) },
    {
      route: 'POST /operator/commands',
      send: (v) =>
        v.post(
          '/operator/commands',
          { type: 'updatePrice', marketId: BTC, indexPrice: '51000000000000' },
          { key: OPERATOR },
        ),
    },
  ]
}

/** The files that hold what is kept. */
async function kept(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const part of ['log', 'snapshots', 'history/data.mdb', 'durable'])
    for (const name of part.includes('.') || part === 'durable' ? [''] : await readdir(path.join(data, part)))
      files.set(path.join(part, name), await readFile(path.join(data, part, name), 'latin1'))
  return files
}

const FULL = Object.assign(new Error('ENOSPC: no space left on device, mkdir'), { code: 'ENOSPC' })

async function startOnFullDisk(configuration: object = CONFIGURATION) {
  const full = vi.spyOn(NodeDisk, 'at').mockRejectedValue(FULL)
  const store = await openLmdbStore(data)
  full.mockRestore()
  const notices: string[] = []
  const venue = await startVenue(configuration, { store, onNotice: (notice) => notices.push(notice) })
  running.push(venue)
  return { venue, notices }
}

const running: VenueUnderTest[] = []
afterEach(async () => {
  for (const venue of running.splice(0)) await venue.venue.close()
})

beforeAll(async () => {
  const venue = await startVenue(CONFIGURATION, { store: await openLmdbStore(data) })
  const opened = await venue.post('/orders', marketOrder())
  await venue.post('/orders', marketOrder({ marketId: GOLD }))
  const resting = await venue.post('/orders', limitOrder(), { headers: KEYED })
  const gone = await venue.post('/orders', limitOrder())
  await venue.delete(`/orders/${gone.body.id}`)
  await venue.tick('50500000000000')
  const made = await venue.post('/user/api-keys', { name: 'bot' }, { key: ALICE.session })
  const [position] = (await venue.get(`/positions/${ALICE.accountId}/active`)).body
  expect([opened.status, resting.status, made.status]).toEqual([201, 201, 201])
  ids = { orderId: resting.body.id, positionId: position.idx ?? position.id, keyId: made.body.id }
  madeKey = made.body.key
  placed = resting.text
  before = await everythingRead(venue)
  await venue.venue.close()
})

afterAll(() => rm(folder, { recursive: true }))

test('every page is what it was, every command is refused, and nothing is written', async () => {
  const files = await kept()
  const { venue, notices } = await startOnFullDisk()
  expect(notices).toHaveLength(1)
  for (const part of ['commands are refused', data, 'make room and start again', 'ENOSPC'])
    expect(notices[0]).toContain(part)
  expect(before.size).toBeGreaterThan(12)
  expect(await everythingRead(venue)).toEqual(before)

  // A preview is sent as a body, and changes nothing.
  const taking = (await routeTable()).filter(
    ({ method, path: route, access }) =>
      method !== 'GET' && access !== 'nobody' && access !== undefined && route !== '/operator/preview',
  )
  const commands = everyCommand()
  expect(commands.map(({ route }) => route).sort()).toEqual(
    taking.map(({ method, path: route }) => `${method} ${route}`).sort(),
  )
  for (const { route, send } of commands) {
    const { status, body } = await send(venue)
    expect([route, status, body]).toEqual([
      route,
      503,
      {
        statusCode: 503,
        error: 'engine_stopped',
        message: expect.stringContaining('nothing can be written'),
      },
    ])
    expect(JSON.stringify(body), 'where the data are is nobody’s to know').not.toContain(data)
  }
  // A retry of what was placed is no command: it is told what was answered.
  const again = await venue.post('/orders', limitOrder(), { headers: KEYED })
  expect([again.status, again.text]).toEqual([201, placed])

  const health = await venue.get('/operator/health', { key: OPERATOR })
  expect(health).toMatchObject({
    status: 503,
    body: { status: 'reading', reason: venue.venue.engine.unwritable },
  })
  expect(health.body.head).toBe(health.body.durableHead)
  expect((await venue.get('/operator/metrics', { key: OPERATOR })).status).toBe(200)
  expect((await venue.get('/accounts/with-risk-status', { key: 'mtk_nobody' })).status).toBe(401)
  expect((await venue.get('/accounts/with-risk-status', { key: madeKey })).status).toBe(200)

  expect(await everythingRead(venue)).toEqual(before)
  const { engine } = venue.venue
  const past = await engine.asOf(engine.head)
  expect(past.stateHash()).toBe(engine.stateHash())
  await running.pop()?.venue.close()
  expect(await kept()).toEqual(files)
})

test('neither funding nor days nor a feed is tried, and the engine does not stop for it', async () => {
  const moving = {
    ...CONFIGURATION,
    clock: { mode: 'system' },
    feed: { kind: 'simulated', seed: 's', intervalMs: 1, step: '1000000' },
  }
  const { venue, notices } = await startOnFullDisk(moving)
  const { engine, clock } = venue.venue
  expect(engine.nextDueAt, 'much is due').toBeLessThan(clock.now())
  const { head } = engine
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([engine.head, engine.failure]).toEqual([head, null])
  expect((await venue.get(`/positions/${ALICE.accountId}/active`)).status).toBe(200)
  expect(notices).toHaveLength(1)
})

test('a configuration that differs is told and not applied; its keys count as the file has them', async () => {
  const carol = { accountId: 'a0000000-0000-4000-8000-0000000000c1', userId: BOB.userId }
  const silver = 'b0000000-0000-4000-8000-000000000003'
  const [btc, gold] = CONFIGURATION.markets
  const over = { key: BOB.key, expiresAt: '2026-01-05T00:10:00.000Z' }
  const { venue } = await startOnFullDisk({
    ...CONFIGURATION,
    markets: [{ ...btc, feeRate: '0' }, gold, market(silver, 'XAG', 'rwa')],
    users: [
      { id: ALICE.userId, sessionToken: ALICE.session, apiKeys: [{ key: 'mtk_new', expiresAt: null }] },
      { id: BOB.userId, sessionToken: BOB.session, apiKeys: [over] },
    ],
    accounts: [...CONFIGURATION.accounts, account(carol)],
  })
  const told = venue.venue.ignored.join('\n')
  for (const line of [
    `market ${BTC}: feeRate is 0.1% in the log, 0% was not applied`,
    `market ${silver}: is not in the log, and was not added`,
    `account ${carol.accountId}: is not in the log, and was not added`,
    'that has left the file differs from the log',
    'users[0].apiKeys[0]: the key in the file differs from the log',
    'users[1].apiKeys[0]: the key in the file differs from the log',
  ])
    expect(told).toContain(line)
  expect(venue.venue.ignored).toHaveLength(6)
  const accounts = async (key: string) => {
    const { status, body } = await venue.get('/accounts/with-risk-status', { key })
    return status === 200 ? body.map(({ accountId }: { accountId: string }) => accountId) : status
  }
  const [alice, bob] = [[ALICE.accountId], [BOB.accountId]]
  expect(await Promise.all([ALICE.key, 'mtk_new', BOB.key].map(accounts))).toEqual([401, alice, 401])
  expect(await Promise.all([ALICE.session, madeKey, BOB.session].map(accounts))).toEqual([alice, alice, bob])
})

test('a key that moved to another user in the file is theirs', async () => {
  const { venue } = await startOnFullDisk({
    ...CONFIGURATION,
    users: [
      { id: ALICE.userId, sessionToken: ALICE.session, apiKeys: [{ key: BOB.key, expiresAt: null }] },
      { id: BOB.userId, sessionToken: BOB.session, apiKeys: [] },
    ],
  })
  const { body } = await venue.get('/accounts/with-risk-status', { key: BOB.key })
  expect(body).toMatchObject([{ accountId: ALICE.accountId }])
})

test('the lists are built in memory where they cannot be read', async () => {
  const elsewhere = path.join(folder, 'elsewhere')
  const full = vi.spyOn(NodeDisk, 'at').mockRejectedValue(FULL)
  await rename(path.join(data, 'history'), elsewhere)
  const store = await openLmdbStore(data)
  full.mockRestore()
  const venue = await startVenue(CONFIGURATION, { store })
  running.push(venue)
  await rm(path.join(data, 'history'), { recursive: true, force: true })
  await rename(elsewhere, path.join(data, 'history'))
  const { recovery } = venue.venue.engine
  expect(recovery?.snapshotSeq).toBe(0)
  for (const { reason } of recovery?.ignored ?? [])
    expect(reason).toBe('the history lists it goes with cannot be used')
  expect(await everythingRead(venue)).toEqual(before)
})

test('an empty directory is refused in a sentence', async () => {
  const full = vi.spyOn(NodeDisk, 'at').mockRejectedValue(FULL)
  const store = await openLmdbStore(path.join(folder, 'empty'))
  full.mockRestore()
  await expect(openEngine({ store })).rejects.toThrow(
    /no log to be read, and none can be begun: .* make room/,
  )
})

test('with room again it goes on where it was', async () => {
  const venue = await startVenue(CONFIGURATION, { store: await openLmdbStore(data) })
  running.push(venue)
  expect(venue.venue.engine.unwritable).toBe(null)
  expect((await venue.get('/operator/health', { key: OPERATOR })).body).toMatchObject({
    status: 'ok',
    reason: null,
  })
  expect(await everythingRead(venue)).toEqual(before)
  for (const { route, send } of everyCommand().filter(({ route }) => !route.startsWith('DELETE /orders')))
    expect([route, (await send(venue)).status < 300]).toEqual([route, true])
})
