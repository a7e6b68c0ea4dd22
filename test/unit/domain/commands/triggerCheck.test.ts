import { describe, expect, test } from 'vitest'
import { type Direction, fp9, type PlaceOrder } from '../../../../src/index.ts'
import { Venue } from '../../venue.ts'

const P = fp9
type Terms = Partial<Omit<PlaceOrder, 'type'>>

/** A venue at 100 with a long and a short of 10, liquidated at 90.452261307 and 109.452736318. */
function withPositions() {
  const venue = new Venue()
  return { venue, ids: { long: venue.open().id, short: venue.open({ direction: 'short' }).id } }
}

const LONG_LIQUIDATION = 90_452_261_307n
const SHORT_LIQUIDATION = 109_452_736_318n

describe('B3, F1, F2: where a trigger price is accepted; equality always is', () => {
  test('the liquidation prices the table below uses', () => {
    const { venue } = withPositions()
    expect([venue.liquidationPrice('long'), venue.liquidationPrice('short')]).toEqual([
      LONG_LIQUIDATION,
      SHORT_LIQUIDATION,
    ])
  })

  const rows: [PlaceOrder['orderType'], Direction, bigint, bigint, string][] = [
    // type, direction, last accepted price, first refused price, code
    ['limit', 'long', P('100'), P('100') + 1n, 'trigger_price_gt_current'],
    ['limit', 'short', P('100'), P('100') - 1n, 'trigger_price_lt_current'],
    ['stop_market', 'long', P('100'), P('100') - 1n, 'trigger_price_lt_current'],
    ['stop_market', 'short', P('100'), P('100') + 1n, 'trigger_price_gt_current'],
    ['stop_limit', 'long', P('100'), P('100') - 1n, 'trigger_price_lt_current'],
    ['stop_limit', 'short', P('100'), P('100') + 1n, 'trigger_price_gt_current'],
    ['stop', 'long', P('100'), P('100') + 1n, 'trigger_price_gt_current'],
    ['stop', 'long', LONG_LIQUIDATION, LONG_LIQUIDATION - 1n, 'trigger_price_lt_liquidation'],
    ['stop', 'short', P('100'), P('100') - 1n, 'trigger_price_lt_current'],
    ['stop', 'short', SHORT_LIQUIDATION, SHORT_LIQUIDATION + 1n, 'trigger_price_gt_liquidation'],
    ['take', 'long', P('100'), P('100') - 1n, 'trigger_price_lt_current'],
    ['take', 'short', P('100'), P('100') + 1n, 'trigger_price_gt_current'],
  ]

  test.each(rows)('%s %s: %s is accepted, %s is %s', (orderType, direction, accepted, refused, code) => {
    const { venue, ids } = withPositions()
    const terms = (triggerPrice: bigint): Terms => ({
      orderType,
      direction,
      triggerPrice,
      positionId: ids[direction],
      ...(orderType === 'stop_limit' ? { stopLimitPrice: triggerPrice } : {}),
    })
    expect(venue.placeRefusal(terms(refused))).toBe(code)
    expect(venue.place(terms(accepted))).toMatchObject({ status: 'active', triggerPrice: accepted })
  })

  test('a take is checked against the liquidation price too, where that lies beyond the market', () => {
    const { venue, ids } = withPositions()
    // The price moved past the liquidation prices while the market was paused: nothing was liquidated.
    const { engine } = venue
    const marketId = venue.position().marketId
    const setPrice = (price: string) => {
      engine.dispatch({ type: 'setMarketStatus', marketId, status: 'paused' })
      venue.tick(price)
      engine.dispatch({ type: 'setMarketStatus', marketId, status: 'open' })
    }
    setPrice('90')
    const long = { orderType: 'take', positionId: ids.long } as const
    expect(venue.placeRefusal({ ...long, triggerPrice: LONG_LIQUIDATION - 1n })).toBe(
      'trigger_price_lt_liquidation',
    )
    expect(venue.placeRefusal({ ...long, triggerPrice: P('90') - 1n })).toBe('trigger_price_lt_current')
    expect(venue.placeRefusal({ ...long, triggerPrice: LONG_LIQUIDATION })).toBe('accepted')
  })

  test('mirrored for a short whose liquidation price lies below the market', () => {
    const { venue, ids } = withPositions()
    const marketId = venue.position().marketId
    venue.accepted({ type: 'setMarketStatus', marketId, status: 'paused' })
    venue.tick('110')
    venue.accepted({ type: 'setMarketStatus', marketId, status: 'open' })
    const short = { orderType: 'take', direction: 'short', positionId: ids.short } as const
    expect(venue.placeRefusal({ ...short, triggerPrice: SHORT_LIQUIDATION + 1n })).toBe(
      'trigger_price_gt_liquidation',
    )
    expect(venue.placeRefusal({ ...short, triggerPrice: SHORT_LIQUIDATION })).toBe('accepted')
  })

  test('the current price is checked before the liquidation price', () => {
    const { venue, ids } = withPositions()
    const marketId = venue.position().marketId
    venue.accepted({ type: 'setMarketStatus', marketId, status: 'paused' })
    venue.tick('80')
    venue.accepted({ type: 'setMarketStatus', marketId, status: 'open' })
    const stop = { orderType: 'stop', positionId: ids.long, triggerPrice: P('85') } as const
    expect(venue.placeRefusal(stop)).toBe('trigger_price_gt_current')
  })

  test('a long that can never be liquidated accepts any stop below the market', () => {
    const venue = new Venue()
    const { id } = venue.open({ leverage: P('1') })
    expect(venue.liquidationPrice()).toBe(0n)
    expect(venue.place({ orderType: 'stop', positionId: id, triggerPrice: 1n }).status).toBe('active')
  })
})

