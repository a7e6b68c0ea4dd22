import { describe, expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { MINUTE, Venue } from '../../venue.ts'

const P = fp9

describe('C7: realized pnl is exchanged quote against the cost of the closed size', () => {
  test('a full close takes the whole cost', () => {
    const venue = new Venue()
    const { id } = venue.open()
    venue.wait(MINUTE)
    venue.tick('103')
    expect(venue.close()).toMatchObject({ realizedPnl: P('30'), rawRealizedPnl: P('30') })
    expect(venue.positionById(id)).toMatchObject({
      status: 'closed',
      size: 0n,
      notional: 0n,
      margin: 0n,
      pnl: P('30'),
      exchangedQuote: P('1030'),
      exchangedBase: P('10'),
      closeReason: null,
    })
  })

  test('a part costs a long its share rounded up, a short its share rounded down; the parts add up', () => {
    const costs = (direction: 'long' | 'short') => {
      const venue = new Venue({ market: { indexPrice: P('3') } })
      const { notional } = venue.open({ direction, sizeMode: 'base', baseSize: 10n, leverage: P('1') })
      expect(notional).toBe(30n)
      const taken = [3n, 3n, 4n].map((size) => {
        const before = venue.position(direction).notional
        const order = venue.close(size, { direction })
        const { status } = order
        expect(status).toBe('executed')
        const after = venue.engine.read.activePositions(order.accountId).at(0)?.notional ?? 0n
        return before - after
      })
      return taken
    }
    expect(costs('long')).toEqual([9n, 9n, 12n])
    expect(costs('short').reduce((sum, cost) => sum + cost)).toBe(30n)
    const uneven = (direction: 'long' | 'short') => {
      const venue = new Venue({ market: { indexPrice: P('1') } })
      venue.open({ direction, sizeMode: 'base', baseSize: 3_000_000_001n, leverage: P('1') })
      venue.tick('1.5')
      venue.open({ direction, sizeMode: 'base', baseSize: 1_000_000_000n, leverage: P('1') })
      const before = venue.position(direction).notional
      venue.close(1_000_000_000n, { direction })
      return before - venue.position(direction).notional
    }
    // 4.500000001 · 1 / 4.000000001 = 1.1249999999…
    expect([uneven('long'), uneven('short')]).toEqual([1_125_000_000n, 1_124_999_999n])
  })

  test('a long gets its proceeds rounded down, a short owes them rounded up', () => {
    const proceeds = (direction: 'long' | 'short') => {
      const venue = new Venue({ market: { indexPrice: P('1.5') } })
      venue.open({ direction, sizeMode: 'base', baseSize: 3n, leverage: P('1') })
      venue.close(1n, { direction })
      return venue.position(direction).exchangedQuote
    }
    expect([proceeds('long'), proceeds('short')]).toEqual([1n, 2n])
  })

  test('pnl is gross of fee and funding', () => {
    const venue = new Venue({ market: { feeRate: P('0.1%') } })
    venue.open({ sizeMode: 'base', baseSize: P('1') })
    venue.wait(MINUTE)
    venue.tick('110')
    expect(venue.close().realizedPnl).toBe(P('10'))
  })
})

describe('C8: the closing fee', () => {
  test('is taken of what was exchanged, rounded up', () => {
    const venue = new Venue({ market: { feeRate: P('0.1%') } })
    const { id } = venue.open({ sizeMode: 'base', baseSize: P('1') })
    venue.tick(100_000_000_001n)
    venue.close()
    // 0.001 of 100.000000001, and 0.1 paid on opening
    expect(venue.positionById(id)).toMatchObject({ feeInEvent: 100_000_001n, fee: 200_000_001n })
  })

  test('is limited to what is left', () => {
    const venue = new Venue({ market: { feeRate: P('5%'), maintenanceMarginRate: 0n } })
    const { id } = venue.open({ sizeMode: 'base', baseSize: P('1'), amount: P('20') })
    venue.tick('92')
    const { free } = venue
    venue.close()
    // margin 10, loss 8: of a fee of 4.6 only 2 are left
    expect(venue.positionById(id)).toMatchObject({ pnlInEvent: P('-8'), feeInEvent: P('2') })
    expect(venue.free).toBe(free)
  })

  test('the rate recorded is the one charged last (C13)', () => {
    const venue = new Venue({ market: { feeRate: P('0.1%') } })
    const { id, marketId } = venue.open()
    venue.accepted({ type: 'configureMarket', market: { id: marketId, feeRate: P('0.2%') } })
    expect(venue.position().feeRate).toBe(P('0.1%'))
    venue.close()
    expect(venue.positionById(id)).toMatchObject({ feeRate: P('0.2%'), feeInEvent: P('1.98') })
  })
})

describe('C9: a partial close releases its share of the margin', () => {
  test('share plus pnl goes to the free balance, the rest of the margin stays', () => {
    const venue = new Venue()
    venue.open()
    venue.wait(MINUTE)
    venue.tick('103')
    const { free } = venue
    venue.close(P('4'))
    expect(venue.position()).toMatchObject({
      size: P('6'),
      notional: P('600'),
      margin: P('60'),
      pnl: P('12'),
    })
    expect(venue.free - free).toBe(P('52'))
  })

  test('the share is rounded down', () => {
    const venue = new Venue()
    venue.open({ sizeMode: 'base', baseSize: P('3'), amount: P('100'), leverage: P('7') })
    const { margin } = venue.position()
    expect(margin).toBe(42_857_142_858n)
    venue.close(P('1'))
    expect(venue.position().margin).toBe(margin - 14_285_714_286n)
    venue.close(P('1'))
    expect(venue.position().margin).toBe(margin - 2n * 14_285_714_286n)
  })

  test('a shortfall is taken from the remaining margin, and nothing is credited', () => {
    const venue = new Venue({ market: { spread: P('1%'), maxLeverage: P('20'), maintenanceMarginRate: 0n } })
    venue.open({ sizeMode: 'base', baseSize: P('10'), amount: P('200') })
    expect(venue.position()).toMatchObject({ notional: P('1010'), margin: P('101') })
    venue.tick('91.5')
    const { free } = venue
    venue.close(P('5'))
    // 5 sold at 90.585 for 452.925: pnl −52.075 against a share of 50.5
    expect(venue.position()).toMatchObject({ margin: P('48.925'), pnlInEvent: P('-52.075') })
    expect(venue.free).toBe(free)
  })

  test('J4: the shortfall may take all of it, and the position stays open', () => {
    const market = { feeRate: P('50%'), maintenanceMarginRate: 0n, maxLeverage: P('4') }
    const venue = new Venue({ market })
    venue.open({ sizeMode: 'base', baseSize: P('10'), amount: P('1000'), leverage: P('4') })
    venue.wait(MINUTE)
    venue.tick('104')
    // 9 sold for 936: pnl 36, fee 468 limited to 250 + 36, share 225; the rest is worth 104 against a cost of 100
    venue.close(P('9'))
    expect(venue.position()).toMatchObject({ feeInEvent: P('286'), margin: 0n, size: P('1') })
  })
})

describe('C10: a position can never lose more than its margin', () => {
  const gap = (direction: 'long' | 'short', price: string) => {
    const venue = new Venue({ market: { feeRate: P('0.1%') } })
    const { id } = venue.open({ direction, sizeMode: 'base', baseSize: P('1'), amount: P('11') })
    venue.place({
      orderType: 'stop',
      direction,
      positionId: id,
      triggerPrice: P(direction === 'long' ? '95' : '105'),
      amount: P('1'),
    })
    const { free } = venue
    venue.tick(price)
    return { ...venue.positionById(id), credited: venue.free - free }
  }

  test('beyond it the close is taken over at the bankruptcy price, free of charge', () => {
    expect(gap('long', '80')).toMatchObject({
      status: 'closed',
      pnlInEvent: P('-10'),
      rawPnlInEvent: P('-10'),
      exchangedQuote: P('90'),
      feeInEvent: 0n,
      credited: 0n,
    })
    expect(gap('short', '120')).toMatchObject({
      pnlInEvent: P('-10'),
      exchangedQuote: P('110'),
      feeInEvent: 0n,
      credited: 0n,
    })
  })

  test('at exactly the margin nothing is left, one unit before it one unit is', () => {
    expect(gap('long', '90')).toMatchObject({ pnlInEvent: P('-10'), exchangedQuote: P('90'), feeInEvent: 0n })
    expect(gap('long', '90.000000001')).toMatchObject({
      pnlInEvent: P('-10') + 1n,
      feeInEvent: 1n,
      credited: 0n,
    })
  })

  test('C11: the house bears the rest, and the ledger still sums to zero', () => {
    const venue = new Venue()
    venue.open()
    venue.tick('50')
    const { free, reserve, margin, house } = venue.engine.read.ledger()
    expect(free + reserve + margin + house).toBe(0n)
    expect(house).toBe(P('-9900'))
  })

  test('a partial close may lose up to the whole margin', () => {
    const venue = new Venue({ market: { maintenanceMarginRate: 0n } })
    const { id } = venue.open()
    venue.place({ orderType: 'stop', positionId: id, triggerPrice: P('95'), amount: P('5') })
    venue.tick('70')
    // 5 · 30 = 150 > 100
    expect(venue.positionById(id)).toMatchObject({ status: 'liquidated', margin: 0n, pnl: P('-100') })
  })
})

describe('C11: balance and equity', () => {
  test('equity marks at the index without spread, rounded down, reserves included', () => {
    const venue = new Venue({ market: { spread: P('0.1%') } })
    venue.open({ sizeMode: 'base', baseSize: 1_500_000_000n })
    venue.place({ orderType: 'limit', triggerPrice: P('90') })
    venue.wait(MINUTE)
    // bought 1.5 at 100.1 for 150.15
    expect(venue.equity).toBe(P('10000') + P('150') - P('150.15'))
    venue.tick('100.000000001')
    expect(venue.equity).toBe(P('10000') + 150_000_000_001n - P('150.15'))
    expect(venue.account().accountBalance).toBe(P('10000'))
  })

  test('of a short the value is rounded up', () => {
    const venue = new Venue()
    venue.open({ direction: 'short', sizeMode: 'base', baseSize: 1_500_000_000n })
    venue.wait(MINUTE)
    venue.tick('99.999999999')
    expect(venue.equity).toBe(P('10000') + P('150') - 149_999_999_999n)
  })
})

describe('C12: roe', () => {
  test('is realized pnl over all margin put up, rounded down, 0 while nothing is realized', () => {
    const venue = new Venue()
    const { id } = venue.open()
    venue.wait(MINUTE)
    venue.accepted({ type: 'changeMargin', positionId: id, marginChange: P('50') })
    expect(venue.position().roe).toBe(0n)
    venue.tick('101')
    venue.close(P('1'))
    expect(venue.position().roe).toBe(6_666_666n)
    venue.open()
    expect(venue.position().roe).toBe(4_000_000n)
    venue.accepted({ type: 'changeMargin', positionId: id, marginChange: P('-20') })
    expect(venue.position().roe).toBe(4_000_000n)
    venue.accepted({ type: 'changeMargin', positionId: id, marginChange: P('250') })
    expect(venue.position().roe).toBe(2_000_000n)
  })

  test('a loss is rounded down as well, toward −∞', () => {
    const venue = new Venue()
    venue.open({ amount: P('300') })
    venue.tick('99.99')
    venue.close(P('10'))
    // −0.1 / 300
    expect(venue.position().roe).toBe(-333_334n)
  })
})
