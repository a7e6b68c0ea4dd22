// Every endpoint answers with exactly its resource: the fields and no others, ISO dates, fp9 strings, newest first.

import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AccountResource, MarketResource, RiskStatusResource } from '../../src/resources/account.ts'
import { pageOf } from '../../src/resources/fields.ts'
import { OrderResource } from '../../src/resources/order.ts'
import { CloseAllResource, PositionEventResource, PositionResource } from '../../src/resources/position.ts'
import {
  ALICE,
  BOB,
  BTC,
  CONFIGURATION,
  GOLD,
  limitOrder,
  marketOrder,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

const A = ALICE.accountId
let venue: VenueUnderTest
beforeAll(async () => {
  venue = await startVenue({
    ...CONFIGURATION,
    markets: CONFIGURATION.markets.map((market) => ({ ...market, fundingRate: '100000' })),
  })
})
afterAll(() => venue.venue.close())

function conforms(schema: TSchema, value: unknown): void {
  expect([...Compile(schema).Errors(value)]).toEqual([])
}

const close = (position: { idx: string; size: string }, amount = position.size) => ({
  accountId: A,
  marketId: BTC,
  type: 'take',
  direction: 'long',
  amount,
  positionId: position.idx,
  triggerPrice: '0',
})

test('the schemas have the documented number of fields', () => {
  const count = (schema: { properties: object }) => Object.keys(schema.properties).length
  expect([OrderResource, PositionResource, PositionEventResource].map(count)).toEqual([29, 28, 29])
})

test('a life of a position, through every list', async () => {
  const order = await venue.post(
    '/orders',
    marketOrder({ stopTriggerPrice: '45000000000000', takeTriggerPrice: '60000000000000' }),
  )
  expect(order.status).toBe(201)
  conforms(OrderResource, order.body)

  const [position] = (await venue.get(`/positions/${A}/active`)).body
  conforms(PositionResource, position)
  expect(position).toMatchObject({ version: 1, eventName: 'increasePosition', holdingTimeMs: null })

  const attached = (await venue.get(`/orders/${A}/active`)).body
  conforms(Type.Array(OrderResource), attached)
  expect(attached.map((o: { type: string }) => o.type)).toEqual(['take', 'stop'])
  expect((await venue.get(`/orders/${A}/BTC/active`)).body).toEqual(attached)
  expect((await venue.get(`/orders/${A}/XAU/active`)).body).toEqual([])

  await venue.advance(61_000)
  await venue.tick('51000000000000')
  const margin = await venue.patch(`/positions/${position.idx}/margin`, { marginChange: '5000000000' })
  conforms(PositionResource, margin.body)
  expect(margin.body).toMatchObject({ version: 2, eventName: 'addMargin', exchangedQuote: '0' })
  const same = await venue.patch(`/positions/${position.idx}/margin`, { marginChange: '0' })
  expect(same.body).toEqual(margin.body)

  await venue.post('/orders', close(position, '1000000'))
  await venue.advance(8 * 3_600_000)
  await venue.tick('51000000000000')
  const [funded] = (await venue.get(`/positions/${A}/BTC/active`)).body
  expect(funded).toMatchObject({ version: 4, eventName: 'payFunding', scalpingCoefficient: '1000000000' })

  const closed = await venue.post('/orders', close(position))
  expect(closed.body).toMatchObject({ status: 'executed', leverage: null, triggerPrice: '0' })
  expect(BigInt(closed.body.realizedPnl)).toBeGreaterThan(0n)
  expect((await venue.get(`/orders/${A}/active`)).body).toEqual([])

  const history = (await venue.get(`/positions/${A}/BTC/history`)).body
  conforms(pageOf(PositionResource, 'Page'), history)
  expect(history).toMatchObject({ totalCount: 1, data: [{ status: 'closed', size: '0', closeReason: null }] })
  expect((await venue.get(`/positions/${A}/portfolio/history`)).body).toEqual(history)

  const events = (await venue.get(`/positions/${position.idx.toUpperCase()}/history`)).body
  conforms(Type.Array(PositionEventResource), events)
  const told = events.map((e: { version: number; eventName: string; order: object | null }) => [
    e.version,
    e.eventName,
    e.order !== null,
  ])
  expect(told).toEqual([
    [5, 'closePosition', true],
    [3, 'closePosition', true],
    [2, 'addMargin', false],
    [1, 'increasePosition', true],
  ])

  const orders = (await venue.get(`/orders/${A}/BTC/history`)).body
  conforms(pageOf(OrderResource, 'Page'), orders)
  expect(orders.data.map((o: { status: string }) => o.status)).toEqual([
    'executed',
    'executed',
    'canceled_by_position',
    'canceled_by_position',
    'executed',
  ])
})

test('edits replace, cancels end, and replaced orders are in no list', async () => {
  const placed = (await venue.post('/orders', limitOrder())).body
  const untouched = await venue.patch(`/orders/${placed.id}`, {})
  expect(untouched).toMatchObject({ status: 200, body: placed })
  expect((await venue.patch(`/orders/${placed.id}`)).body).toEqual(placed)
  expect((await venue.patch(`/orders/${placed.id}`, { amount: null })).body).toEqual(placed)
  const edited = await venue.patch(`/orders/${placed.id}`, { triggerPrice: '41000000000000' })
  conforms(OrderResource, edited.body)
  expect(edited.body.id).not.toBe(placed.id)
  expect((await venue.patch(`/orders/${placed.id}`, {})).body.error).toBe('order_not_active')
  const canceled = await venue.delete(`/orders/${edited.body.id}`)
  expect(canceled).toMatchObject({ status: 200, body: { status: 'canceled', reason: null } })
  expect((await venue.delete(`/orders/${edited.body.id}`)).body.error).toBe('order_not_active')
  const { data } = (await venue.get(`/orders/${A}/BTC/history`)).body
  expect(data[0].id).toBe(edited.body.id)
  expect(data.map((order: { id: string }) => order.id)).not.toContain(placed.id)
})

test('close-all cancels entries and closes what it can', async () => {
  await venue.tick('50000000000000', GOLD)
  await venue.tick('50000000000000')
  await venue.post('/orders', marketOrder())
  await venue.post('/orders', marketOrder({ marketId: GOLD, direction: 'short' }))
  await venue.post('/orders', limitOrder())
  await venue.operate({ type: 'setMarketStatus', marketId: GOLD, status: 'paused' })
  const first = await venue.call('POST', `/positions/${A}/close-all`, { body: 'not even JSON' })
  conforms(CloseAllResource, first.body)
  expect(first.status).toBe(200)
  expect(first.body.orders).toHaveLength(1)
  expect(first.body.failed).toEqual([{ positionId: expect.any(String), error: 'market_paused' }])
  expect((await venue.get(`/orders/${A}/active`)).body).toEqual([])
  await venue.operate({ type: 'setMarketStatus', marketId: GOLD, status: 'open' })
  expect((await venue.call('POST', `/positions/${A}/close-all`)).body.orders).toHaveLength(1)
  expect((await venue.call('POST', `/positions/${A}/close-all`)).body).toEqual({ orders: [], failed: [] })
})

test('H8: accounts, markets and risk status', async () => {
  const accounts = (await venue.get('/accounts/with-risk-status')).body
  conforms(Type.Array(AccountResource), accounts)
  const risk = (await venue.get(`/accounts/${A}/risk-status`)).body
  conforms(RiskStatusResource, risk)
  expect({ accountId: A, ...accounts[0].riskStatus }).toEqual(risk)
  const markets = (await venue.get(`/v2/markets?accountId=${A}`)).body
  conforms(Type.Array(MarketResource), markets)
  // The phase maximum is the bound that applies, not the market's own (I1).
  expect(markets[0].config.maxLeverage).toBe('10000000000')
  const refused = await venue.post('/orders', marketOrder({ leverage: '10000000001' }))
  expect(refused.body).toMatchObject({
    error: 'invalid_leverage',
    leverage: '10000000001',
    maxLeverage: '10000000000',
  })
})

test('pages: newest first, true total, nothing beyond the end', async () => {
  const ids: string[] = []
  for (const _ of Array(5)) {
    const { body } = await venue.post('/orders', limitOrder())
    ids.unshift(body.id)
    await venue.delete(`/orders/${body.id}`)
  }
  const page = async (query: string) => (await venue.get(`/orders/${A}/BTC/history?${query}`)).body
  const whole = await page('limit=100')
  expect(whole.data.slice(0, 5).map((order: { id: string }) => order.id)).toEqual(ids)
  const total = whole.totalCount
  expect((await page('limit=2&offset=1')).data).toEqual(whole.data.slice(1, 3))
  expect(await page(`offset=${total}`)).toEqual({ data: [], totalCount: total })
  expect(await page('offset=9007199254740991')).toEqual({ data: [], totalCount: total })
})

describe('access', () => {
  test("another user's account and objects are denied, unknown ones are not found", async () => {
    const order = (await venue.post('/orders', limitOrder({ accountId: BOB.accountId }), { key: BOB.key }))
      .body
    await venue.post('/orders', marketOrder({ accountId: BOB.accountId }), { key: BOB.key })
    const [theirs] = (await venue.get(`/positions/${BOB.accountId}/active`, { key: BOB.key })).body
    const unknown = 'ffffffff-0000-4000-8000-000000000000'
    const routes = (account: string, object: { order: string; position: string }) => [
      venue.get(`/v2/markets?accountId=${account}`),
      venue.get(`/accounts/${account}/risk-status`),
      venue.get(`/orders/${account}/active`),
      venue.get(`/orders/${account}/NOPE/active`),
      venue.get(`/orders/${account}/NOPE/history`),
      venue.get(`/positions/${account}/active`),
      venue.get(`/positions/${account}/NOPE/active`),
      venue.get(`/positions/${account}/NOPE/history`),
      venue.get(`/positions/${account}/portfolio/history`),
      venue.post(`/positions/${account}/close-all`),
      venue.get(`/positions/${object.position}/history`),
      venue.patch(`/positions/${object.position}/margin`, { marginChange: '1' }),
      venue.patch(`/orders/${object.order}`, {}),
      venue.delete(`/orders/${object.order}`),
    ]
    const codes = async (calls: ReturnType<typeof routes>) => {
      const answers = await Promise.all(calls)
      return [...new Set(answers.map(({ body }) => body.error))]
    }
    expect(await codes(routes(BOB.accountId, { order: order.id, position: theirs.idx }))).toEqual([
      'account_access_denied',
    ])
    expect(await codes(routes(unknown, { order: unknown, position: unknown }))).toEqual([
      'account_not_found',
      'position_not_found',
      'order_not_found',
    ])
    // On POST another account's position is not available, rather than denied (I14).
    const close = { ...limitOrder({ type: 'take', positionId: theirs.idx, triggerPrice: '0' }) }
    expect((await venue.post('/orders', close)).body.error).toBe('position_not_available')
  })

  test('with apiTrading off a key gets 403 and no listing, a session still gets both', async () => {
    await venue.operate({ type: 'setApiTrading', accountId: A, enabled: false })
    expect((await venue.get(`/positions/${A}/active`)).body.error).toBe('api_trading_not_enabled')
    expect((await venue.get('/accounts/with-risk-status')).body).toEqual([])
    expect((await venue.get('/accounts/with-risk-status', { key: ALICE.session })).body).toHaveLength(1)
    expect((await venue.get(`/positions/${A}/active`, { key: ALICE.session })).status).toBe(200)
    await venue.operate({ type: 'setApiTrading', accountId: A, enabled: true })
  })

  test('H9: an unloaded account is listed with its equity; what needs the engine is 409', async () => {
    await venue.operate({ type: 'setAccountLoaded', accountId: A, loaded: false })
    expect((await venue.get('/accounts/with-risk-status')).body[0].riskStatus.currentEquity).toMatch(/^\d+$/)
    expect((await venue.get(`/orders/${A}/BTC/history`)).status).toBe(200)
    expect((await venue.get(`/accounts/${A}/risk-status`)).body.error).toBe('account_not_loaded')
    expect((await venue.get(`/v2/markets?accountId=${A}`)).body.error).toBe('account_not_loaded')
    await venue.operate({ type: 'setAccountLoaded', accountId: A, loaded: true })
  })

  test('after a promotion the finished phase is gone (H3)', async () => {
    await venue.tick('50000000000000')
    const resting = (await venue.post('/orders', limitOrder())).body
    await venue.post('/orders', marketOrder())
    const [position] = (await venue.get(`/positions/${A}/active`)).body
    await venue.operate({ type: 'stopAccount', accountId: A, reason: 'promote' })
    expect((await venue.patch(`/orders/${resting.id}`, {})).body.error).toBe('order_not_found')
    expect((await venue.get(`/positions/${position.idx}/history`)).body.error).toBe('position_not_found')
    for (const list of [`/orders/${A}/BTC/history`, `/positions/${A}/portfolio/history`])
      expect((await venue.get(list)).body).toEqual({ data: [], totalCount: 0 })
    expect((await venue.get('/accounts/with-risk-status')).body[0].currentPhase).toBe('active_verification')
  })
})
