import { describe, expect, test } from 'vitest'
import { type Event, fp9, type OrderRecord } from '../../../../src/index.ts'
import { ACCOUNT, MARKET, OTHER_ACCOUNT, OTHER_MARKET, outline, Venue } from '../../venue.ts'

/** The orders that executed, in the order they did, named by the test. */
const executed = (events: readonly Event[], names: Record<string, OrderRecord>): string[] =>
  events.flatMap((event) =>
    event.type === 'orderExecuted'
      ? [Object.keys(names).find((name) => names[name]?.id === event.orderId) ?? event.type]
      : [],
  )

describe('B4: one price per tick', () => {
  test('a stop slips and a limit improves: both execute at the index of the tick', () => {
    const venue = new Venue()
    const { id } = venue.open({ leverage: fp9('2') })
    const stop = venue.place({
      orderType: 'stop',
      positionId: id,
      amount: fp9('1'),
      triggerPrice: fp9('95'),
    })
    const limit = venue.place({ orderType: 'limit', triggerPrice: fp9('94') })
    venue.tick('90')
    expect(venue.order(stop.id)).toMatchObject({ indexPrice: fp9('90'), realizedPnl: fp9('-10') })
    expect(venue.order(limit.id).indexPrice).toBe(fp9('90'))
  })
})

