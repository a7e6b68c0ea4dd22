import { describe, expect, test } from 'vitest'
import { fp9, type PlaceOrder } from '../../../../src/index.ts'
import { ACCOUNT, OTHER_ACCOUNT, Venue } from '../../venue.ts'

const P = fp9
type Terms = Partial<Omit<PlaceOrder, 'type'>>

describe('C1: a quote-sized order spends its amount exactly', () => {
  test('fee on the gross exposure, margin the rest, size at the execution price', () => {
    const venue = new Venue({ market: { feeRate: P('0.1%'), spread: P('0.05%') } })
    const { free } = venue
    const position = venue.open({ amount: P('100'), leverage: P('5') })
    // fee = 100·5·0.001 = 0.5, margin 99.5, notional 497.5, size 497.5/100.05
    expect(position).toMatchObject({
      feeInEvent: P('0.5'),
      margin: P('99.5'),
      notional: P('497.5'),
      size: 4_972_513_743n,
      exchangedQuote: P('497.5'),
      exchangedBase: 4_972_513_743n,
      feeRate: P('0.1%'),
    })
    expect(free - venue.free).toBe(P('100'))
  })

  test('a long gets its size rounded down, a short owes it rounded up', () => {
    const sizeOf = (direction: 'long' | 'short') =>
      new Venue({ market: { indexPrice: P('3') } }).open({ direction, amount: P('1'), leverage: P('1') }).size
    expect([sizeOf('long'), sizeOf('short')]).toEqual([333_333_333n, 333_333_334n])
  })

  test('the fee is rounded up, and the margin takes the difference', () => {
    const venue = new Venue({ market: { feeRate: 1n } })
    // 1.5 · 1.1 · 10⁻⁹ = 1.65 units
    expect(venue.open({ amount: P('1.5'), leverage: P('1.1') })).toMatchObject({
      fee: 2n,
      margin: P('1.5') - 2n,
    })
  })

  test('the executed order spent its whole amount', () => {
    expect(new Venue({ market: { feeRate: P('0.1%') } }).place()).toMatchObject({
      status: 'executed',
      amount: P('100'),
      reservedAmount: null,
      baseSize: null,
      sizeMode: 'quote',
      indexPrice: P('100'),
      realizedPnl: null,
      rawRealizedPnl: null,
    })
  })

  test('a fee that eats the amount, or a size of nothing, leaves an order with zero size', () => {
    const venue = new Venue({ market: { feeRate: P('10%') } })
    expect(venue.place({ leverage: P('10') }).errorCode).toBe('order_zero_size_at_execution')
    expect(venue.place({ leverage: P('9.99'), amount: P('1') }).status).toBe('executed')
    const dear = new Venue({ market: { indexPrice: P('2000000000') } })
    expect(dear.place({ amount: 1n, leverage: P('1') }).errorCode).toBe('order_zero_size_at_execution')
  })
})

describe('C2: a base-sized order trades its size and returns what it did not need', () => {
  const base: Terms = { sizeMode: 'base', baseSize: P('2'), amount: P('50') }

  test('margin and fee from the notional, the difference back to the free balance', () => {
    const venue = new Venue({ market: { feeRate: P('0.1%'), spread: P('0.05%') } })
    const { free } = venue
    const order = venue.place(base)
    // 2 · 100.05 = 200.1; margin 20.01, fee 0.2001
    expect(order).toMatchObject({
      amount: P('20.2101'),
      reservedAmount: P('50'),
      baseSize: P('2'),
      sizeMode: 'base',
    })
    expect(venue.position()).toMatchObject({
      size: P('2'),
      notional: P('200.1'),
      margin: P('20.01'),
      fee: P('0.2001'),
    })
    expect(free - venue.free).toBe(P('20.2101'))
  })

  test('a long pays its notional rounded up, a short gets it rounded down; margin and fee go up', () => {
    const market = { indexPrice: 3n, feeRate: P('10%'), maxLeverage: P('5') }
    const terms: Terms = { sizeMode: 'base', baseSize: P('33.5'), amount: P('1'), leverage: P('3') }
    // 33.5 · 3 units = 100.5 units
    const long = new Venue({ market }).place(terms)
    expect(long).toMatchObject({ status: 'executed', amount: 34n + 11n })
    const short = new Venue({ market }).place({ ...terms, direction: 'short' })
    expect(short).toMatchObject({ status: 'executed', amount: 34n + 10n })
  })

  test('a reserve that just covers margin and fee is enough, one unit less fails and releases all', () => {
    const venue = new Venue({ market: { feeRate: P('0.1%') } })
    const { free } = venue
    expect(venue.place({ ...base, amount: P('20.2') }).status).toBe('executed')
    const failed = venue.place({ ...base, amount: P('20.2') - 1n })
    expect(failed).toMatchObject({
      status: 'canceled_by_error',
      errorCode: 'insufficient_reserve_at_execution',
      amount: P('20.2') - 1n,
      reservedAmount: P('20.2') - 1n,
      indexPrice: null,
    })
    expect(free - venue.free).toBe(P('20.2'))
  })

  test('while it waits both amounts show the reserve, and a cancellation keeps both', () => {
    const venue = new Venue()
    const { id } = venue.place({ ...base, orderType: 'limit', triggerPrice: P('90') })
    expect(venue.order(id)).toMatchObject({ amount: P('50'), reservedAmount: P('50') })
    venue.accepted({ type: 'cancelOrder', orderId: id })
    expect(venue.order(id)).toMatchObject({ amount: P('50'), reservedAmount: P('50'), status: 'canceled' })
  })
})

