import { describe, expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { ACCOUNT, MARKET, OTHER_MARKET, OTHER_USER, outline, UNKNOWN, USER, Venue } from '../../venue.ts'

const P = fp9
const closeAll = { type: 'closeAll', accountId: ACCOUNT } as const

describe('I9: close-all flattens the account', () => {
  test('entries are cancelled first, then positions are closed by internal takes, oldest first', () => {
    const venue = new Venue({ otherMarket: {} })
    const limit = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    const older = venue.open({ marketId: OTHER_MARKET })
    const newer = venue.open({ direction: 'short' })
    const stop = venue.place({
      orderType: 'stop',
      direction: 'short',
      triggerPrice: P('105'),
      positionId: newer.id,
      amount: P('1'),
    })
    const outcome = venue.accepted(closeAll)
    expect(outline(outcome.events)).toEqual([
      'orderCanceled canceled',
      'orderPlaced take',
      'orderExecuted',
      'closePosition',
      'orderPlaced take',
      'orderExecuted',
      'closePosition',
      'orderCanceled canceled_by_position',
    ])
    expect(outcome.value.orders.map(({ positionId }) => positionId)).toEqual([older.id, newer.id])
    expect(outcome.value.orders[0]).toMatchObject({
      orderType: 'take',
      status: 'executed',
      triggerPrice: 0n,
      amount: P('10'),
      realizedPnl: 0n,
      leverage: null,
    })
    expect(outcome.value.failed).toEqual([])
    expect(venue.order(limit.id)).toMatchObject({ status: 'canceled', reason: null })
    expect(venue.order(stop.id).status).toBe('canceled_by_position')
    expect(venue.free).toBe(P('10000'))
  })

  test('what cannot be closed is reported and does not stop the others', () => {
    const venue = new Venue({ otherMarket: { maxPriceAgeMs: 1_000 } })
    const paused = venue.open()
    const stale = venue.open({ marketId: OTHER_MARKET })
    const entry = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    venue.wait(1_000)
    expect(venue.accepted(closeAll).value).toEqual({
      orders: [],
      failed: [
        { positionId: paused.id, error: { code: 'market_paused' } },
        { positionId: stale.id, error: { code: 'market_price_stale' } },
      ],
    })
    expect(venue.order(entry.id).status).toBe('canceled')
    venue.tick('100', OTHER_MARKET)
    const { orders, failed } = venue.accepted(closeAll).value
    expect([orders.length, failed.length]).toEqual([1, 1])
  })

  test('a close-only market closes', () => {
    const venue = new Venue()
    venue.open()
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'close_only' })
    expect(venue.accepted(closeAll).value.orders.length).toBe(1)
  })

  test('flat, it does nothing and says so', () => {
    const venue = new Venue()
    const { head } = venue.engine
    expect(venue.accepted(closeAll)).toMatchObject({ value: { orders: [], failed: [] }, events: [] })
    expect(venue.engine.head).toBe(head)
  })

  test('the account is checked as for an order, the lock excepted', () => {
    const venue = new Venue()
    const owner = { userId: USER, apiKey: true }
    expect(venue.rejection({ ...closeAll, accountId: UNKNOWN }, owner)).toBe('account_not_found')
    expect(venue.rejection(closeAll, { userId: OTHER_USER, apiKey: true })).toBe('account_access_denied')
    venue.accepted({ type: 'setAccountLock', accountId: ACCOUNT, locked: true })
    expect(venue.rejection(closeAll, owner)).toBe('accepted')
    venue.accepted({ type: 'setApiTrading', accountId: ACCOUNT, enabled: false })
    expect(venue.rejection(closeAll, owner)).toBe('api_trading_not_enabled')
    venue.accepted({ type: 'setAccountLoaded', accountId: ACCOUNT, loaded: false })
    expect(venue.rejection(closeAll)).toBe('account_not_loaded')
    expect(new Venue({ account: { status: 'frozen' } }).rejection(closeAll)).toBe('challenge_closed')
    expect(new Venue({ account: { phase: null } }).rejection(closeAll)).toBe('account_phase_not_allowed')
  })
})