describe('B5: what one tick reaches happens along the straight path', () => {
  test('with the stop before the liquidation price a jump through both executes the stop and liquidates nothing', () => {
    const venue = new Venue()
    const { id } = venue.open()
    const positionId = id
    const stop = venue.place({ orderType: 'stop', positionId, amount: fp9('10'), triggerPrice: fp9('91') })
    const events = venue.tick('89')
    expect(executed(events, { stop })).toEqual(['stop'])
    expect(outline(events)).not.toContain('liquidate')
    expect(venue.positionById(id)).toMatchObject({ status: 'closed', pnl: fp9('-100') })
  })

  test('with the liquidation price before the stop the position is liquidated', () => {
    const venue = new Venue()
    const { id } = venue.open()
    venue.place({ orderType: 'stop', positionId: id, amount: fp9('10'), triggerPrice: fp9('91') })
    // (1000 − 90)/(10·0.995) = 91.457: the withdrawal moves the liquidation price past the resting stop (F10).
    venue.accepted({ type: 'changeMargin', positionId: id, marginChange: fp9('-10') })
    expect(outline(venue.tick('89'))).toEqual([
      'orderPlaced liquidation',
      'orderExecuted',
      'liquidate',
      'orderCanceled canceled_by_position',
    ])
  })

  test('levels are taken by their distance from the last price, not by their age', () => {
    const venue = new Venue()
    const far = venue.place({ orderType: 'limit', triggerPrice: fp9('92') })
    const near = venue.place({ orderType: 'limit', triggerPrice: fp9('97') })
    const middle = venue.place({ orderType: 'stop_market', direction: 'short', triggerPrice: fp9('95') })
    expect(executed(venue.tick('91'), { far, near, middle })).toEqual(['near', 'middle', 'far'])
  })

  test('the path may go up as well', () => {
    const venue = new Venue()
    const far = venue.place({ orderType: 'stop_market', triggerPrice: fp9('108') })
    const near = venue.place({ orderType: 'limit', direction: 'short', triggerPrice: fp9('103') })
    expect(executed(venue.tick('110'), { far, near })).toEqual(['near', 'far'])
  })

  test('a level that held at the last price already counts as reached at once', () => {
    const venue = new Venue()
    // F13: a spawned stop beyond the market.
    const entry = venue.place({
      orderType: 'stop_market',
      triggerPrice: fp9('100'),
      stopTriggerPrice: fp9('99'),
    })
    const near = venue.place({ orderType: 'limit', triggerPrice: fp9('97'), amount: fp9('10') })
    venue.tick('100')
    venue.accepted({ type: 'cancelOrder', orderId: near.id })
    venue.tick('100')
    const stop = venue.orders().find(({ parentOrderId }) => parentOrderId === entry.id)
    expect(stop?.triggerPrice).toBe(fp9('99'))
    const later = venue.place({
      orderType: 'stop',
      positionId: venue.position().id,
      amount: fp9('1'),
      triggerPrice: fp9('100'),
    })
    const events = venue.tick('98')
    // At 100 the later stop held already (distance 0); the earlier one lies 1 away.
    expect(events.flatMap((event) => (event.type === 'closePosition' ? [event.orderId] : []))).toEqual([
      later.id,
      stop?.id,
    ])
  })

  test('ties: liquidation, then closes, then increases, then the older first', () => {
    const venue = new Venue({ otherAccount: {} })
    // Increases placed first, closes later, so that age alone would reverse the order.
    const increase = venue.place({ orderType: 'limit', triggerPrice: fp9('95'), amount: fp9('10') })
    const second = venue.place({ orderType: 'limit', triggerPrice: fp9('95'), amount: fp9('10') })
    const { id } = venue.open({ leverage: fp9('2') })
    const close = venue.place({
      orderType: 'stop',
      positionId: id,
      amount: fp9('1'),
      triggerPrice: fp9('95'),
    })
    const trailing = venue.place({
      orderType: 'trailing_stop',
      positionId: id,
      amount: fp9('1'),
      trailingStopOffset: fp9('5'),
    })
    // (2000 − 109.5)/(20·0.995) = 95 exactly.
    const doomed = venue.open({ accountId: OTHER_ACCOUNT, leverage: fp9('20') })
    venue.accepted({ type: 'changeMargin', positionId: doomed.id, marginChange: fp9('9.5') })
    expect(venue.engine.read.liquidationPrice(doomed.id)).toBe(fp9('95'))
    const events = venue.tick('95')
    expect(outline(events)[0]).toBe('orderPlaced liquidation')
    expect(executed(events, { increase, second, close, trailing })).toEqual([
      'orderExecuted',
      'close',
      'trailing',
      'increase',
      'second',
    ])
  })

  test('creation sequence is global: of two accounts the older order comes first', () => {
    const venue = new Venue({ otherAccount: {}, market: { maxOpenNotionalLong: fp9('1000') } })
    const theirs = venue.place({ accountId: OTHER_ACCOUNT, orderType: 'limit', triggerPrice: fp9('95') })
    const mine = venue.place({ orderType: 'limit', triggerPrice: fp9('95') })
    venue.tick('95')
    expect(venue.order(theirs.id).status).toBe('executed')
    expect(venue.order(mine.id).errorCode).toBe('order_exceeds_max_open_notional')
  })

  test('conditions are checked again: an earlier close on the path saves the position from liquidation', () => {
    const venue = new Venue()
    const { id } = venue.open()
    venue.place({ orderType: 'stop', positionId: id, amount: fp9('10'), triggerPrice: fp9('90.6') })
    expect(outline(venue.tick('90'))).not.toContain('liquidate')
  })

  test('an order whose position an earlier one on the path closed does not execute', () => {
    const venue = new Venue()
    const { id } = venue.open({ leverage: fp9('2') })
    const first = venue.place({
      orderType: 'stop',
      positionId: id,
      amount: fp9('10'),
      triggerPrice: fp9('96'),
    })
    const second = venue.place({
      orderType: 'stop',
      positionId: id,
      amount: fp9('10'),
      triggerPrice: fp9('95'),
    })
    expect(executed(venue.tick('94'), { first, second })).toEqual(['first'])
    expect(venue.order(second.id)).toMatchObject({ status: 'canceled_by_position', reason: null })
  })

  test('an entry on the path can leave a later one without room or money', () => {
    const venue = new Venue({ market: { maxOpenNotionalLong: fp9('1500') } })
    const near = venue.place({ orderType: 'limit', triggerPrice: fp9('97') })
    const far = venue.place({ orderType: 'limit', triggerPrice: fp9('95') })
    venue.tick('94')
    expect([venue.order(near.id).status, venue.order(far.id).errorCode]).toEqual([
      'executed',
      'order_exceeds_max_open_notional',
    ])
  })

  test('J12: a limit lies on the path where its execution price is reached, not where its trigger price is', () => {
    const venue = new Venue({ market: { spread: fp9('2%'), maxLeverage: fp9('20') } })
    // Reached at 97/1.02 = 95.098, behind the entry at 96.
    const limit = venue.place({ orderType: 'limit', triggerPrice: fp9('97') })
    const entry = venue.place({ orderType: 'stop_market', direction: 'short', triggerPrice: fp9('96') })
    expect(executed(venue.tick('95'), { limit, entry })).toEqual(['entry', 'limit'])
  })

  test('other markets are not concerned', () => {
    const venue = new Venue({ otherMarket: {} })
    const order = venue.place({ orderType: 'limit', triggerPrice: fp9('95') })
    expect(venue.tick('1', OTHER_MARKET)).toEqual([])
    expect(venue.order(order.id).status).toBe('active')
  })
})

