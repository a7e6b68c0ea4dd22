import { describe, expect, test } from 'vitest'
import { type Direction, fp9, type PlaceOrder } from '../../../../src/index.ts'
import { MARKET, Venue } from '../../venue.ts'

const P = fp9
type Terms = Partial<Omit<PlaceOrder, 'type'>>

function trailing(terms: Terms, direction: Direction = 'long') {
  const venue = new Venue()
  const { id } = venue.open({ direction, leverage: P('2') })
  const order = venue.place({
    orderType: 'trailing_stop',
    direction,
    positionId: id,
    amount: P('1'),
    ...terms,
  })
  const ticked = (...prices: string[]) => {
    for (const price of prices) venue.tick(price)
    const { status, triggerPrice, limitPrice } = venue.order(order.id)
    expect(limitPrice).toBe(triggerPrice)
    return status === 'active' ? triggerPrice : status
  }
  return { venue, order, ticked }
}

describe('F8: a trailing stop follows the best price since its activation', () => {
  test('a long keeps its distance below the highest index and never moves back', () => {
    const { ticked, order } = trailing({ trailingStopOffset: P('5') })
    expect(order).toMatchObject({ triggerPrice: P('95'), limitPrice: P('95'), stopPrice: 0n })
    expect(ticked('103')).toBe(P('98'))
    expect(ticked('99')).toBe(P('98'))
    expect(ticked('104')).toBe(P('99'))
    expect(ticked('99.000000001')).toBe(P('99'))
    expect(ticked('99')).toBe('executed')
  })

  test('a short mirrors it', () => {
    const { ticked, order } = trailing({ trailingStopOffset: P('5') }, 'short')
    expect(order.triggerPrice).toBe(P('105'))
    expect(ticked('97', '101')).toBe(P('102'))
    expect(ticked('101.999999999')).toBe(P('102'))
    expect(ticked('102')).toBe('executed')
  })

  test('a percentage is of the best price, its distance rounded down', () => {
    const long = trailing({ trailingStopOffsetPercent: P('10%') })
    expect(long.ticked('100.000000009')).toBe(100_000_000_009n - 10_000_000_000n)
    const short = trailing({ trailingStopOffsetPercent: P('10%') }, 'short')
    expect(short.ticked('99.999999999')).toBe(99_999_999_999n + 9_999_999_999n)
  })

  test('with an activation price it waits, reading 0, until the index is at it', () => {
    const { ticked, order, venue } = trailing({
      trailingStopOffset: P('5'),
      trailingStopActivationPrice: P('110'),
    })
    expect(order.triggerPrice).toBe(0n)
    expect(ticked('109.999999999', '90')).toBe(0n)
    expect(ticked('110')).toBe(P('105'))
    expect(ticked('106')).toBe(P('105'))
    expect(venue.order(order.id).trailingStopActivationPrice).toBe(P('110'))
  })

  test('a short waits for the index to fall to it', () => {
    const { ticked } = trailing({ trailingStopOffset: P('5'), trailingStopActivationPrice: P('90') }, 'short')
    expect(ticked('90.000000001')).toBe(0n)
    expect(ticked('90')).toBe(P('95'))
  })

  test.each([
    ['long', '100'],
    ['long', '99'],
    ['short', '100'],
    ['short', '101'],
    ['long', '0'],
  ] as const)('a %s is active at once where activation %s is already reached', (direction, activation) => {
    const { order } = trailing(
      { trailingStopOffset: P('5'), trailingStopActivationPrice: P(activation) },
      direction,
    )
    expect(order.triggerPrice).toBe(direction === 'long' ? P('95') : P('105'))
  })

  test('J21: on a tick it ratchets first, then it is tested', () => {
    // One jump to 200 moves the trigger to 195 and must not be tested against the old 95, nor fire on the way.
    const { ticked } = trailing({ trailingStopOffset: P('5') })
    expect(ticked('200')).toBe(P('195'))
    expect(ticked('195')).toBe('executed')
  })

  test('J20: a trigger at or below zero reads 0 and never fires', () => {
    const { ticked } = trailing({ trailingStopOffset: P('100') })
    expect(ticked('60')).toBe(0n)
    expect(ticked('100.000000001')).toBe(1n)
  })

  test('an offset of 0 counts as absent beside a percentage', () => {
    const { order } = trailing({ trailingStopOffset: 0n, trailingStopOffsetPercent: P('1%') })
    expect(order.triggerPrice).toBe(P('99'))
  })

  test('G1: while the market is paused the trail stands still', () => {
    const { ticked, venue } = trailing({ trailingStopOffset: P('5') })
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    expect(ticked('150')).toBe(P('95'))
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'open' })
    expect(ticked('101')).toBe(P('96'))
  })

  test('an ended one shows its last trigger', () => {
    const { ticked, venue, order } = trailing({ trailingStopOffset: P('5') })
    expect(ticked('110', '100')).toBe('executed')
    expect(venue.order(order.id)).toMatchObject({
      triggerPrice: P('105'),
      limitPrice: P('105'),
      indexPrice: P('100'),
    })
  })

  test('a fraction that comes to round to nothing fires where the peak moves to', () => {
    const venue = new Venue()
    venue.tick('0.000005')
    const { id } = venue.open({ direction: 'short', leverage: P('2') })
    const order = venue.place({
      orderType: 'trailing_stop',
      direction: 'short',
      positionId: id,
      amount: P('1'),
      trailingStopOffsetPercent: P('0.02%'),
    })
    expect(order.triggerPrice).toBe(5_001n)
    venue.tick('0.000005')
    venue.tick('0.000004999')
    expect(venue.order(order.id)).toMatchObject({ status: 'executed', triggerPrice: 4_999n })
  })

  test('no event records the ratchet, and the past shows it all the same', async () => {
    const { ticked, venue, order } = trailing({ trailingStopOffset: P('5') })
    const { head } = venue.engine
    ticked('110', '108')
    expect(venue.engine.head).toBe(head + 2)
    const past = await venue.engine.asOf(head + 1)
    expect(past.read.order(order.id)?.triggerPrice).toBe(P('105'))
  })

  test('neither the liquidation price nor a minimum distance is asked', () => {
    const venue = new Venue({ market: { minStopDistance: P('20%') } })
    const { id } = venue.open({ leverage: P('50') })
    const order = venue.place({ orderType: 'trailing_stop', positionId: id, trailingStopOffset: P('50') })
    expect(order).toMatchObject({ triggerPrice: P('50'), requestedTriggerPrice: null })
  })
})
