// The operator surface: commands, the log, health, metrics; closed to everybody else.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ALICE,
  account,
  BTC,
  CONFIGURATION,
  limitOrder,
  market,
  marketOrder,
  OPERATOR,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

let venue: VenueUnderTest
beforeAll(async () => {
  venue = await startVenue()
})
afterAll(() => venue.venue.close())

const operator = { key: OPERATOR }
const commands = (body: unknown) => venue.post('/operator/commands', body, operator)
const head = async () => (await venue.get('/operator/health', operator)).body.head

test('one command or many: one result for each, in order, each on its own', async () => {
  const single = await commands({ type: 'updatePrice', marketId: BTC, indexPrice: '50000000000000' })
  expect(single).toMatchObject({ status: 200, body: { results: [{ ok: true, seq: await head() }] } })
  const unknown = 'ffffffff-0000-4000-8000-000000000000'
  const many = await commands([
    { type: 'updatePrice', marketId: BTC, indexPrice: '50000000000001' },
    { type: 'adjustBalance', accountId: unknown, amount: '1' },
    { type: 'updatePrice', marketId: BTC.toUpperCase(), indexPrice: '50000000000000' },
  ])
  expect(many.body.results).toEqual([
    { ok: true, seq: expect.any(Number) },
    { ok: false, error: 'account_not_found', message: expect.any(String) },
    { ok: true, seq: await head() },
  ])
  expect((await commands([])).body).toEqual({ results: [] })
})

test.each<[string, unknown, string]>([
  ['an unknown type', { type: 'print' }, 'type'],
  ['a trader command', { type: 'closeAll', accountId: ALICE.accountId }, 'type'],
  ['the beginning of a log', { type: 'createEngine', seed: 'x' }, 'type'],
  ['a key command of the configuration', { type: 'withdrawApiKey', keyId: BTC }, 'type'],
  ['a hash that is none', { type: 'revokeApiKey', hash: 'f'.repeat(63) }, 'hash'],
  ['a missing field', { type: 'updatePrice', marketId: BTC }, 'indexPrice'],
  ['a stray field', { type: 'advanceTime', ms: 1, why: 'x' }, 'why'],
  ['a float', { type: 'updatePrice', marketId: BTC, indexPrice: '1.5' }, 'indexPrice'],
  ['a number for fp9', { type: 'updatePrice', marketId: BTC, indexPrice: 5 }, 'indexPrice'],
  ['an id that is none', { type: 'updatePrice', marketId: 'BTC', indexPrice: '1' }, 'marketId'],
  ['a nested stray', { type: 'configureMarket', market: { id: BTC, colour: 'red' } }, 'market.colour'],
  ['a fraction of a millisecond', { type: 'advanceTime', ms: 0.5 }, 'ms'],
  ['time going back', { type: 'advanceTime', ms: -1 }, 'ms'],
  ['an empty id', { type: 'advanceTime', ms: 0, commandId: '' }, 'commandId'],
  ['an id too long', { type: 'advanceTime', ms: 0, commandId: 'x'.repeat(256) }, 'commandId'],
  ['no object', [[]], '[0]'],
  ['text', 'updatePrice', 'body'],
])('%s is not a known command', async (_name, command, path) => {
  const before = await head()
  const { body } = await commands(command)
  expect(body).toMatchObject({ error: 'validation_failed', details: [path] })
  expect(body.message).toMatch(
    /: (is .+; expected: .+|there is no such key here, (only .+|nor any other)|is not JSON)\.$/,
  )
  expect(body.message).toContain(` ${path}: `)
  const price = { type: 'updatePrice', marketId: BTC, indexPrice: '50000000000000' }
  const mixed = await commands([price, command])
  expect(mixed).toMatchObject({ status: 400, body: { error: 'validation_failed' } })
  expect(await head()).toBe(before)
})

