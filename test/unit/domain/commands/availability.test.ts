import { describe, expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { ACCOUNT, MARKET, Venue } from '../../venue.ts'

describe('B7: a price must exist and be fresh', () => {
  test('a market that never ticked has none', () => {
    const venue = new Venue({ market: { indexPrice: null } })
    expect(venue.placeRefusal({})).toBe('market_price_unavailable')
    expect(venue.engine.read.market(MARKET)?.state).toMatchObject({ indexPrice: 0n, updatedAt: null })
  })

  test('one millisecond before its maximum age it is fresh, at it stale', () => {
    const venue = new Venue({ market: { maxPriceAgeMs: 10_000 } })
    venue.wait(9_999)
    venue.place()
    venue.wait(1)
    expect(venue.placeRefusal({})).toBe('market_price_stale')
    venue.tick('100')
    venue.place()
  })

  const stale = () => {
    const venue = new Venue({ market: { maxPriceAgeMs: 10_000 } })
    const { id } = venue.open()
    const limit = venue.place({ orderType: 'limit', triggerPrice: fp9('90') })
    venue.wait(10_000)
    return { venue, positionId: id, orderId: limit.id }
  }

  test('every placement needs it, a trailing stop too', () => {
    const { venue, positionId } = stale()
    const trailing = { orderType: 'trailing_stop', positionId, trailingStopOffset: fp9('1') } as const
    expect(venue.placeRefusal(trailing)).toBe('market_price_stale')
    expect(venue.placeRefusal({ orderType: 'take', triggerPrice: 0n, positionId })).toBe('market_price_stale')
  })

  test('an edit of the trigger price needs it, any other edit does not', () => {
    const { venue, orderId } = stale()
    expect(venue.rejection({ type: 'editOrder', orderId, triggerPrice: fp9('90') })).toBe(
      'market_price_stale',
    )
    venue.accepted({ type: 'editOrder', orderId, amount: fp9('50') })
  })

  test('a withdrawal of margin needs it, adding does not', () => {
    const { venue, positionId } = stale()
    expect(venue.rejection({ type: 'changeMargin', positionId, marginChange: -1n })).toBe(
      'market_price_stale',
    )
    venue.accepted({ type: 'changeMargin', positionId, marginChange: 1n })
    venue.accepted({ type: 'changeMargin', positionId, marginChange: 0n })
  })

  test('cancelling does not need it; close-all says so per position', () => {
    const { venue, positionId, orderId } = stale()
    venue.accepted({ type: 'cancelOrder', orderId })
    expect(venue.accepted({ type: 'closeAll', accountId: ACCOUNT }).value).toEqual({
      orders: [],
      failed: [{ positionId, error: { code: 'market_price_stale' } }],
    })
  })
})

describe('G1: a paused market', () => {
  const paused = () => {
    const venue = new Venue()
    const { id } = venue.open()
    const limit = venue.place({ orderType: 'limit', triggerPrice: fp9('95') })
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    return { venue, positionId: id, orderId: limit.id }
  }

  test('takes no order, edit or margin change', () => {
    const { venue, positionId, orderId } = paused()
    expect(venue.placeRefusal({})).toBe('market_paused')
    expect(venue.placeRefusal({ orderType: 'take', triggerPrice: 0n, positionId })).toBe('market_paused')
    expect(venue.rejection({ type: 'editOrder', orderId, amount: fp9('1') })).toBe('market_paused')
    expect(venue.rejection({ type: 'changeMargin', positionId, marginChange: 0n })).toBe('market_paused')
  })

  test('lets orders be cancelled', () => {
    const { venue, orderId } = paused()
    expect(venue.accepted({ type: 'cancelOrder', orderId }).value.status).toBe('canceled')
  })

  test('moves its price, but fires and liquidates nothing', () => {
    const { venue, positionId, orderId } = paused()
    expect(venue.tick('10')).toEqual([])
    expect(venue.engine.read.market(MARKET)?.state.indexPrice).toBe(fp9('10'))
    expect(venue.order(orderId).status).toBe('active')
    expect(venue.positionById(positionId).status).toBe('opened')
  })

  test('fires nothing on reopening, and walks the next tick from the last price before the pause', () => {
    const { venue, positionId, orderId } = paused()
    // Attached to the long from before: at 80 the stop lies behind the liquidation price seen from 100.
    venue.tick('80')
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'open' })
    expect(venue.order(orderId).status).toBe('active')
    const events = venue.tick('94')
    expect(events.map(({ type }) => type)).toEqual(['orderExecuted', 'increasePosition'])
    expect(venue.positionById(positionId).status).toBe('opened')
  })
})