describe('B6: what a tick creates waits for the next one', () => {
  test('stop-loss and take-profit spawned on a tick are first evaluated on the next', () => {
    const venue = new Venue()
    venue.place({ orderType: 'stop_market', triggerPrice: fp9('105'), stopTriggerPrice: fp9('104') })
    expect(outline(venue.tick('106'))).toEqual(['orderExecuted', 'increasePosition', 'orderPlaced stop'])
    expect(outline(venue.tick('104'))).toEqual(['orderExecuted', 'closePosition'])
  })

  test('a spawned take-profit already past the market fires on the next tick', () => {
    const venue = new Venue()
    venue.place({ orderType: 'stop_market', triggerPrice: fp9('105'), takeTriggerPrice: fp9('107') })
    expect(outline(venue.tick('110'))).toEqual(['orderExecuted', 'increasePosition', 'orderPlaced take'])
    expect(outline(venue.tick('110'))).toEqual(['orderExecuted', 'closePosition'])
  })

  test('the limit of a stop_limit waits for the next tick although its condition holds', () => {
    const venue = new Venue()
    venue.place({ orderType: 'stop_limit', triggerPrice: fp9('105'), stopLimitPrice: fp9('105') })
    expect(outline(venue.tick('105'))).toEqual(['orderPlaced limit', 'orderExecuted'])
    expect(outline(venue.tick('105'))).toEqual(['orderExecuted', 'increasePosition'])
  })

  test('a position whose liquidation price moved during the tick is checked again at its end', () => {
    // Entered at 101. Closing a part at 90.585 loses more than its share of the margin: the rest is worse off.
    const venue = new Venue({ market: { spread: fp9('1%'), maxLeverage: fp9('20') } })
    const { id } = venue.open()
    venue.place({ orderType: 'stop', positionId: id, amount: fp9('5'), triggerPrice: fp9('91.5') })
    expect(venue.liquidationPrice()).toBeLessThan(fp9('91.5'))
    expect(outline(venue.tick('91.5'))).toEqual([
      'orderExecuted',
      'closePosition',
      'orderPlaced liquidation',
      'orderExecuted',
      'liquidate',
    ])
    expect(venue.positionById(id).status).toBe('liquidated')
  })

  test('account risk is checked once, after everything the tick did', () => {
    const venue = new Venue({ account: { maxTotalLoss: fp9('5%'), maxDailyLoss: fp9('100%') } })
    const { id } = venue.open({ amount: fp9('1000') })
    venue.place({ orderType: 'stop', positionId: id, amount: fp9('50'), triggerPrice: fp9('95') })
    const events = outline(venue.tick('94'))
    expect(events).toEqual(['orderExecuted', 'closePosition', 'forceClose', 'accountStopped'])
    expect(venue.account(ACCOUNT).status).toBe('failed')
  })

  test('J6: a tick of a paused market checks no account; a later check uses its price', () => {
    const venue = new Venue({ otherMarket: {}, account: { maxTotalLoss: fp9('5%') } })
    venue.open({ amount: fp9('1000') })
    venue.open({ marketId: OTHER_MARKET, amount: fp9('10') })
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    venue.tick('94')
    expect(venue.account().status).toBe('active')
    venue.tick('100', OTHER_MARKET)
    expect(venue.account().status).toBe('failed')
  })
})
