// The typed client speaks to the host as the document says.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError, MarginTradingClient } from '../../src/client/index.ts'
import { ALICE, BTC, CONFIGURATION, limitOrder, startVenue, type VenueUnderTest } from './venue.ts'

let venue: VenueUnderTest
let client: MarginTradingClient
beforeAll(async () => {
  venue = await startVenue({ ...CONFIGURATION, rateLimit: { perSecond: 100, perMinute: 100 } })
  client = new MarginTradingClient({ baseUrl: `${venue.venue.url}/`, token: ALICE.key })
})
afterAll(() => venue.venue.close())

const order = limitOrder() as Parameters<MarginTradingClient['placeOrder']>[0]
const A = ALICE.accountId

test('every operation has its method', async () => {
  const [account] = await client.accounts()
  const [market] = await client.markets(account?.accountId as string)
  expect(market?.id).toBe(BTC)
  expect((await client.riskStatus(A)).accountId).toBe(A)
  const placed = await client.placeOrder(order, { idempotencyKey: 'once' })
  expect(await client.placeOrder(order, { idempotencyKey: 'once' })).toEqual(placed)
  const edited = await client.editOrder(placed.id, { triggerPrice: '41000000000000' })
  expect(await client.activeOrders(A)).toEqual([edited])
  expect(await client.activeOrders(A, 'BTC')).toEqual([edited])
  expect((await client.cancelOrder(edited.id)).status).toBe('canceled')
  expect((await client.orderHistory(A, 'BTC', { limit: 1 })).totalCount).toBe(1)
  await client.placeOrder({ ...order, type: 'market', triggerPrice: null })
  const [position] = await client.activePositions(A, 'BTC')
  const changed = await client.changeMargin(position?.idx as string, '1000000000')
  expect(changed.eventName).toBe('addMargin')
  expect((await client.closeAll(A)).orders).toHaveLength(1)
  expect(await client.activePositions(A)).toEqual([])
  expect((await client.positionEvents(position?.idx as string)).map(({ version }) => version)).toEqual([
    3, 2, 1,
  ])
  const history = await client.positionHistory(A, 'BTC', { limit: 5, offset: 0 })
  expect(await client.portfolio(A)).toEqual(history)
})

test('sessions manage keys', async () => {
  const session = new MarginTradingClient({ baseUrl: venue.venue.url, token: ALICE.session })
  const { id, key } = await session.createApiKey({ name: 'bot' })
  const bot = new MarginTradingClient({ baseUrl: venue.venue.url, token: key })
  expect(await bot.accounts()).toHaveLength(1)
  expect((await session.refreshApiKey(id)).key).not.toBe(key)
  expect((await session.deleteApiKey(id)).id).toBe(id)
  expect((await session.apiKeys()).map((shown) => shown.id)).not.toContain(id)
})

test('a rejection is an error with its code', async () => {
  const refused = client.placeOrder({ ...order, leverage: '1' })
  await expect(refused).rejects.toBeInstanceOf(ApiError)
  await expect(refused).rejects.toMatchObject({ code: 'invalid_leverage', statusCode: 400, retryAfter: null })
  const foreign = new MarginTradingClient({
    baseUrl: 'http://proxy',
    token: 'x',
    fetch: async () => new Response('<html>', { status: 502 }),
  })
  await expect(foreign.accounts()).rejects.toMatchObject({ code: 'unexpected_answer', statusCode: 502 })
})

test('the fetch of a browser, which refuses to be a method of anything else, will do', async () => {
  const strict = async function (this: unknown, ...asked: Parameters<typeof fetch>) {
    if (this !== undefined) throw new TypeError('Illegal invocation')
    return fetch(...asked)
  }
  const browser = new MarginTradingClient({ baseUrl: venue.venue.url, token: ALICE.key, fetch: strict })
  expect(await browser.accounts()).toHaveLength(1)
})