describe('F1: when a trigger fires: one unit before it nothing, at it everything', () => {
  const rows: [PlaceOrder['orderType'], Direction, string, bigint][] = [
    ['limit', 'long', '95', 1n],
    ['limit', 'short', '105', -1n],
    ['stop_market', 'long', '105', -1n],
    ['stop_market', 'short', '95', 1n],
    ['stop_limit', 'long', '105', -1n],
    ['stop_limit', 'short', '95', 1n],
    ['stop', 'long', '95', 1n],
    ['stop', 'short', '105', -1n],
    ['take', 'long', '105', -1n],
    ['take', 'short', '95', 1n],
  ]
  test.each(rows)('%s %s at %s', (orderType, direction, price, away) => {
    const { venue, ids } = withPositions()
    const order = venue.place({
      orderType,
      direction,
      triggerPrice: P(price),
      stopLimitPrice: P(price),
      positionId: ids[direction],
    })
    venue.tick(P(price) + away)
    expect(venue.order(order.id).status).toBe('active')
    venue.tick(P(price))
    expect(venue.order(order.id)).toMatchObject({ status: 'executed', indexPrice: P(price) })
  })

  test('F2: a deferred order whose condition already holds fires on the next tick, not in its call', () => {
    const { venue, ids } = withPositions()
    const orders = [
      venue.place({ orderType: 'limit', triggerPrice: P('100') }),
      venue.place({ orderType: 'stop', triggerPrice: P('100'), positionId: ids.long, amount: P('1') }),
    ]
    expect(orders.map(({ status }) => status)).toEqual(['active', 'active'])
    venue.tick('100')
    expect(orders.map(({ id }) => venue.order(id).status)).toEqual(['executed', 'executed'])
  })
})

describe('F12: stop-loss and take-profit attached to a market order', () => {
  const market = (terms: Terms) => new Venue().placeRefusal(terms)

  test.each<[Terms, string]>([
    [{ stopTriggerPrice: P('100') }, 'accepted'],
    [{ stopTriggerPrice: P('100') + 1n }, 'trigger_price_gt_current'],
    [{ takeTriggerPrice: P('100') }, 'accepted'],
    [{ takeTriggerPrice: P('100') - 1n }, 'trigger_price_lt_current'],
    [{ direction: 'short', stopTriggerPrice: P('100') }, 'accepted'],
    [{ direction: 'short', stopTriggerPrice: P('100') - 1n }, 'trigger_price_lt_current'],
    [{ direction: 'short', takeTriggerPrice: P('100') + 1n }, 'trigger_price_gt_current'],
    [{ stopTriggerPrice: LONG_LIQUIDATION }, 'accepted'],
    [{ stopTriggerPrice: LONG_LIQUIDATION - 1n }, 'trigger_price_lt_liquidation'],
    [{ direction: 'short', stopTriggerPrice: SHORT_LIQUIDATION }, 'accepted'],
    [{ direction: 'short', stopTriggerPrice: SHORT_LIQUIDATION + 1n }, 'trigger_price_gt_liquidation'],
  ])('%o: %s', (terms, code) => expect(market(terms)).toBe(code))

  test('both current-price checks come before the liquidation check', () => {
    expect(market({ stopTriggerPrice: P('80'), takeTriggerPrice: P('99') })).toBe('trigger_price_lt_current')
    expect(market({ stopTriggerPrice: P('101'), takeTriggerPrice: P('99') })).toBe('trigger_price_gt_current')
  })

  test('the liquidation price is that of the whole position after the fill', () => {
    const venue = new Venue()
    venue.open({ leverage: P('2') })
    // 2000 − … : N = 200 + 1000, M = 100 + 100, q = 12: (1200 − 200)/(12·0.995) = 83.75.
    const projected = 83_752_093_803n
    expect(venue.placeRefusal({ stopTriggerPrice: projected - 1n })).toBe('trigger_price_lt_liquidation')
    venue.place({ stopTriggerPrice: projected })
    expect(venue.liquidationPrice()).toBe(projected)
  })

  test('a base-sized order is projected by its base size', () => {
    const terms: Terms = {
      sizeMode: 'base',
      baseSize: P('1'),
      amount: P('50'),
      stopTriggerPrice: LONG_LIQUIDATION,
    }
    expect(market(terms)).toBe('accepted')
    expect(market({ ...terms, stopTriggerPrice: LONG_LIQUIDATION - 1n })).toBe('trigger_price_lt_liquidation')
  })

  test('J18: the stop-loss is compared as pushed', () => {
    const venue = new Venue({ market: { minStopDistance: P('9.6%') } })
    // Pushed to 90.4, below the projected 90.452: refused although 99 itself is fine.
    expect(venue.placeRefusal({ stopTriggerPrice: P('99') })).toBe('trigger_price_lt_liquidation')
    expect(
      new Venue({ market: { minStopDistance: P('9.5%') } }).placeRefusal({ stopTriggerPrice: P('99') }),
    ).toBe('accepted')
  })

  test('where nothing would be left to fill, execution says so', () => {
    const venue = new Venue({ market: { feeRate: P('10%') } })
    expect(venue.place({ stopTriggerPrice: P('1') }).errorCode).toBe('order_zero_size_at_execution')
  })
})
