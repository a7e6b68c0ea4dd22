import { describe, expect, test } from 'vitest'
import { type EditOrder, fp9, type PlaceOrder } from '../../../../src/index.ts'
import { ACCOUNT, MARKET, OTHER_USER, UNKNOWN, USER, Venue } from '../../venue.ts'

const P = fp9
type Terms = Partial<Omit<PlaceOrder, 'type'>>
type Fields = Partial<Omit<EditOrder, 'type' | 'orderId'>>

const LIMIT: Terms = { orderType: 'limit', triggerPrice: P('90') }
const BASE: Terms = { ...LIMIT, sizeMode: 'base', baseSize: P('1'), amount: P('50') }

/** A venue with one resting order. */
function resting(terms: Terms, setting: ConstructorParameters<typeof Venue>[0] = {}) {
  const venue = new Venue(setting)
  const order = venue.place(terms)
  const edit = (fields: Fields) => venue.accepted({ type: 'editOrder', orderId: order.id, ...fields }).value
  const rejection = (fields: Fields) => venue.rejection({ type: 'editOrder', orderId: order.id, ...fields })
  return { venue, order, edit, rejection }
}

/** A venue with a long and one resting close order on it. */
function restingClose(terms: Terms) {
  const venue = new Venue()
  const { id } = venue.open()
  const order = venue.place({ positionId: id, amount: P('4'), ...terms })
  const edit = (fields: Fields) => venue.accepted({ type: 'editOrder', orderId: order.id, ...fields }).value
  const rejection = (fields: Fields) => venue.rejection({ type: 'editOrder', orderId: order.id, ...fields })
  return { venue, order, edit, rejection }
}

describe('I3: an edit replaces the order in one step', () => {
  test('the old order ends canceled_by_update; the new one has a new id and creation time and keeps the rest', () => {
    const { venue, order, edit } = resting({
      ...LIMIT,
      stopTriggerPrice: P('80'),
      takeTriggerPrice: P('120'),
    })
    venue.wait(5_000)
    const replacement = edit({ triggerPrice: P('91') })
    expect(replacement).toEqual({
      ...order,
      id: replacement.id,
      createdAt: order.createdAt + 5_000,
      triggerPrice: P('91'),
      limitPrice: P('91'),
    })
    expect(replacement.id).not.toBe(order.id)
    expect(venue.order(order.id)).toMatchObject({
      status: 'canceled_by_update',
      reason: null,
      errorCode: null,
    })
  })

  test('replaced orders are in no list', () => {
    const { venue, order, edit } = resting(LIMIT)
    const replacement = edit({ triggerPrice: P('91') })
    expect(venue.orders().map(({ id }) => id)).toEqual([replacement.id])
    expect(venue.engine.read.orderHistory(ACCOUNT, MARKET).totalCount).toBe(0)
    expect(venue.rejection({ type: 'editOrder', orderId: order.id })).toBe('order_not_active')
  })

  test('a body that sets nothing returns the order as it stands, without event', () => {
    const { venue, order, edit } = resting(LIMIT)
    const { head } = venue.engine
    expect(edit({})).toEqual(order)
    expect(edit({ triggerPrice: null, amount: null, expectedAmount: null, baseSize: null })).toEqual(order)
    expect(venue.engine.head).toBe(head)
  })

  test('setting the present value still replaces', () => {
    const { order, edit } = resting(LIMIT)
    expect(edit({ amount: order.amount }).id).not.toBe(order.id)
  })

  test('growing the reserve takes the difference, shrinking it returns it', () => {
    const { venue, edit, rejection } = resting({ ...LIMIT, amount: P('9000') })
    expect(rejection({ amount: P('10000') + 1n })).toBe('insufficient_balance')
    const grown = edit({ amount: P('10000') })
    expect(venue.free).toBe(0n)
    venue.accepted({ type: 'editOrder', orderId: grown.id, amount: P('100') })
    expect(venue.free).toBe(P('9900'))
  })

  test('the expected amount travels along, can be changed and can be cleared (C3)', () => {
    const fills = (edits: readonly Fields[]) => {
      const { venue, order } = resting({ ...LIMIT, expectedAmount: P('1000') })
      let orderId = order.id
      for (const fields of edits) orderId = venue.accepted({ type: 'editOrder', orderId, ...fields }).value.id
      venue.tick('90')
      return venue.order(orderId).errorCode ?? venue.order(orderId).status
    }
    expect(fills([{ amount: P('100') }])).toBe('slippage_tolerance')
    expect(fills([{ expectedAmount: P('11') }])).toBe('executed')
    expect(fills([{ expectedAmount: 0n }])).toBe('executed')
    expect(fills([{ expectedAmount: 0n }, { amount: P('90') }])).toBe('executed')
  })

  test('a spawned limit keeps its parent; a stop_limit its limit price', () => {
    const { venue, edit, rejection } = resting({
      orderType: 'stop_limit',
      triggerPrice: P('105'),
      stopLimitPrice: P('103'),
    })
    expect(rejection({ triggerPrice: P('102') })).toBe('stop_limit_price_gt_trigger_price')
    const moved = edit({ triggerPrice: P('104') })
    expect(moved).toMatchObject({ triggerPrice: P('104'), stopPrice: P('104'), limitPrice: P('103') })
    venue.tick('104')
    const [child] = venue.orders()
    const edited = venue.accepted({
      type: 'editOrder',
      orderId: child?.id ?? '',
      triggerPrice: P('102'),
    }).value
    expect(edited).toMatchObject({ parentOrderId: moved.id, orderType: 'limit', limitPrice: P('102') })
  })

  test('an edited base-sized order shows its new reserve', () => {
    const { edit } = resting(BASE)
    expect(edit({ baseSize: P('2'), amount: P('60') })).toMatchObject({
      baseSize: P('2'),
      amount: P('60'),
      reservedAmount: P('60'),
    })
  })

  test('a trailing stop keeps its trail', () => {
    const { venue, edit } = restingClose({ orderType: 'trailing_stop', trailingStopOffset: P('5') })
    venue.tick('110')
    venue.tick('106')
    expect(edit({ amount: P('3') })).toMatchObject({ triggerPrice: P('105'), amount: P('3') })
    venue.tick('105')
    expect(venue.position().size).toBe(P('7'))
  })
})

