import { describe, expect, test } from 'vitest'
import { fp9, MARKET_DEFAULTS, type MarketConfiguration } from '../../../../src/index.ts'
import { ACCOUNT, MARKET, OTHER_MARKET, PLAIN_MARKET, START, UNKNOWN, Venue } from '../../venue.ts'

const listing = (fields: Partial<MarketConfiguration>): MarketConfiguration => ({
  id: OTHER_MARKET,
  baseAsset: 'ETH',
  ticker: 'ETH/USD',
  category: 'crypto',
  ...fields,
})

const refused = (fields: Partial<MarketConfiguration>) =>
  new Venue().rejection({ type: 'configureMarket', market: listing(fields) })

describe('listing a market', () => {
  test('identity is required, the rest has the documented defaults', () => {
    const venue = new Venue()
    venue.accepted({ type: 'configureMarket', market: listing({}) })
    const record = venue.engine.read.market(OTHER_MARKET)
    const { spread, feeRate, minLeverage, maxLeverage, minNotional, minStopDistance } = MARKET_DEFAULTS
    expect(record?.config).toMatchObject({
      spread,
      feeRate,
      minLeverage,
      maxLeverage,
      minNotional,
      minStopDistance,
    })
    expect(record?.state).toMatchObject({ indexPrice: 0n, updatedAt: null })
    for (const field of ['baseAsset', 'ticker', 'category'] as const)
      expect(refused({ [field]: null as never })).toBe(`validation_failed market.${field}`)
  })

  test('null means the default, where null is no value', () => {
    const venue = new Venue()
    venue.accepted({ type: 'configureMarket', market: listing({ feeRate: null as never }) })
    expect(venue.engine.read.market(OTHER_MARKET)?.config.feeRate).toBe(MARKET_DEFAULTS.feeRate)
  })

  test('G5, I12: base assets are unique, case-sensitive, and none is called portfolio', () => {
    expect(refused({ baseAsset: 'BTC' })).toBe('validation_failed market.baseAsset')
    expect(refused({ baseAsset: 'portfolio' })).toBe('validation_failed market.baseAsset')
    const venue = new Venue()
    venue.accepted({ type: 'configureMarket', market: listing({ baseAsset: 'btc' }) })
    expect([venue.engine.read.marketIdOf('BTC'), venue.engine.read.marketIdOf('btc')]).toEqual([
      MARKET,
      OTHER_MARKET,
    ])
    expect(venue.engine.read.marketIdOf('Btc')).toBeUndefined()
  })

  test('a first price counts from priceAt, or from now', () => {
    const venue = new Venue()
    const market = listing({ indexPrice: fp9('5'), priceAt: START - 7_000 })
    venue.accepted({ type: 'configureMarket', market })
    expect(venue.engine.read.market(OTHER_MARKET)?.state.updatedAt).toBe(START - 7_000)
    expect(venue.engine.read.market(MARKET)?.state.updatedAt).toBe(START)
  })

  test('E1: parameters under which a fresh fill could be born liquidatable are refused, to the unit', () => {
    const bound = (maintenanceMarginRate: bigint) =>
      refused({ maxLeverage: fp9('100'), spread: fp9('0.1%'), maintenanceMarginRate })
    // mmr < (1 − 0.001)/100 − 0.001 = 0.00899
    expect(bound(8_990_000n)).toBe('validation_failed market.maintenanceMarginRate')
    expect(bound(8_989_999n)).toBe('accepted')
  })

  test.each([
    [{ spread: fp9('1') }, 'spread'],
    [{ feeRate: fp9('1') }, 'feeRate'],
    [{ minLeverage: fp9('20'), maxLeverage: fp9('10') }, 'maxLeverage'],
    [{ minStopDistance: fp9('1') }, 'minStopDistance'],
    [{ scalpingCoefficient: fp9('0.999999999') }, 'scalpingCoefficient'],
    [{ fundingIntervalMs: 999 }, 'fundingIntervalMs'],
    [{ indexPrice: 0n }, 'indexPrice'],
    [{ minLeverage: 0n }, 'minLeverage'],
    [{ spread: -1n }, 'spread'],
    [{ maxPriceAgeMs: 0.5 }, 'maxPriceAgeMs'],
    [{ misspelt: 1n } as never, 'misspelt'],
  ])('a parameter out of range is refused by name: %o', (fields, field) => {
    expect(refused(fields)).toBe(`validation_failed market.${field}`)
  })
})