test('who thaws an account that is not frozen is told so, before and after', async () => {
  const thaw = { type: 'unfreezeAccount', accountId: ALICE.accountId }
  const refusal = { error: 'challenge_closed', message: 'The account is not frozen.' }
  expect((await venue.post('/operator/preview', thaw, operator)).body).toMatchObject(refusal)
  expect((await commands(thaw)).body.results).toEqual([{ ok: false, ...refusal }])
})

test('a command given again under its id has the result of the first one, and does nothing', async () => {
  const deposit = { type: 'adjustBalance', accountId: ALICE.accountId, amount: '1', commandId: 'deposit 1' }
  const withdrawal = { ...deposit, amount: '-1000000000000000000000', commandId: 'withdrawal 1' }
  const first = await commands([deposit, withdrawal])
  expect(first.body.results).toMatchObject([{ ok: true }, { ok: false, error: 'insufficient_balance' }])
  const before = await head()
  expect((await commands([deposit, withdrawal])).body).toEqual(first.body)
  expect(await head()).toBe(before)
  // Funding instants on the way are not run a second time either.
  const advance = { type: 'advanceTime', ms: 86_000_000, commandId: 'a day' }
  const [one, other] = await Promise.all([commands(advance), commands(advance)])
  expect(other.body).toEqual(one.body)
  expect(one.body.results).toEqual([{ ok: true, seq: await head() }])
  await commands({ type: 'updatePrice', marketId: BTC, indexPrice: '50000000000000' })
})

test('a thousand commands are taken, a thousand and one are not', async () => {
  const price = { type: 'updatePrice', marketId: BTC, indexPrice: '50000000000000' }
  expect((await commands(Array(1_000).fill(price))).body.results).toHaveLength(1_000)
  expect((await commands(Array(1_001).fill(price))).status).toBe(400)
})

test('markets and accounts are opened and changed', async () => {
  const id = 'c0000000-0000-4000-8000-000000000009'
  const priced = market(id, 'NEW', 'crypto', { priceAt: '2026-01-05T00:09:55.000Z' })
  await venue.operate({ type: 'configureMarket', market: priced })
  await venue.operate({ type: 'configureMarket', market: { id, feeRate: '0', maxOrderNotional: null } })
  const { body } = await venue.get(`/v2/markets?accountId=${ALICE.accountId}`)
  expect(body.at(-1)).toMatchObject({
    id,
    config: { feeRate: '0', minNotional: '10000000000' },
    state: { updatedAt: '2026-01-05T00:09:55.000Z' },
  })
  const accountId = 'c0000000-0000-4000-8000-0000000000a9'
  await venue.operate({ type: 'openAccount', account: account({ ...ALICE, accountId }, { phase: null }) })
  expect((await venue.get('/accounts/with-risk-status')).body).toHaveLength(2)
  const again = await commands({ type: 'openAccount', account: account({ ...ALICE, accountId }) })
  expect(again.body.results[0]).toMatchObject({ ok: false, error: 'validation_failed' })
})

test('the log is readable from any sequence', async () => {
  const whole = (await venue.get('/operator/commits?limit=5000', operator)).body
  expect(whole.head).toBe(await head())
  expect(whole.data).toHaveLength(whole.head)
  expect(whole.data[0]).toMatchObject({ seq: 1, at: '2026-01-05T00:10:00.000Z', command: { seed: 'test' } })
  for (const from of [0, 1])
    expect((await venue.get(`/operator/commits?from=${from}&limit=5000`, operator)).body).toEqual(whole)
  const part = (await venue.get('/operator/commits?from=3&limit=2', operator)).body
  expect(part.data).toEqual(whole.data.slice(2, 4))
  expect((await venue.get(`/operator/commits?from=${whole.head + 1}`, operator)).body.data).toEqual([])
  expect((await venue.get('/operator/commits?limit=0', operator)).status).toBe(400)
})

test('only the operator, and never as a trader', async () => {
  for (const key of [ALICE.key, ALICE.session, 'nobody', null])
    for (const path of ['/operator/health', '/operator/nowhere', '/operator'])
      expect((await venue.get(path, { key })).body.error).toBe('session_expired')
  expect((await venue.get('/accounts/with-risk-status', operator)).status).toBe(401)
})

