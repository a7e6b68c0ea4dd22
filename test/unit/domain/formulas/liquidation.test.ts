import { describe, expect, test } from 'vitest'
import { fp9, isLiquidatable, type LiquidationTerms, liquidationPrice } from '../../../../src/index.ts'
import { ACCOUNT, MARKET, outline, Venue } from '../../venue.ts'

const P = fp9
const MMR = P('0.5%')
const long: LiquidationTerms = { direction: 'long', size: P('10'), notional: P('1000'), margin: P('100') }
const short: LiquidationTerms = { ...long, direction: 'short' }

describe('E1: the liquidation price', () => {
  test('of a long is rounded up, of a short down: toward the current price', () => {
    // 900/(10·0.995) = 90.45226130653…, 1100/(10·1.005) = 109.45273631840…
    expect(liquidationPrice(long, MMR)).toBe(90_452_261_307n)
    expect(liquidationPrice(short, MMR)).toBe(109_452_736_318n)
  })

  test('a long is liquidated at or below it, a short at or above it', () => {
    expect(isLiquidatable(long, MMR, 90_452_261_308n)).toBe(false)
    expect(isLiquidatable(long, MMR, 90_452_261_307n)).toBe(true)
    expect(isLiquidatable(short, MMR, 109_452_736_317n)).toBe(false)
    expect(isLiquidatable(short, MMR, 109_452_736_318n)).toBe(true)
  })

  test('a long whose margin covers its notional is never liquidated', () => {
    for (const margin of [P('1000'), P('2000')]) {
      expect(liquidationPrice({ ...long, margin }, MMR)).toBe(0n)
      expect(isLiquidatable({ ...long, margin }, MMR, 1n)).toBe(false)
    }
    expect(liquidationPrice({ ...long, margin: P('1000') - 1n }, MMR)).toBe(1n)
  })

  test('right after any accepted increase the index is on the safe side', () => {
    for (const direction of ['long', 'short'] as const)
      for (const leverage of ['1', '2.5', '33.333333333', '50']) {
        const venue = new Venue({ market: { spread: P('0.1%'), feeRate: P('0.1%') } })
        venue.open({ direction, leverage: P(leverage) })
        const price = venue.liquidationPrice(direction)
        expect(direction === 'long' ? price < P('100') : price > P('100')).toBe(true)
      }
  })

  test('it knows neither the spread nor the 60-second cap', () => {
    const venue = new Venue({ market: { spread: P('0.1%') } })
    const { notional, margin, size } = venue.open()
    expect(venue.liquidationPrice()).toBe(
      liquidationPrice({ direction: 'long', notional, margin, size }, MMR),
    )
  })

  test('a tick fires it at the price, not one unit before', () => {
    const venue = new Venue()
    const { id } = venue.open()
    expect(venue.tick(90_452_261_308n)).toEqual([])
    venue.tick(90_452_261_307n)
    expect(venue.positionById(id).status).toBe('liquidated')
  })
})

test('J24: a fill that is liquidatable as it opens is liquidated in the same command', () => {
  const venue = new Venue({ market: { indexPrice: P('48.1') } })
  // One unit of size is worth 48.1 units of quote: N is rounded up to 49 and M to 1, and (49 − 1)/0.995 is above 48.1.
  const { events } = venue.accepted(venue.command({ sizeMode: 'base', baseSize: 1n, leverage: P('50') }))
  expect(events.map(({ type }) => type)).toEqual([
    'orderPlaced',
    'orderExecuted',
    'increasePosition',
    'orderPlaced',
    'orderExecuted',
    'liquidate',
  ])
})

describe('E2, E3: a liquidation', () => {
  const liquidated = () => {
    const venue = new Venue({ market: { spread: P('0.1%'), feeRate: P('0.1%') } })
    const { id } = venue.open({
      sizeMode: 'base',
      baseSize: P('10'),
      amount: P('200'),
      stopTriggerPrice: P('95'),
    })
    const stopId = venue.orders()[0]?.id ?? ''
    venue.accepted({ type: 'editOrder', orderId: stopId, triggerPrice: P('91') })
    const margin = venue.position().margin
    const level = venue.liquidationPrice()
    const { free } = venue
    // The level is above the stop after a withdrawal.
    venue.accepted({ type: 'changeMargin', positionId: id, marginChange: P('-10') })
    const events = venue.tick('91')
    return { venue, id, events, margin, level, free }
  }

  test('takes the whole position and pays nothing out; the fee takes what is left', () => {
    const { venue, id, free } = liquidated()
    const position = venue.positionById(id)
    expect(position).toMatchObject({
      status: 'liquidated',
      size: 0n,
      notional: 0n,
      margin: 0n,
      closeReason: null,
    })
    // sold at 91·0.999 = 90.909 for 909.09 against 1001, margin 90.1
    expect(position).toMatchObject({
      exchangedQuote: P('910.9'),
      pnlInEvent: P('-90.1'),
      feeInEvent: 0n,
      exchangedBase: P('10'),
      holdingTimeMs: 0,
      feeRate: P('0.1%'),
    })
    expect(venue.free).toBe(free + P('10'))
  })

  test('where margin is left, it all becomes fee: M + pnl − fee = 0', () => {
    const venue = new Venue()
    const { id } = venue.open()
    venue.tick('90.4')
    expect(venue.positionById(id)).toMatchObject({
      pnlInEvent: P('-96'),
      feeInEvent: P('4'),
      feeRate: 0n,
      roe: P('-0.96'),
    })
    expect(venue.free).toBe(P('9900'))
  })

  test('raises an executed order of type liquidation, which the event and the history carry', () => {
    const { venue, id, events } = liquidated()
    expect(outline(events)).toEqual([
      'orderPlaced liquidation',
      'orderExecuted',
      'liquidate',
      'orderCanceled canceled_by_position',
    ])
    const order = venue.engine.read.orderHistory(ACCOUNT, MARKET).data[0]
    // (1001 − 90.1)/(10·0.995)
    expect(order).toMatchObject({
      orderType: 'liquidation',
      status: 'executed',
      direction: 'long',
      positionId: id,
      amount: P('10'),
      leverage: null,
      indexPrice: P('91'),
      realizedPnl: P('-90.1'),
      rawRealizedPnl: P('-90.1'),
      triggerPrice: 91_547_738_694n,
      limitPrice: 91_547_738_694n,
      stopPrice: 0n,
      parentOrderId: null,
    })
    expect(venue.engine.read.positionEvents(id)?.[0]).toMatchObject({ eventName: 'liquidate', order })
  })

  test('a short mirrors it', () => {
    const venue = new Venue()
    const { id } = venue.open({ direction: 'short' })
    venue.tick('109.5')
    expect(venue.positionById(id)).toMatchObject({
      status: 'liquidated',
      pnlInEvent: P('-95'),
      feeInEvent: P('5'),
      exchangedQuote: P('1095'),
    })
  })

  test('J17: the rate stays that of the last trade', () => {
    const venue = new Venue({ market: { feeRate: P('0.1%') } })
    const { id } = venue.open()
    venue.accepted({ type: 'configureMarket', market: { id: MARKET, feeRate: P('0.5%') } })
    venue.tick('80')
    expect(venue.positionById(id).feeRate).toBe(P('0.1%'))
  })
})
