import { expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { MARKET, OTHER_MARKET, UNKNOWN, Venue } from '../../venue.ts'

const quota = (long: string, short = long) =>
  ({ type: 'setNotionalQuota', marketId: MARKET, quotaLong: fp9(long), quotaShort: fp9(short) }) as const

test('an order fits the quota of its direction up to equality, however much the market allows', () => {
  const venue = new Venue({ market: { maxOpenNotionalLong: fp9('5000'), maxOpenNotionalShort: fp9('5000') } })
  venue.accepted(quota('1000', '500'))
  expect(venue.placeRefusal({ amount: fp9('100') + 1n })).toBe('order_exceeds_max_open_notional')
  expect(venue.placeRefusal({ direction: 'short' })).toBe('order_exceeds_max_open_notional')
  venue.open()
  expect(venue.placeRefusal({ amount: fp9('50') })).toBe('order_exceeds_max_open_notional')
  venue.accepted(quota('1500', '500'))
  venue.open({ amount: fp9('50') })
})

test('what is open beyond a smaller quota stays, and what fires is decided with the quota there is then', () => {
  const venue = new Venue({ market: { maxOpenNotionalLong: fp9('5000') } })
  venue.accepted(quota('2000'))
  venue.open()
  const { id } = venue.place({ orderType: 'limit', triggerPrice: fp9('95'), amount: fp9('50') })
  venue.accepted(quota('900'))
  expect(venue.position()).toMatchObject({ status: 'opened' })
  venue.tick('95')
  expect(venue.order(id).errorCode).toBe('order_exceeds_max_open_notional')
})

test('where the market has no maximum a quota bounds nothing', () => {
  const venue = new Venue()
  venue.accepted(quota('0'))
  venue.open()
})

test('a market that is listed beside one with a quota begins with nothing', () => {
  const venue = new Venue({ market: { maxOpenNotionalLong: fp9('5000') } })
  const listing = { baseAsset: 'ETH', ticker: 'ETH/USD', category: 'crypto' } as const
  const list = (id: string, baseAsset: string) =>
    venue.accepted({ type: 'configureMarket', market: { ...listing, id, baseAsset } }).events
  expect(list(OTHER_MARKET, 'ETH').map(({ type }) => type)).toEqual(['marketListed'])
  venue.accepted(quota('1000'))
  const [, given] = list('10000000-0000-4000-8000-0000000000aa', 'SOL')
  expect(given).toMatchObject({ type: 'notionalQuotaSet', quotaLong: 0n, quotaShort: 0n })
})

test('a smaller maximum takes the quota of its direction back, as the first does; a larger, the same and none leave it', () => {
  const venue = new Venue({ market: { maxOpenNotionalLong: fp9('5000'), maxOpenNotionalShort: fp9('5000') } })
  venue.accepted(quota('1000', '500'))
  const configured = (change: object) =>
    venue.accepted({ type: 'configureMarket', market: { id: MARKET, ...change } }).events.slice(1)
  expect(configured({ maxOpenNotionalLong: fp9('5000'), maxOpenNotionalShort: null })).toEqual([])
  expect(configured({ maxOpenNotionalLong: fp9('5000') + 1n })).toEqual([])
  expect(configured({ maxOpenNotionalLong: fp9('5000') })).toMatchObject([
    { type: 'notionalQuotaSet', quotaLong: 0n, quotaShort: fp9('500') },
  ])
  expect(configured({ maxOpenNotionalShort: fp9('9000') })).toMatchObject([{ quotaLong: 0n, quotaShort: 0n }])
})

test('what fires right after the maximum was made larger has the quota that there was', () => {
  const venue = new Venue({ market: { maxOpenNotionalLong: fp9('5000') } })
  venue.accepted(quota('3000'))
  const { id } = venue.place({ orderType: 'limit', triggerPrice: fp9('95'), amount: fp9('50') })
  venue.accepted({ type: 'configureMarket', market: { id: MARKET, maxOpenNotionalLong: fp9('9000') } })
  venue.tick('95')
  expect(venue.order(id)).toMatchObject({ status: 'executed', errorCode: null })
})

test('the same quota again is no event; an unknown market is refused', () => {
  const venue = new Venue()
  const [event] = venue.accepted(quota('7', '8')).events
  expect(event).toEqual({
    type: 'notionalQuotaSet',
    marketId: MARKET,
    quotaLong: fp9('7'),
    quotaShort: fp9('8'),
  })
  expect(venue.accepted(quota('7', '8')).events).toEqual([])
  expect(venue.rejection({ ...quota('7'), marketId: UNKNOWN })).toBe('market_not_found')
  expect(venue.rejection({ ...quota('7'), quotaShort: -1n })).toBe('validation_failed quotaShort')
})