describe('I3: precedence', () => {
  test('not found, not owned, API off, then not active', () => {
    const { venue, order } = resting(LIMIT)
    const edit = { type: 'editOrder', orderId: order.id, triggerPrice: -1n } as const
    const owner = { userId: USER, apiKey: true }
    venue.accepted({ type: 'setApiTrading', accountId: ACCOUNT, enabled: false })
    venue.tick('90')
    expect(venue.rejection({ ...edit, orderId: UNKNOWN }, owner)).toBe('order_not_found')
    expect(venue.rejection(edit, { userId: OTHER_USER, apiKey: true })).toBe('account_access_denied')
    expect(venue.rejection(edit, owner)).toBe('api_trading_not_enabled')
    venue.accepted({ type: 'setApiTrading', accountId: ACCOUNT, enabled: true })
    expect(venue.rejection(edit, owner)).toBe('order_not_active')
  })

  test('an account without orders may be unloaded: its ended orders then answer with that, not with their end', () => {
    const { venue, order } = resting(LIMIT)
    venue.accepted({ type: 'cancelOrder', orderId: order.id })
    venue.accepted({ type: 'setAccountLoaded', accountId: ACCOUNT, loaded: false })
    expect(venue.rejection({ type: 'editOrder', orderId: order.id })).toBe('account_not_loaded')
  })

  test('not updatable before a reset to 0', () => {
    const stop = restingClose({ orderType: 'stop', triggerPrice: 0n })
    expect(stop.rejection({ triggerPrice: 0n })).toBe('order_not_updatable')
    const trailing = restingClose({ orderType: 'trailing_stop', trailingStopOffset: P('5') })
    expect(trailing.rejection({ triggerPrice: 0n })).toBe('order_not_updatable')
    expect(trailing.rejection({ triggerPrice: P('90') })).toBe('order_not_updatable')
  })

  test('a reset to 0, then the lock, then shape, then the balance, then the market, then the price, then notional', () => {
    const { venue, rejection } = resting(BASE, {
      market: { maxPriceAgeMs: 1_000, maxOpenNotionalLong: P('1000') },
    })
    const lock = (locked: boolean) => venue.accepted({ type: 'setAccountLock', accountId: ACCOUNT, locked })
    const setStatus = (status: 'open' | 'paused' | 'close_only') =>
      venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status })
    lock(true)
    setStatus('paused')
    venue.wait(1_000)
    const grows = { amount: P('20000'), baseSize: 0n }
    expect(rejection({ ...grows, triggerPrice: 0n })).toBe('trigger_price_reset_forbidden')
    expect(rejection({ ...grows, triggerPrice: -1n })).toBe('funded_limit_trading_locked')
    lock(false)
    expect(rejection({ ...grows, triggerPrice: -1n })).toBe('base_size_required')
    expect(rejection({ baseSize: P('1'), triggerPrice: -1n })).toBe('base_size_requires_amount')
    expect(rejection({ amount: 0n, baseSize: 0n })).toBe('amount_not_positive')
    expect(rejection({ amount: P('1'), baseSize: -1n, triggerPrice: -1n })).toBe('base_size_negative')
    expect(rejection({ amount: P('20000'), triggerPrice: -1n })).toBe('trigger_price_negative')
    expect(rejection({ amount: P('20000'), triggerPrice: P('200') })).toBe('insufficient_balance')
    expect(rejection({ amount: P('10000'), triggerPrice: P('200') })).toBe('market_paused')
    setStatus('close_only')
    expect(rejection({ amount: P('10000'), triggerPrice: P('200') })).toBe('market_close_only')
    setStatus('open')
    expect(rejection({ amount: P('10000'), triggerPrice: P('200') })).toBe('market_price_stale')
    venue.tick('100')
    expect(rejection({ amount: P('10000'), triggerPrice: P('200') })).toBe('trigger_price_gt_current')
    expect(rejection({ amount: P('10000'), triggerPrice: P('95') })).toBe('order_exceeds_max_open_notional')
    expect(rejection({ amount: P('100'), triggerPrice: P('95') })).toBe('accepted')
  })

  test('H4: shrinking while locked is allowed, and so is every edit of a close', () => {
    const { venue, edit } = resting(LIMIT)
    venue.accepted({ type: 'setAccountLock', accountId: ACCOUNT, locked: true })
    const shrunk = edit({ amount: P('50') })
    expect(venue.rejection({ type: 'editOrder', orderId: shrunk.id, amount: P('50') })).toBe('accepted')
    const close = restingClose({ orderType: 'stop', triggerPrice: P('95') })
    close.venue.accepted({ type: 'setAccountLock', accountId: ACCOUNT, locked: true })
    expect(close.rejection({ amount: P('100') })).toBe('accepted')
  })
})

