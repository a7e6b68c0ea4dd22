// I1: of two things wrong with a request, the one checked first is answered. Every two neighbouring stages, and more.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

const UNKNOWN = 'ffffffff-0000-4000-8000-000000000000'
const UNPRICED = 'b0000000-0000-4000-8000-000000000003'
const accountNumber = (n: number) => ({
  userId: ALICE.userId,
  accountId: `a0000000-0000-4000-8000-00000000010${n}`,
})
const [SWITCHED_OFF, UNLOADED, FROZEN, NO_PHASE, LOCKED, POOR, CRYPTO] = [1, 2, 3, 4, 5, 6, 7].map(
  accountNumber,
) as [Named, Named, Named, Named, Named, Named, Named]
type Named = ReturnType<typeof accountNumber>

const configuration = {
  ...CONFIGURATION,
  rateLimit: { perSecond: 1_000, perMinute: 1 },
  users: [
    ...CONFIGURATION.users,
    ...[1, 2, 3].map((n) => ({
      id: `a0000000-0000-4000-8000-00000000000${2 + n}`,
      apiKeys: [{ key: `mtk_${n}` }],
    })),
  ],
  markets: [...CONFIGURATION.markets, market(UNPRICED, 'NEW', 'crypto', { indexPrice: null })],
  accounts: [
    ...CONFIGURATION.accounts,
    account(SWITCHED_OFF, { apiTrading: false, loaded: false }),
    account(UNLOADED, { loaded: false }),
    account(FROZEN, { status: 'frozen', phase: null }),
    account(NO_PHASE, { phase: null, locked: true }),
    account(LOCKED, { locked: true }),
    account(POOR, { balance: '1' }),
    account(CRYPTO, { allowedCategories: ['crypto'] }),
  ],
}

describe('admission: 401, 429, 403, idempotency, schema', () => {
  let venue: VenueUnderTest
  beforeEach(async () => {
    venue = await startVenue(configuration)
    return () => venue.venue.close()
  })

  test('401 before 429: a bad key is not told of limits', async () => {
    for (const _ of [1, 2, 3])
      expect((await venue.get('/accounts/with-risk-status', { key: 'mtk_no' })).status).toBe(401)
  })

  test('429 before 403 of an unlisted path and of a session route', async () => {
    await venue.get('/accounts/with-risk-status')
    expect((await venue.get('/nowhere')).status).toBe(429)
    expect((await venue.get('/user/api-keys')).status).toBe(429)
  })

  test('I7: 403 of an unlisted path before idempotency and schema', async () => {
    const refused = await venue.post('/order', '{{{', { headers: { 'x-idempotency-key': 'k' } })
    expect(refused.body).toMatchObject({ statusCode: 403, error: 'api_key_not_allowed' })
  })

  test('429 before a replay; a replay before the schema', async () => {
    const headers = { 'x-idempotency-key': 'k' }
    const first = await venue.post('/orders', marketOrder(), { headers })
    expect((await venue.post('/orders', marketOrder(), { headers })).status).toBe(429)
    await venue.advance(60_000)
    const replayed = await venue.post('/orders', '{"not": "an order"', { headers })
    expect(replayed).toMatchObject({ status: 201, text: first.text })
  })

  test('the schema before the shape, the shape before the account', async () => {
    const malformed = await venue.post('/orders', { ...marketOrder({ amount: '0' }), stray: 1 })
    expect(malformed.body).toMatchObject({ error: 'validation_failed', details: ['stray'] })
    await venue.advance(60_000)
    const misshapen = await venue.post('/orders', marketOrder({ amount: '0', accountId: UNKNOWN }))
    expect(misshapen.body.error).toBe('amount_not_positive')
  })
})

describe('the rules behind admission', () => {
  let venue: VenueUnderTest
  beforeAll(async () => {
    venue = await startVenue({ ...configuration, rateLimit: null })
  })
  afterAll(() => venue.venue.close())

  /** Each case fails two neighbouring stages at once. */
  test.each<[string, object, string]>([
    ['account 404 before the market', { accountId: UNKNOWN, marketId: UNKNOWN }, 'account_not_found'],
    ['owned before apiTrading', { accountId: BOB.accountId, marketId: UNKNOWN }, 'account_access_denied'],
    ['apiTrading before loaded', { accountId: SWITCHED_OFF.accountId }, 'api_trading_not_enabled'],
    ['loaded before the market', { accountId: UNLOADED.accountId, marketId: UNKNOWN }, 'account_not_loaded'],
    ['market before leverage', { marketId: UNKNOWN, leverage: '0' }, 'market_not_found'],
    ['leverage before the status', { accountId: FROZEN.accountId, leverage: '0' }, 'invalid_leverage'],
    ['status before the phase', { accountId: FROZEN.accountId }, 'challenge_closed'],
    ['phase before the lock', { accountId: NO_PHASE.accountId }, 'account_phase_not_allowed'],
    [
      'lock before the balance',
      { accountId: LOCKED.accountId, amount: '99999999999999999' },
      'funded_limit_trading_locked',
    ],
    [
      'balance before the market state',
      { accountId: POOR.accountId, marketId: GOLD },
      'insufficient_balance',
    ],
    [
      'category before the price',
      { accountId: CRYPTO.accountId, marketId: GOLD },
      'market_category_not_allowed',
    ],
    ['price before the trigger', { ...limitOrder(), marketId: UNPRICED }, 'market_price_unavailable'],
  ])('%s', async (_name, more, error) => {
    expect((await venue.post('/orders', marketOrder(more))).body.error).toBe(error)
  })

  test('paused before category, close-only after it', async () => {
    const order = marketOrder({ accountId: CRYPTO.accountId, marketId: GOLD })
    await venue.operate({ type: 'setMarketStatus', marketId: GOLD, status: 'paused' })
    expect((await venue.post('/orders', order)).body.error).toBe('market_paused')
    await venue.operate({ type: 'setMarketStatus', marketId: GOLD, status: 'close_only' })
    expect((await venue.post('/orders', order)).body.error).toBe('market_category_not_allowed')
    await venue.operate({ type: 'setMarketStatus', marketId: GOLD, status: 'open' })
  })

  test('position before a stale price, a stale price before the trigger, the trigger before the notional', async () => {
    await venue.operate({
      type: 'configureMarket',
      market: { id: BTC, maxOpenNotionalLong: '1000000000', maxPriceAgeMs: 10_000 },
    })
    await venue.advance(10_000)
    const stop = { ...marketOrder({ type: 'stop', triggerPrice: '60000000000000', positionId: UNKNOWN }) }
    expect((await venue.post('/orders', stop)).body.error).toBe('position_not_found')
    const above = limitOrder({ triggerPrice: '60000000000000' })
    expect((await venue.post('/orders', above)).body.error).toBe('market_price_stale')
    await venue.tick('50000000000000')
    expect((await venue.post('/orders', above)).body.error).toBe('trigger_price_gt_current')
    expect((await venue.post('/orders', limitOrder())).body.error).toBe('order_exceeds_max_open_notional')
  })

  test('nothing of all that left a trace', async () => {
    const { body } = await venue.get('/operator/commits?limit=1000', { key: OPERATOR })
    const types = new Set(body.data.map((commit: { command: { type: string } }) => commit.command.type))
    expect([...types].filter((type) => String(type).startsWith('place'))).toEqual([])
  })
})
