import { describe, expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { ACCOUNT, DAY, MARKET, OTHER_USER, UNKNOWN, USER, Venue } from '../../venue.ts'

const P = fp9
const owner = { userId: USER, apiKey: true }

function opened(setting: ConstructorParameters<typeof Venue>[0] = {}) {
  const venue = new Venue(setting)
  const { id: positionId } = venue.open()
  const change = (marginChange: bigint) => ({ type: 'changeMargin', positionId, marginChange }) as const
  return { venue, positionId, change }
}

describe('E6: changing the margin', () => {
  test('adding takes up to the whole free balance', () => {
    const { venue, change } = opened()
    expect(venue.rejection(change(P('9900') + 1n))).toBe('insufficient_balance')
    const { value } = venue.accepted(change(P('9900')))
    expect(value).toMatchObject({ margin: P('10000'), eventName: 'addMargin', version: 2 })
    expect(venue.free).toBe(0n)
  })

  test('E7: withdrawing needs a positive remainder', () => {
    const venue = new Venue({ market: { maintenanceMarginRate: 0n } })
    const { id: positionId } = venue.open()
    venue.tick('150')
    const change = (marginChange: bigint) => ({ type: 'changeMargin', positionId, marginChange }) as const
    expect(venue.rejection(change(-P('100')))).toBe('non_positive_margin')
    expect(venue.rejection(change(-P('100') - 1n))).toBe('non_positive_margin')
    expect(venue.accepted(change(-P('100') + 1n)).value).toMatchObject({
      margin: 1n,
      eventName: 'removeMargin',
    })
    expect(venue.free).toBe(P('10000') - 1n)
  })

  test('withdrawing stops one unit before the position would be liquidatable at the current index', () => {
    const { venue, change } = opened()
    // ⌈(1000 − M)/9.95⌉ falls below 100 at M = 5.00000001
    expect(venue.rejection(change(P('-95')))).toBe('non_positive_margin')
    expect(venue.rejection(change(P('-95') + 9n))).toBe('non_positive_margin')
    venue.accepted(change(P('-95') + 10n))
    expect(venue.liquidationPrice()).toBe(P('100') - 1n)
  })

  test('leverage is not bounded by it', () => {
    const { venue, change } = opened({ account: { maxLeverage: P('10') } })
    venue.accepted(change(P('-90')))
    expect(venue.position().margin).toBe(P('10'))
  })

  test('the liquidation price moves with it', () => {
    const { venue, change } = opened()
    venue.accepted(change(P('100')))
    // 800/9.95
    expect(venue.liquidationPrice()).toBe(80_402_010_051n)
  })

  test('0 runs every check that does not depend on the amount, and returns the position untouched', () => {
    const { venue, change } = opened()
    const before = venue.position()
    expect(venue.accepted(change(0n))).toMatchObject({ value: before, events: [] })
    venue.accepted({ type: 'setAccountLock', accountId: ACCOUNT, locked: true })
    expect(venue.rejection(change(0n))).toBe('funded_limit_trading_locked')
  })

  test('C13, I13: the event exchanges nothing and has no order', () => {
    const { venue, positionId, change } = opened({ market: { feeRate: P('0.1%') } })
    const before = venue.position()
    venue.accepted(change(P('10')))
    const [event] = venue.engine.read.positionEvents(positionId) ?? []
    expect(event).toEqual({
      ...before,
      version: 2,
      margin: before.margin + P('10'),
      eventName: 'addMargin',
      exchangedQuote: 0n,
      exchangedBase: 0n,
      feeInEvent: 0n,
      order: null,
    })
    venue.accepted(change(P('-10')))
    expect(venue.engine.read.positionEvents(positionId)?.[0]).toMatchObject({
      eventName: 'removeMargin',
      order: null,
    })
  })

  test('J5, J31: adding too little to a position beyond its price does not save it', () => {
    const { venue, positionId, change } = opened()
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    venue.tick('90')
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'open' })
    venue.accepted(change(P('1')))
    expect(venue.positionById(positionId).status).toBe('liquidated')
  })

  test('J25: the answer is the position as the command leaves it', () => {
    const { venue, positionId, change } = opened()
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    venue.tick('90')
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'open' })
    const { value } = venue.accepted(change(P('1')))
    expect(value).toMatchObject({ status: 'liquidated', eventName: 'liquidate', version: 3 })
    expect(value).toEqual(venue.positionById(positionId))
  })

  test('enough saves it', () => {
    const { venue, positionId, change } = opened()
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    venue.tick('90')
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'open' })
    venue.accepted(change(P('10')))
    expect(venue.positionById(positionId).status).toBe('opened')
  })
})

describe('E6: precedence', () => {
  test('404 → owned → API → loaded → open → status → phase → lock → market → amount', () => {
    const venue = new Venue({ market: { maxPriceAgeMs: 1_000 } })
    const { id: positionId } = venue.open()
    const withdrawal = { type: 'changeMargin', positionId, marginChange: P('-1000') } as const
    const addition = { ...withdrawal, marginChange: P('100000') }
    venue.wait(1_000)
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    venue.accepted({ type: 'setAccountLock', accountId: ACCOUNT, locked: true })
    venue.accepted({ type: 'setApiTrading', accountId: ACCOUNT, enabled: false })
    expect(venue.rejection({ ...withdrawal, positionId: UNKNOWN }, owner)).toBe('position_not_found')
    expect(venue.rejection(withdrawal, { userId: OTHER_USER, apiKey: true })).toBe('account_access_denied')
    expect(venue.rejection(withdrawal, owner)).toBe('api_trading_not_enabled')
    expect(venue.rejection(withdrawal)).toBe('funded_limit_trading_locked')
    venue.accepted({ type: 'setAccountLock', accountId: ACCOUNT, locked: false })
    expect(venue.rejection(withdrawal)).toBe('market_paused')
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'close_only' })
    expect(venue.rejection(withdrawal)).toBe('market_close_only')
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'open' })
    expect(venue.rejection(addition)).toBe('insufficient_balance')
    expect(venue.rejection(withdrawal)).toBe('market_price_stale')
    venue.tick('100')
    expect(venue.rejection(withdrawal)).toBe('non_positive_margin')
  })

  test('of a position that ended: access first, then that it is not available', () => {
    const { venue, change } = opened()
    venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'manual' })
    expect(venue.rejection(change(0n), { userId: OTHER_USER, apiKey: true })).toBe('account_access_denied')
    venue.accepted({ type: 'setApiTrading', accountId: ACCOUNT, enabled: false })
    expect(venue.rejection(change(0n), owner)).toBe('api_trading_not_enabled')
    expect(venue.rejection(change(0n))).toBe('position_not_available')
    venue.accepted({ type: 'setAccountLoaded', accountId: ACCOUNT, loaded: false })
    expect(venue.rejection(change(0n))).toBe('account_not_loaded')
  })

  test('E6, B7: adding needs no fresh price', () => {
    const { venue, change } = opened({ market: { maxPriceAgeMs: 1_000 } })
    venue.wait(DAY)
    expect(venue.rejection(change(P('1')))).toBe('accepted')
  })
})
