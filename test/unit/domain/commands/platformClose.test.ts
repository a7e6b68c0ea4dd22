import { describe, expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { ACCOUNT, MARKET, MINUTE, OTHER_ACCOUNT, OTHER_MARKET, outline, UNKNOWN, Venue } from '../../venue.ts'

const P = fp9

describe('H2: a position closed by the platform', () => {
  test('its attached orders are canceled with the reason, then it closes at the index with spread and fee', () => {
    const venue = new Venue({ market: { spread: P('0.1%'), feeRate: P('0.1%') } })
    const entry = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    const { id } = venue.open({ sizeMode: 'base', baseSize: P('1'), stopTriggerPrice: P('95') })
    const [stop] = venue.orders()
    venue.tick('110')
    venue.wait(MINUTE)
    const { events } = venue.accepted({ type: 'forceClosePosition', positionId: id })
    expect(outline(events)).toEqual(['orderCanceled force_close', 'forceClose'])
    // sold at 109.89, bought at 100.1
    expect(venue.positionById(id)).toMatchObject({
      status: 'closed',
      closeReason: 'force_close',
      eventName: 'forceClose',
      exchangedQuote: P('109.89'),
      pnlInEvent: P('9.79'),
      feeInEvent: P('0.10989'),
      holdingTimeMs: MINUTE,
      margin: 0n,
    })
    expect(venue.order(stop?.id ?? '')).toMatchObject({ status: 'canceled', reason: 'force_close' })
    expect(venue.order(entry.id).status).toBe('active')
  })

  test('I13: the event has no order; the reason is in closeReason', () => {
    const venue = new Venue()
    const { id } = venue.open()
    venue.accepted({ type: 'forceClosePosition', positionId: id })
    expect(venue.engine.read.positionEvents(id)?.[0]).toMatchObject({
      order: null,
      closeReason: 'force_close',
    })
  })

  test('J17: the rate charged then is recorded', () => {
    const venue = new Venue({ market: { feeRate: P('0.1%') } })
    const { id } = venue.open()
    venue.accepted({ type: 'configureMarket', market: { id: MARKET, feeRate: P('0.2%') } })
    venue.accepted({ type: 'forceClosePosition', positionId: id })
    expect(venue.positionById(id).feeRate).toBe(P('0.2%'))
  })

  test('an unknown position is not found, an ended one not available', () => {
    const venue = new Venue()
    const { id } = venue.open()
    venue.close()
    expect(venue.rejection({ type: 'forceClosePosition', positionId: UNKNOWN })).toBe('position_not_found')
    expect(venue.rejection({ type: 'forceClosePosition', positionId: id })).toBe('position_not_available')
  })
})

describe('G3: the weekly session close', () => {
  const close = { type: 'weeklySessionRiskClose', marketId: MARKET } as const

  test('cancels every order of the market, then closes every position, over all accounts', () => {
    const venue = new Venue({ otherAccount: {}, otherMarket: {} })
    const gone = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    venue.accepted({ type: 'cancelOrder', orderId: gone.id })
    const entry = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    const mine = venue.open({ stopTriggerPrice: P('95') })
    const theirs = venue.open({ accountId: OTHER_ACCOUNT, direction: 'short' })
    const elsewhere = venue.open({ marketId: OTHER_MARKET, stopTriggerPrice: P('95') })
    const waiting = venue.place({ marketId: OTHER_MARKET, orderType: 'limit', triggerPrice: P('90') })
    const { events } = venue.accepted(close)
    const reason = 'weekly_session_risk_close'
    expect(outline(events)).toEqual([
      `orderCanceled ${reason}`,
      `orderCanceled ${reason}`,
      'forceClose',
      'forceClose',
    ])
    expect(venue.order(entry.id)).toMatchObject({ status: 'canceled', reason })
    for (const { id } of [mine, theirs]) expect(venue.positionById(id).closeReason).toBe(reason)
    expect(venue.positionById(elsewhere.id).status).toBe('opened')
    expect(venue.order(waiting.id).status).toBe('active')
    expect(venue.orders().map(({ marketId }) => marketId)).toEqual([OTHER_MARKET, OTHER_MARKET])
    expect(venue.free).toBe(P('9800'))
    expect(venue.account().status).toBe('active')
  })

  test('with a weekend maximum only positions above it go, with their attached orders', () => {
    const venue = new Venue({ market: { weekendMaxLeverage: P('5') } })
    const entry = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    const high = venue.open({ stopTriggerPrice: P('95') })
    const low = venue.open({ direction: 'short', leverage: P('5'), stopTriggerPrice: P('110') })
    venue.accepted(close)
    expect(venue.positionById(high.id).status).toBe('closed')
    expect(venue.positionById(low.id).status).toBe('opened')
    expect(venue.order(entry.id).status).toBe('active')
    expect(venue.orders().map(({ positionId }) => positionId)).toEqual([low.id, null])
  })

  test('leverage is the value at the index over margin and unrealized pnl: exactly the maximum stays', () => {
    const left = (price: bigint) => {
      const venue = new Venue({ market: { weekendMaxLeverage: P('5') } })
      venue.open({ leverage: P('5') })
      venue.wait(MINUTE)
      venue.tick(price)
      venue.accepted(close)
      return venue.engine.read.activePositions(ACCOUNT).length
    }
    expect(left(P('100'))).toBe(1)
    expect(left(P('101'))).toBe(1)
    expect(left(P('100') - 1n)).toBe(0)
  })

  test('a profit inside the 60-second window does not count (D7)', () => {
    const venue = new Venue({ market: { weekendMaxLeverage: P('5') } })
    venue.open({ leverage: P('5') })
    venue.tick('110')
    venue.accepted(close)
    expect(venue.engine.read.activePositions(ACCOUNT)).toEqual([])
  })
})