test('without a token the surface is not there', async () => {
  const off = await startVenue({ ...CONFIGURATION, operatorToken: null })
  expect((await off.get('/operator/health')).body.error).toBe('api_key_not_allowed')
  expect((await off.get('/operator/health', { key: null })).body.error).toBe('session_expired')
  await off.venue.close()
})

test('with the system clock nobody moves the time', async () => {
  const live = await startVenue({ ...CONFIGURATION, clock: { mode: 'system' } })
  const answer = await live.post('/operator/commands', { type: 'advanceTime', ms: 1 }, operator)
  expect(answer.body.results[0]).toMatchObject({ ok: false, error: 'validation_failed' })
  const { at } = (await live.get('/operator/health', operator)).body
  expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
  await live.venue.close()
})

test('metrics count what happened', async () => {
  await venue.tick('50000000000000')
  await venue.post('/orders', marketOrder({ stopTriggerPrice: '49000000000000' }))
  await venue.post('/orders', limitOrder({ leverage: '0' }))
  await venue.tick('48000000000000')
  const { text } = await venue.get('/operator/metrics', operator)
  const value = (line: string) =>
    Number(
      text
        .split('\n')
        .find((l) => l.startsWith(line))
        ?.split(' ')
        .at(-1),
    )
  expect(value('margin_core_commands_total{type="placeOrder"}')).toBe(1)
  expect(value('margin_core_refusals_total{code="invalid_leverage"}')).toBe(1)
  expect(value('margin_core_triggers_fired_total')).toBe(1)
  expect(value('margin_core_liquidations_total')).toBe(0)
  expect(value('margin_core_open_positions')).toBe(0)
  expect(value('margin_core_ticks_total')).toBeGreaterThan(1_000)
  expect(value('margin_core_commit_seconds_count')).toBeGreaterThan(0)
  const bounds = [...text.matchAll(/^margin_core_commit_seconds_bucket\{le="([^"]+)"\}/gm)].map(
    ([, le]) => le,
  )
  expect(bounds).toEqual(['0.0001', '0.0005', '0.001', '0.005', '0.01', '0.05', '0.1', '0.5', '1', '+Inf'])
  expect(text).toContain('margin_core_nodejs_eventloop_lag_seconds')
})

describe('a stopped engine', () => {
  test('answers 503 to everybody and says so', async () => {
    const broken = await startVenue()
    broken.venue.engine.stop(new Error('disk gone'))
    expect(await broken.get('/operator/health', operator)).toMatchObject({
      status: 503,
      body: { status: 'failed' },
    })
    for (const answer of [
      await broken.post('/orders', marketOrder()),
      await broken.get('/accounts/with-risk-status'),
      await broken.post('/operator/commands', { type: 'advanceTime', ms: 1 }, operator),
    ])
      expect(answer).toMatchObject({ status: 503, body: { statusCode: 503, error: 'engine_stopped' } })
    await broken.venue.close()
  })
})

test('K10: the log says who it was: the user with their key or session, the operator, nobody', async () => {
  const own = await startVenue()
  const by = async () => {
    const { data } = (await own.get('/operator/commits?limit=9999', operator)).body
    return data.at(-1).by
  }
  expect((await own.get('/operator/commits?limit=1', operator)).body.data[0]).not.toHaveProperty('by')
  await own.post('/orders', limitOrder())
  const user = { type: 'user', userId: ALICE.userId }
  const keyId = (await own.get('/user/api-keys', { key: ALICE.session })).body[0].id
  expect(await by()).toEqual({ ...user, keyId })
  const { body: order } = await own.post('/orders', limitOrder(), { key: ALICE.session })
  expect(await by()).toEqual({ ...user, keyId: null })
  await own.delete(`/orders/${order.id}`)
  expect(await by()).toEqual({ ...user, keyId })
  await own.tick('50000000000000')
  expect(await by()).toEqual({ type: 'operator', name: 'operator' })
  await own.venue.close()
})