describe('C3: the expected amount is the limit of the size', () => {
  const size = P('10')
  test.each([
    ['long', size, 'executed'],
    ['long', size + 1n, 'slippage_tolerance'],
    ['short', size, 'executed'],
    ['short', size - 1n, 'slippage_tolerance'],
    ['long', 0n, 'executed'],
    ['short', 0n, 'executed'],
  ] as const)('%s of 10 expecting %s: %s', (direction, expectedAmount, result) => {
    const { status, errorCode } = new Venue().place({ direction, expectedAmount })
    expect(errorCode ?? status).toBe(result)
  })

  test('it is about the size this order adds, not the position', () => {
    const venue = new Venue()
    venue.open()
    expect(venue.place({ expectedAmount: size + 1n }).errorCode).toBe('slippage_tolerance')
  })

  test('it applies to base-sized orders, and travels to the limit a stop_limit spawns', () => {
    const base: Terms = { sizeMode: 'base', baseSize: P('1'), expectedAmount: P('1') + 1n }
    expect(new Venue().place(base).errorCode).toBe('slippage_tolerance')
    const venue = new Venue()
    venue.place({
      orderType: 'stop_limit',
      triggerPrice: P('105'),
      stopLimitPrice: P('100'),
      expectedAmount: P('10.5'),
    })
    venue.tick('105')
    const [limit] = venue.orders()
    venue.tick('99')
    expect(venue.order(limit?.id ?? '').errorCode).toBe('slippage_tolerance')
  })
})