describe('G2: a close-only market', () => {
  const closeOnly = () => {
    const venue = new Venue()
    const { id } = venue.open()
    venue.place({ orderType: 'limit', triggerPrice: fp9('95') })
    venue.place({ orderType: 'stop_limit', triggerPrice: fp9('105'), stopLimitPrice: fp9('101') })
    venue.place({ orderType: 'stop', triggerPrice: fp9('92'), positionId: id, amount: fp9('4') })
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'close_only' })
    return { venue, positionId: id }
  }

  test('takes a take without trigger and nothing else', () => {
    const { venue, positionId } = closeOnly()
    expect(venue.placeRefusal({})).toBe('market_close_only')
    expect(venue.placeRefusal({ orderType: 'take', triggerPrice: fp9('110'), positionId })).toBe(
      'market_close_only',
    )
    expect(venue.placeRefusal({ orderType: 'stop', triggerPrice: 0n, positionId })).toBe('market_close_only')
    const [resting] = venue.orders()
    expect(venue.rejection({ type: 'editOrder', orderId: resting?.id ?? '', amount: fp9('1') })).toBe(
      'market_close_only',
    )
    expect(venue.rejection({ type: 'changeMargin', positionId, marginChange: 0n })).toBe('market_close_only')
    expect(venue.close(fp9('1')).status).toBe('executed')
  })

  test('fails increases and stop_limits that fire, and lets closes work', () => {
    const { venue } = closeOnly()
    const { free } = venue
    const failed = venue.tick('105').find(({ type }) => type === 'orderFailed')
    expect(failed).toMatchObject({ errorCode: 'market_close_only_at_execution', released: fp9('100') })
    expect(venue.free - free).toBe(fp9('100'))
    const fired = venue.tick('92')
    expect(fired.map(({ type }) => type)).toEqual(['orderFailed', 'orderExecuted', 'closePosition'])
    expect(venue.position().size).toBe(fp9('6'))
  })

  test('liquidates as usual', () => {
    const { venue } = closeOnly()
    venue.tick('100')
    expect(venue.tick('50').map(({ type }) => type)).toContain('closePosition')
    expect(venue.engine.read.activePositions(ACCOUNT)).toEqual([])
  })
})

describe('G4: categories', () => {
  const rwa = { market: { category: 'rwa' }, account: { allowedCategories: ['crypto'] } } as const

  test('an account trades only the categories it is allowed', () => {
    expect(new Venue(rwa).placeRefusal({})).toBe('market_category_not_allowed')
    const both = new Venue({ ...rwa, account: { allowedCategories: ['crypto', 'rwa'] } })
    expect(both.place().status).toBe('executed')
  })

  test.each([
    ['paused', 'market_paused'],
    ['close_only', 'market_category_not_allowed'],
  ] as const)('paused, then category, then close-only: %s answers %s', (status, code) => {
    expect(new Venue({ ...rwa, market: { category: 'rwa', status } }).placeRefusal({})).toBe(code)
  })

  test('markets of other categories are still listed', () => {
    expect(new Venue(rwa).engine.read.markets(ACCOUNT).length).toBe(1)
  })
})
