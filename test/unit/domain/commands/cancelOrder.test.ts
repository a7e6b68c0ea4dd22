import { describe, expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { ACCOUNT, MARKET, OTHER_USER, UNKNOWN, USER, Venue } from '../../venue.ts'

const P = fp9

describe('I8: cancelling', () => {
  const cancel = (orderId: string) => ({ type: 'cancelOrder', orderId }) as const

  test('releases the reserve and gives no reason', () => {
    const venue = new Venue()
    const { id, amount } = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    expect(venue.accepted(cancel(id)).value).toMatchObject({
      status: 'canceled',
      reason: null,
      amount,
      errorCode: null,
    })
    expect(venue.free).toBe(P('10000'))
  })

  test('works in every market state, without a fresh price, and while locked', () => {
    const venue = new Venue({ market: { maxPriceAgeMs: 1_000 } })
    const ids = [1, 2, 3].map(() => venue.place({ orderType: 'limit', triggerPrice: P('90') }).id)
    venue.wait(1_000)
    venue.accepted({ type: 'setAccountLock', accountId: ACCOUNT, locked: true })
    for (const status of ['open', 'paused', 'close_only'] as const) {
      venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status })
      expect(venue.rejection(cancel(ids.pop() ?? ''))).toBe('accepted')
    }
  })

  test('unknown, not owned, API off, not active', () => {
    const venue = new Venue()
    const { id } = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    const owner = { userId: USER, apiKey: true }
    expect(venue.rejection(cancel(UNKNOWN), owner)).toBe('order_not_found')
    expect(venue.rejection(cancel(id), { userId: OTHER_USER, apiKey: true })).toBe('account_access_denied')
    venue.accepted({ type: 'setApiTrading', accountId: ACCOUNT, enabled: false })
    expect(venue.rejection(cancel(id), owner)).toBe('api_trading_not_enabled')
    expect(venue.rejection(cancel(id), { userId: USER, apiKey: false })).toBe('accepted')
    expect(venue.rejection(cancel(id))).toBe('order_not_active')
  })

  test('J32: on an unloaded account every order answers that it is not loaded', () => {
    const venue = new Venue()
    const { id } = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    venue.accepted(cancel(id))
    venue.accepted({ type: 'setAccountLoaded', accountId: ACCOUNT, loaded: false })
    expect(venue.rejection(cancel(id))).toBe('account_not_loaded')
  })

  test('an order of a frozen account is gone: freezing cancelled it', () => {
    const venue = new Venue()
    const { id } = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'freeze' })
    expect(venue.rejection(cancel(id))).toBe('order_not_active')
  })
})
