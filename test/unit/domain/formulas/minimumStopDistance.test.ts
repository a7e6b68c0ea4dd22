import { describe, expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { MARKET, Venue } from '../../venue.ts'

const P = fp9

describe('F9: a stop closer than the minimum distance is pushed out, not refused', () => {
  const venueWith = (distance: string) => {
    const venue = new Venue({ market: { minStopDistance: P(distance) } })
    return { venue, long: venue.open().id, short: venue.open({ direction: 'short' }).id }
  }

  test.each([
    ['long', '99.5', '99', '99.5'],
    ['long', '99', '99', null],
    ['long', '95', '95', null],
    ['short', '100.5', '101', '100.5'],
    ['short', '101', '101', null],
    ['short', '105', '105', null],
  ] as const)('%s stop at %s rests at %s, requested %s', (direction, asked, kept, requested) => {
    const setting = venueWith('1%')
    const order = setting.venue.place({
      orderType: 'stop',
      direction,
      positionId: setting[direction],
      triggerPrice: P(asked),
    })
    expect(order).toMatchObject({
      triggerPrice: P(kept),
      limitPrice: P(kept),
      requestedTriggerPrice: requested === null ? null : P(requested),
    })
  })

  test('the nearest price is rounded away from the market', () => {
    const { venue, long, short } = venueWith('1%')
    venue.tick(100_000_000_001n)
    // 99.00000000099 and 101.00000000101
    const at = (direction: 'long' | 'short', positionId: string) =>
      venue.place({ orderType: 'stop', direction, positionId, triggerPrice: 100_000_000_001n }).triggerPrice
    expect(at('long', long)).toBe(99_000_000_000n)
    expect(at('short', short)).toBe(101_000_000_002n)
  })

  test('at the smallest index a long stop is pushed to 0: it never fires, and can be edited once the price is larger', () => {
    const venue = new Venue({ market: { minStopDistance: P('1%'), indexPrice: 1n } })
    // Without leverage the liquidation price is 0: what is pushed there is not beyond it.
    const { id: positionId } = venue.open({ leverage: P('1') })
    const { id } = venue.place({ orderType: 'stop', positionId, triggerPrice: 1n })
    const asked = { status: 'active', triggerPrice: 0n, limitPrice: 0n, requestedTriggerPrice: 1n }
    expect(venue.order(id)).toMatchObject(asked)
    for (const price of [2n, 1_000n, 1n]) venue.tick(price)
    expect(venue.order(id)).toMatchObject(asked)

    const halved = venue.accepted({ type: 'editOrder', orderId: id, amount: P('50') }).value
    expect(halved).toMatchObject({ ...asked, amount: P('50') })
    expect(venue.rejection({ type: 'editOrder', orderId: halved.id, triggerPrice: 0n })).toBe(
      'trigger_price_reset_forbidden',
    )
    venue.tick(200n)
    const moved = venue.accepted({ type: 'editOrder', orderId: halved.id, triggerPrice: 199n }).value
    expect(moved).toMatchObject({ triggerPrice: 198n, requestedTriggerPrice: 199n })
    venue.tick(198n)
    expect(venue.order(moved.id)).toMatchObject({ status: 'executed', indexPrice: 198n })
  })

  test('at the smallest index a short stop is pushed to the next price', () => {
    const venue = new Venue({ market: { minStopDistance: P('1%'), indexPrice: 10n } })
    const { id: positionId } = venue.open({ direction: 'short', leverage: P('1') })
    venue.tick(1n)
    const stop = venue.place({ orderType: 'stop', direction: 'short', positionId, triggerPrice: 1n })
    expect(stop).toMatchObject({ triggerPrice: 2n, requestedTriggerPrice: 1n })
    venue.tick(2n)
    expect(venue.order(stop.id)).toMatchObject({ status: 'executed', indexPrice: 2n })
  })

  test('at the smallest index a spawned stop is pushed to 0, and a trailing stop never reaches it', () => {
    const venue = new Venue({ market: { minStopDistance: P('1%'), indexPrice: 2n } })
    venue.place({ orderType: 'limit', leverage: P('1'), triggerPrice: 2n, stopTriggerPrice: 1n })
    venue.tick(1n)
    const { id: positionId } = venue.position('long')
    const [stop] = venue.orders()
    expect(stop).toMatchObject({ orderType: 'stop', triggerPrice: 0n, requestedTriggerPrice: 1n })
    venue.place({ orderType: 'trailing_stop', positionId, trailingStopOffset: 1n })
    venue.tick(1n)
    expect(
      venue
        .orders()
        .map(({ orderType }) => orderType)
        .sort(),
    ).toEqual(['stop', 'trailing_stop'])
    expect(venue.rejection({ type: 'updatePrice', marketId: MARKET, indexPrice: 0n })).not.toBe('accepted')
  })

  test('it is pushed after the current-price check and before the liquidation check', () => {
    const { venue, long } = venueWith('9.6%')
    const stop = { orderType: 'stop', positionId: long } as const
    expect(venue.placeRefusal({ ...stop, triggerPrice: P('100') + 1n })).toBe('trigger_price_gt_current')
    expect(venue.placeRefusal({ ...stop, triggerPrice: P('99') })).toBe('trigger_price_lt_liquidation')
  })

  test('an edited stop is pushed again', () => {
    const { venue, long } = venueWith('1%')
    const placed = venue.place({ orderType: 'stop', positionId: long, triggerPrice: P('95') })
    const edited = venue.accepted({ type: 'editOrder', orderId: placed.id, triggerPrice: P('99.9') }).value
    expect(edited).toMatchObject({ triggerPrice: P('99'), requestedTriggerPrice: P('99.9') })
    const kept = venue.accepted({ type: 'editOrder', orderId: edited.id, amount: P('1') }).value
    expect(kept).toMatchObject({ triggerPrice: P('99'), requestedTriggerPrice: P('99.9') })
  })

  test('a spawned stop is pushed, and kept even beyond liquidation', () => {
    const venue = new Venue({ market: { minStopDistance: P('9.6%') } })
    venue.place({ orderType: 'limit', triggerPrice: P('99'), stopTriggerPrice: P('98') })
    venue.tick('99')
    const [stop] = venue.orders()
    // 99·0.904
    expect(stop).toMatchObject({ triggerPrice: P('89.496'), requestedTriggerPrice: P('98') })
  })

  test('no other type is pushed', () => {
    const { venue, long } = venueWith('1%')
    const unpushed = { requestedTriggerPrice: null, triggerPrice: P('100') }
    expect(venue.place({ orderType: 'take', positionId: long, triggerPrice: P('100') })).toMatchObject(
      unpushed,
    )
    expect(venue.place({ orderType: 'limit', triggerPrice: P('100') })).toMatchObject(unpushed)
  })

  test('a distance of 0 pushes nothing: a stop spawned beyond the market keeps its price', () => {
    const venue = new Venue()
    venue.place({ orderType: 'stop_market', triggerPrice: P('105'), stopTriggerPrice: P('104') })
    venue.tick('105')
    venue.tick('200')
    venue.place({ orderType: 'limit', triggerPrice: P('190'), stopTriggerPrice: P('189') })
    venue.tick('150')
    const stops = venue
      .orders()
      .map(({ triggerPrice, requestedTriggerPrice }) => [triggerPrice, requestedTriggerPrice])
    expect(stops).toEqual([
      [P('189'), null],
      [P('104'), null],
    ])
  })
})