describe('changing a market', () => {
  const change = (venue: Venue, market: Partial<MarketConfiguration>) =>
    venue.rejection({ type: 'configureMarket', market: { id: MARKET, ...market } })

  test('keeps what is not named, and null clears what can be unlimited', () => {
    const venue = new Venue({ market: { maxOpenNotionalLong: fp9('5'), maxOpenNotionalShort: fp9('6') } })
    expect(change(venue, { feeRate: fp9('1%'), maxOpenNotionalLong: null })).toBe('accepted')
    expect(venue.engine.read.market(MARKET)?.config).toMatchObject({
      feeRate: fp9('1%'),
      maxOpenNotionalLong: null,
      maxOpenNotionalShort: fp9('6'),
      spread: PLAIN_MARKET.spread,
    })
  })

  test('keeps its identity; its price comes from ticks alone', () => {
    const venue = new Venue()
    expect(change(venue, { baseAsset: 'ETH' })).toBe('validation_failed market.baseAsset')
    expect(change(venue, { category: 'rwa' })).toBe('validation_failed market.category')
    expect(change(venue, { indexPrice: fp9('1') })).toBe('validation_failed market.indexPrice')
    expect(change(venue, { priceAt: START })).toBe('validation_failed market.priceAt')
    expect(change(venue, { baseAsset: 'BTC', category: 'crypto' })).toBe('accepted')
  })

  test('E1 holds for the result of a change', () => {
    expect(change(new Venue(), { maxLeverage: fp9('200') })).toBe(
      'validation_failed market.maintenanceMarginRate',
    )
  })

  test('status may come along', () => {
    const venue = new Venue()
    expect(change(venue, { status: 'paused' })).toBe('accepted')
    expect(venue.engine.read.market(MARKET)?.settings).toEqual({ isPaused: true, isCloseOnly: false })
  })

  test('levels follow the maintenance margin rate', () => {
    const venue = new Venue()
    const { id } = venue.open()
    change(venue, { maintenanceMarginRate: fp9('0.9%') })
    // (1000 − 100) / (10·0.991)
    expect(venue.liquidationPrice()).toBe(90_817_356_206n)
    venue.tick(90_817_356_207n)
    expect(venue.positionById(id).status).toBe('opened')
    venue.tick(90_817_356_206n)
    expect(venue.positionById(id).status).toBe('liquidated')
  })

  test('unknown markets are not found', () => {
    const venue = new Venue()
    const marketId = UNKNOWN
    expect(venue.rejection({ type: 'setMarketStatus', marketId, status: 'open' })).toBe('market_not_found')
    expect(venue.rejection({ type: 'setFundingRate', marketId, fundingRate: 0n })).toBe('market_not_found')
    expect(venue.rejection({ type: 'updatePrice', marketId, indexPrice: 1n })).toBe('market_not_found')
    expect(venue.rejection({ type: 'weeklySessionRiskClose', marketId })).toBe('market_not_found')
    expect(venue.placeRefusal({ marketId })).toBe('market_not_found')
  })

  test('a tick needs a price above zero', () => {
    const venue = new Venue()
    for (const indexPrice of [0n, -1n])
      expect(venue.rejection({ type: 'updatePrice', marketId: MARKET, indexPrice })).toBe(
        'validation_failed indexPrice',
      )
  })
})

describe('I1, G5: the market list shows the leverage bound that applies to the account', () => {
  test.each([
    ['50', 'active_evaluation', '50'],
    ['200', 'active_evaluation', '100'],
    ['50', null, '100'],
  ] as const)('phase maximum %s in phase %s under a market maximum of 100: %s', (maximum, phase, shown) => {
    const venue = new Venue({ account: { maxLeverage: fp9(maximum), phase } })
    expect(venue.engine.read.markets(ACCOUNT)[0]?.config.maxLeverage).toBe(fp9(shown))
    expect(venue.engine.read.markets()[0]?.config.maxLeverage).toBe(fp9('100'))
  })
})
