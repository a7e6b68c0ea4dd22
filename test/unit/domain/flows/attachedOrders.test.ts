import { describe, expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { START, Venue } from '../../venue.ts'

const P = fp9

describe('F13: stop-loss and take-profit are created when the increase executes', () => {
  test('as close orders on the position, of the size the order added', () => {
    const venue = new Venue()
    venue.open({ amount: P('50') })
    venue.wait(1_000)
    const parent = venue.place({ stopTriggerPrice: P('95'), takeTriggerPrice: P('120') })
    const [take, stop] = venue.orders()
    const common = {
      status: 'active',
      direction: 'long',
      positionId: venue.position().id,
      parentOrderId: parent.id,
      amount: P('10'),
      createdAt: START + 1_000,
      leverage: null,
      indexPrice: null,
    }
    expect(stop).toMatchObject({
      ...common,
      orderType: 'stop',
      triggerPrice: P('95'),
      limitPrice: P('95'),
      stopPrice: 0n,
    })
    expect(take).toMatchObject({ ...common, orderType: 'take', triggerPrice: P('120'), limitPrice: P('120') })
  })

  test('each alone, at the least price there is as well', () => {
    for (const [stopTriggerPrice, takeTriggerPrice] of [
      [1n, null],
      [null, P('120')],
    ] as const) {
      const venue = new Venue()
      venue.place({ leverage: P('1'), stopTriggerPrice, takeTriggerPrice })
      expect(venue.orders().map(({ orderType, triggerPrice }) => [orderType, triggerPrice])).toEqual([
        stopTriggerPrice === null ? ['take', takeTriggerPrice] : ['stop', stopTriggerPrice],
      ])
    }
  })

  test('the parent shows them still', () => {
    const parent = new Venue().place({ stopTriggerPrice: P('95'), takeTriggerPrice: P('120') })
    expect(parent).toMatchObject({ stopTriggerPrice: P('95'), takeTriggerPrice: P('120') })
  })

  test('of a deferred order only when it fires; of a failed one never', () => {
    const venue = new Venue()
    venue.place({ orderType: 'limit', triggerPrice: P('90'), stopTriggerPrice: P('85') })
    expect(venue.orders().length).toBe(1)
    venue.tick('90')
    expect(venue.orders().map(({ orderType }) => orderType)).toEqual(['stop'])
    const failing = new Venue({ market: { minNotional: P('2000') } })
    failing.place({ stopTriggerPrice: P('95') })
    expect(failing.orders()).toEqual([])
  })

  test('F14: they are never resized', () => {
    const venue = new Venue()
    venue.place({ stopTriggerPrice: P('95') })
    venue.open()
    venue.close(P('15'))
    expect(venue.orders().map(({ amount }) => amount)).toEqual([P('10')])
    venue.tick('95')
    expect(venue.orders()).toEqual([])
  })

  test('F15: when one fires on a part of the position, its sibling stays', () => {
    const venue = new Venue()
    venue.place({ stopTriggerPrice: P('95'), takeTriggerPrice: P('110') })
    venue.open({ amount: P('50') })
    venue.tick('110')
    expect(venue.orders().map(({ orderType }) => orderType)).toEqual(['stop'])
    expect(venue.position().size).toBe(P('5'))
  })

  test('F16: when it closes the position, its sibling is canceled_by_position', () => {
    const venue = new Venue()
    venue.place({ stopTriggerPrice: P('95'), takeTriggerPrice: P('110') })
    const [, stop] = venue.orders()
    venue.tick('110')
    expect(venue.order(stop?.id ?? '')).toMatchObject({ status: 'canceled_by_position', reason: null })
  })

  test('F16: entries on the same market are not affected by a close', () => {
    const venue = new Venue()
    const limit = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    venue.open()
    venue.close()
    expect(venue.order(limit.id).status).toBe('active')
  })
})

describe('F4: a stop_limit turns into a limit', () => {
  const terms = {
    orderType: 'stop_limit',
    triggerPrice: P('105'),
    stopLimitPrice: P('103'),
    stopTriggerPrice: P('100'),
    takeTriggerPrice: P('120'),
  } as const

  test('the parent is executed having spent nothing; the child takes over its reserve without touching free', () => {
    const venue = new Venue()
    const parent = venue.place(terms)
    const { free } = venue
    venue.wait(1_000)
    venue.tick('106')
    expect(venue.free).toBe(free)
    expect(venue.order(parent.id)).toMatchObject({
      status: 'executed',
      amount: 0n,
      indexPrice: P('106'),
      realizedPnl: null,
      triggerPrice: P('105'),
      stopPrice: P('105'),
      limitPrice: P('103'),
    })
    const [child] = venue.orders()
    expect(child).toMatchObject({
      orderType: 'limit',
      parentOrderId: parent.id,
      triggerPrice: P('103'),
      limitPrice: P('103'),
      stopPrice: 0n,
      stopTriggerPrice: P('100'),
      takeTriggerPrice: P('120'),
      amount: P('100'),
      leverage: P('10'),
      positionId: null,
      createdAt: START + 1_000,
    })
    venue.accepted({ type: 'cancelOrder', orderId: child?.id ?? '' })
    expect(venue.free).toBe(P('10000'))
  })

  test('with nothing free the child still has its reserve', () => {
    const venue = new Venue()
    venue.place({ ...terms, amount: P('10000') })
    expect(venue.free).toBe(0n)
    venue.tick('105')
    expect([venue.free, venue.orders()[0]?.amount]).toEqual([0n, P('10000')])
  })

  test('what the child spawns names the child as its parent', () => {
    const venue = new Venue()
    venue.place(terms)
    venue.tick('105')
    const [child] = venue.orders()
    venue.tick('103')
    expect(venue.orders().map(({ parentOrderId }) => parentOrderId)).toEqual([child?.id, child?.id])
  })

  test('a base-sized one stays base-sized', () => {
    const venue = new Venue()
    const parent = venue.place({ ...terms, sizeMode: 'base', baseSize: P('2'), amount: P('50') })
    venue.tick('105')
    const [child] = venue.orders()
    expect(child).toMatchObject({
      sizeMode: 'base',
      baseSize: P('2'),
      amount: P('50'),
      reservedAmount: P('50'),
    })
    expect(venue.order(parent.id)).toMatchObject({ amount: 0n, reservedAmount: P('50') })
    venue.tick('103')
    expect(venue.order(child?.id ?? '')).toMatchObject({ amount: P('20.6'), reservedAmount: P('50') })
  })

  test('the child is not validated again: it may be on the wrong side of the market', () => {
    const venue = new Venue()
    venue.place({
      ...terms,
      direction: 'short',
      triggerPrice: P('95'),
      stopLimitPrice: P('97'),
      stopTriggerPrice: P('99'),
      takeTriggerPrice: P('80'),
    })
    venue.tick('90')
    expect(venue.orders()[0]).toMatchObject({ orderType: 'limit', direction: 'short', triggerPrice: P('97') })
  })
})