describe('I3, J22, J23, J27: sizes', () => {
  test('a base size on an order that has none is not allowed', () => {
    expect(resting(LIMIT).rejection({ baseSize: P('1'), amount: P('50') })).toBe('base_size_not_allowed')
    const close = restingClose({ orderType: 'stop', triggerPrice: P('95') })
    expect(close.rejection({ baseSize: P('1'), amount: P('1') })).toBe('base_size_not_allowed')
    expect(close.rejection({ baseSize: P('1') })).toBe('base_size_requires_amount')
  })

  test('J23: a base size needs an amount beside it, even where it stays the same', () => {
    expect(resting(BASE).rejection({ baseSize: P('1') })).toBe('base_size_requires_amount')
    expect(resting(LIMIT).rejection({ baseSize: P('1') })).toBe('base_size_requires_amount')
    expect(resting(BASE).rejection({ baseSize: P('2') })).toBe('base_size_requires_amount')
    expect(resting(BASE).rejection({ amount: P('60') })).toBe('accepted')
  })

  test('J22: an expected amount on a close counts as not set', () => {
    const { order, edit } = restingClose({ orderType: 'stop', triggerPrice: P('95') })
    expect(edit({ expectedAmount: P('5') })).toEqual(order)
  })

  test('the amount of a close is the base size it closes', () => {
    const { venue, edit } = restingClose({ orderType: 'stop', triggerPrice: P('95') })
    expect(edit({ amount: P('3') }).amount).toBe(P('3'))
    venue.tick('95')
    expect(venue.position().size).toBe(P('7'))
  })
})

describe('I3: the resulting order is checked as on creation', () => {
  test.each<[Terms, Fields, string]>([
    [
      { ...LIMIT, stopTriggerPrice: P('85') },
      { triggerPrice: P('85') },
      'stop_trigger_price_gt_trigger_price',
    ],
    [
      { ...LIMIT, takeTriggerPrice: P('95') },
      { triggerPrice: P('95') },
      'take_trigger_price_lt_trigger_price',
    ],
    [
      { ...LIMIT, direction: 'short', triggerPrice: P('110'), stopTriggerPrice: P('115') },
      { triggerPrice: P('115') },
      'stop_trigger_price_lt_trigger_price',
    ],
    [
      { ...LIMIT, direction: 'short', triggerPrice: P('110'), takeTriggerPrice: P('105') },
      { triggerPrice: P('105') },
      'take_trigger_price_gt_trigger_price',
    ],
    [
      { orderType: 'stop_limit', direction: 'short', triggerPrice: P('95'), stopLimitPrice: P('97') },
      { triggerPrice: P('98') },
      'stop_limit_price_lt_trigger_price',
    ],
    [
      { orderType: 'stop_market', triggerPrice: P('105') },
      { triggerPrice: P('99') },
      'trigger_price_lt_current',
    ],
    [LIMIT, { triggerPrice: P('100') + 1n }, 'trigger_price_gt_current'],
    [LIMIT, { triggerPrice: P('100') }, 'accepted'],
  ])('%o edited to %o: %s', (terms, fields, code) => expect(resting(terms).rejection(fields)).toBe(code))

  test('a stop against the liquidation price', () => {
    const { rejection } = restingClose({ orderType: 'stop', triggerPrice: P('95') })
    expect(rejection({ triggerPrice: 90_452_261_306n })).toBe('trigger_price_lt_liquidation')
    expect(rejection({ triggerPrice: 90_452_261_307n })).toBe('accepted')
  })
})