describe('C4, C5, B8: the checks of an execution', () => {
  test.each([
    [{ minNotional: P('1000') }, 'executed'],
    [{ minNotional: P('1000') + 1n }, 'order_below_min_notional'],
    [{ maxOrderNotional: P('1000') }, 'executed'],
    [{ maxOrderNotional: P('1000') - 1n }, 'order_exceeds_market_depth'],
  ])('a notional of 1000 under %o: %s', (market, result) => {
    const { status, errorCode } = new Venue({ market }).place()
    expect(errorCode ?? status).toBe(result)
  })

  test('the minimum is for increases alone: dust can always be closed', () => {
    const venue = new Venue({ market: { minNotional: P('1000') } })
    venue.open()
    expect(venue.close(1n).status).toBe('executed')
  })

  test('C5: open notional counts over all accounts and fits up to equality, at placement', () => {
    const venue = new Venue({ market: { maxOpenNotionalLong: P('2000') }, otherAccount: {} })
    venue.open({ accountId: OTHER_ACCOUNT })
    expect(venue.placeRefusal({ amount: P('100') + 1n })).toBe('order_exceeds_max_open_notional')
    expect(venue.place({ direction: 'short', amount: P('1000') }).status).toBe('executed')
    venue.open()
    expect(venue.placeRefusal({ amount: 1n })).toBe('order_exceeds_max_open_notional')
    expect(venue.placeRefusal({ orderType: 'limit', triggerPrice: P('90'), amount: 1n })).toBe(
      'order_exceeds_max_open_notional',
    )
  })

  test('C5: shorts have a maximum of their own', () => {
    const venue = new Venue({ market: { maxOpenNotionalShort: P('1000') } })
    expect(venue.placeRefusal({ direction: 'short', amount: P('100') + 1n })).toBe(
      'order_exceeds_max_open_notional',
    )
    venue.open({ direction: 'short' })
  })

  test('C5: what closes, in full or in part, is liquidated or force closed makes room', () => {
    const venue = new Venue({ market: { maxOpenNotionalLong: P('1000') }, otherAccount: {} })
    venue.open()
    venue.close(P('4'))
    expect(venue.placeRefusal({ amount: P('40') + 1n })).toBe('order_exceeds_max_open_notional')
    venue.open({ amount: P('40') })
    venue.close()
    venue.open()
    venue.accepted({ type: 'forceClosePosition', positionId: venue.position().id })
    venue.open()
    venue.tick('80')
    venue.open({ accountId: OTHER_ACCOUNT })
  })

  test('C5: resting orders do not count; it is checked again when they fire, on the executed notional', () => {
    const venue = new Venue({ market: { maxOpenNotionalLong: P('1000') } })
    const first = venue.place({ orderType: 'limit', triggerPrice: P('95') })
    const second = venue.place({ orderType: 'limit', triggerPrice: P('95'), amount: P('0.1') })
    venue.tick('95')
    expect(venue.order(first.id).status).toBe('executed')
    expect(venue.order(second.id).errorCode).toBe('order_exceeds_max_open_notional')
  })

  test('POST 7 uses the reserve, also of a base-sized order that will need less', () => {
    const venue = new Venue({ market: { maxOpenNotionalLong: P('1000') } })
    const base: Terms = { sizeMode: 'base', baseSize: P('1') }
    expect(venue.placeRefusal({ ...base, amount: P('100') + 1n })).toBe('order_exceeds_max_open_notional')
    expect(venue.place({ ...base, amount: P('100') }).status).toBe('executed')
  })

  test('POST 7 takes the fee off first', () => {
    const venue = new Venue({ market: { maxOpenNotionalLong: P('990'), feeRate: P('0.1%') } })
    expect(venue.place().status).toBe('executed')
  })

  test('C4: close-only → zero size → reserve → minimum → depth → open notional → slippage', () => {
    const base: Terms = { sizeMode: 'base', baseSize: P('10'), orderType: 'limit', triggerPrice: P('95') }
    const result = (market: object, terms: Terms, change?: object) => {
      const venue = new Venue({ market })
      const { id } = venue.place(terms)
      if (change !== undefined)
        venue.accepted({ type: 'configureMarket', market: { id: venue.order(id).marketId, ...change } })
      venue.tick('95')
      return venue.order(id).errorCode
    }
    const [low, high] = [1n, P('1000000')]
    const tight = { minNotional: high, maxOrderNotional: low, maxOpenNotionalLong: low }
    expect(result({}, { ...base, amount: 1n }, { ...tight, status: 'close_only' })).toBe(
      'market_close_only_at_execution',
    )
    expect(result({ feeRate: P('10%') }, { ...base, sizeMode: 'quote', baseSize: null }, tight)).toBe(
      'order_zero_size_at_execution',
    )
    expect(result({}, { ...base, amount: 1n }, tight)).toBe('insufficient_reserve_at_execution')
    expect(result({}, base, tight)).toBe('order_below_min_notional')
    expect(result({}, base, { ...tight, minNotional: 0n })).toBe('order_exceeds_market_depth')
    expect(result({}, { ...base, expectedAmount: high }, { maxOpenNotionalLong: low })).toBe(
      'order_exceeds_max_open_notional',
    )
    expect(result({}, { ...base, expectedAmount: high })).toBe('slippage_tolerance')
  })

  test('a market order that fails is accepted, spends nothing and says why', () => {
    const venue = new Venue({ market: { minNotional: P('2000') } })
    const { free } = venue
    expect(venue.place({ stopTriggerPrice: P('95') })).toMatchObject({
      status: 'canceled_by_error',
      errorCode: 'order_below_min_notional',
      reason: null,
      indexPrice: null,
    })
    expect(venue.free).toBe(free)
    expect(venue.engine.read.activePositions(ACCOUNT)).toEqual([])
    expect(venue.orders()).toEqual([])
  })
})

describe('C6, F18: an increase adds up, whatever its leverage', () => {
  test('sizes, notionals, margins and fees are sums; the entry price is derived', () => {
    const venue = new Venue({ market: { feeRate: P('0.1%') } })
    const first = venue.open()
    venue.tick('110')
    const second = venue.open({ leverage: P('2'), amount: P('50') })
    expect(second).toMatchObject({
      id: first.id,
      version: 2,
      notional: first.notional + second.exchangedQuote,
      size: first.size + second.exchangedBase,
      fee: first.fee + second.feeInEvent,
      margin: P('99') + P('49.9'),
      openedAt: first.openedAt,
    })
  })

  test('A3: the other direction opens a position of its own, its size a magnitude too', () => {
    const venue = new Venue()
    const long = venue.open()
    const short = venue.open({ direction: 'short' })
    expect(short.id).not.toBe(long.id)
    expect(venue.engine.read.activePositions(ACCOUNT).length).toBe(2)
    expect(short.size > 0n && short.notional > 0n && short.exchangedBase > 0n).toBe(true)
  })

  test('a position that is opened again is a new one (F16)', () => {
    const venue = new Venue()
    const first = venue.open()
    venue.close()
    const second = venue.open()
    expect(second.id).not.toBe(first.id)
    expect(second.version).toBe(1)
  })
})
