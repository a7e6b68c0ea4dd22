import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { executionPrice, limitLevel } from '../../../../src/domain/formulas/executionPrice.ts'
import { fp9 } from '../../../../src/index.ts'
import { MINUTE, Venue } from '../../venue.ts'

const entry = (venue: Venue, direction: 'long' | 'short') => {
  const { notional, size } = venue.open({
    direction,
    sizeMode: 'base',
    baseSize: fp9('1'),
    amount: fp9('1000'),
  })
  return { notional, size }
}

describe('B1: the spread is inside the execution price, against the trader', () => {
  test.each([
    ['long', '0.1%', '100', 100_100_000_000n],
    ['short', '0.1%', '100', 99_900_000_000n],
    ['long', '0%', '100', 100_000_000_000n],
    // 0.000000333 · 1.1 = 0.0000003663 and · 0.9 = 0.0000002997: a buyer pays more, a seller gets less.
    ['long', '10%', '0.000000333', 367n],
    ['short', '10%', '0.000000333', 299n],
  ] as const)('a %s with spread %s at %s enters at %s', (direction, spread, price, executed) => {
    const venue = new Venue({ market: { spread: fp9(spread), maxLeverage: fp9('2') } })
    venue.tick(price)
    const order = venue.place({
      direction,
      sizeMode: 'base',
      baseSize: fp9('1'),
      amount: fp9('1000'),
      leverage: fp9('1'),
    })
    expect(venue.position(direction).notional).toBe(executed)
    expect(order.indexPrice).toBe(fp9(price))
  })

  test('opening pays it on one side, closing on the other', () => {
    const venue = new Venue({ market: { spread: fp9('0.1%') } })
    expect(entry(venue, 'long').notional).toBe(fp9('100.1'))
    expect(entry(venue, 'short').notional).toBe(fp9('99.9'))
    expect(venue.close().realizedPnl).toBe(fp9('-0.2'))
    expect(venue.close(fp9('1'), { direction: 'short' }).realizedPnl).toBe(fp9('-0.2'))
  })

  test('A2: opening and closing at one index without spread never earns anything, whatever the rounding', () => {
    for (const direction of ['long', 'short'] as const)
      for (const amount of [1n, 7n, 333_333_333n, 99_999_999_999n]) {
        const venue = new Venue({ market: { indexPrice: 3_141_592_653n } })
        const order = venue.place({ direction, amount, leverage: fp9('3.3') })
        if (order.status !== 'executed') continue
        expect(venue.close(fp9('1000000'), { direction }).realizedPnl).toBeLessThanOrEqual(0n)
      }
  })
})

describe('F3: a limit is executable up to a level of the index', () => {
  const spreads = fc.oneof(fc.constantFrom(0n, 1n, 2n), fc.bigInt(0n, fp9('50%')))
  const limits = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, fp9('1000000')))

  test.each([
    ['long', 'buy', 1n],
    ['short', 'sell', -1n],
  ] as const)(
    'of a %s at that level the limit is kept, and one further it is not',
    (direction, side, further) => {
      fc.assert(
        fc.property(spreads, limits, (spread, limit) => {
          const at = (indexPrice: bigint) =>
            executionPrice({ parameters: { spread }, indexPrice }, side, fp9('1'))
          const level = limitLevel({ parameters: { spread } }, direction, limit)
          const isKept = (price: bigint) => (direction === 'long' ? price <= limit : price >= limit)
          expect([isKept(at(level)), isKept(at(level + further))]).toEqual([true, false])
        }),
      )
    },
  )
})

describe('B2: the scalping coefficient multiplies the spread of a close by order inside its window', () => {
  const scalping = { spread: fp9('0.1%'), scalpingWindowMs: 3 * MINUTE, scalpingCoefficient: fp9('1.5') }
  const closedAfter = (ms: number) => {
    const venue = new Venue({ market: scalping })
    const { id } = venue.open({ sizeMode: 'base', baseSize: fp9('1') })
    venue.wait(ms)
    venue.close()
    return venue.positionById(id)
  }

  test('inside the window, up to its last millisecond', () => {
    expect(closedAfter(3 * MINUTE - 1)).toMatchObject({
      scalpingCoefficient: fp9('1.5'),
      exchangedQuote: fp9('99.85'),
    })
  })

  test('at the end of the window it is over (A5)', () => {
    expect(closedAfter(3 * MINUTE)).toMatchObject({
      scalpingCoefficient: fp9('1'),
      exchangedQuote: fp9('99.9'),
    })
  })

  test('an increase restarts the window, and pays the base spread itself', () => {
    const venue = new Venue({ market: scalping })
    venue.open({ sizeMode: 'base', baseSize: fp9('1') })
    venue.wait(3 * MINUTE)
    const grown = venue.open({ sizeMode: 'base', baseSize: fp9('1') })
    expect(grown).toMatchObject({ exchangedQuote: fp9('100.1'), scalpingCoefficient: fp9('1') })
    venue.wait(3 * MINUTE - 1)
    venue.close(fp9('1'))
    expect(venue.position().scalpingCoefficient).toBe(fp9('1.5'))
  })

  test('losing trades pay it too', () => {
    const venue = new Venue({ market: scalping })
    const { id } = venue.open({ sizeMode: 'base', baseSize: fp9('1') })
    venue.tick('99')
    venue.close()
    expect(venue.positionById(id).scalpingCoefficient).toBe(fp9('1.5'))
  })

  test('liquidation and force close pay the base spread', () => {
    const venue = new Venue({ market: scalping })
    const long = venue.open({ leverage: fp9('50'), sizeMode: 'base', baseSize: fp9('1') })
    const short = venue.open({ direction: 'short', sizeMode: 'base', baseSize: fp9('1') })
    venue.accepted({ type: 'forceClosePosition', positionId: short.id })
    expect(venue.positionById(short.id)).toMatchObject({
      scalpingCoefficient: fp9('1'),
      exchangedQuote: fp9('100.1'),
    })
    venue.tick('98.5')
    expect(venue.positionById(long.id)).toMatchObject({
      status: 'liquidated',
      scalpingCoefficient: fp9('1'),
      exchangedQuote: fp9('98.4015'),
    })
  })

  test('the spread charged is rounded up once: ⌈s·coef/ONE⌉', () => {
    const venue = new Venue({ market: { spread: 1n, scalpingWindowMs: 1, scalpingCoefficient: fp9('1.1') } })
    const { id } = venue.open({ sizeMode: 'base', baseSize: fp9('1') })
    venue.close()
    // s' = 2·10⁻⁹, so a sell at 100 gets 100·(1 − 2·10⁻⁹).
    expect(venue.positionById(id).exchangedQuote).toBe(fp9('99.9999998'))
  })
})

describe('F3, J12: a limit fires when the price it would get is at or better than the limit', () => {
  test('a long one unit above its level does not fire, at it it does', () => {
    const venue = new Venue({ market: { spread: fp9('1%'), maxLeverage: fp9('20') } })
    const { id } = venue.place({ orderType: 'limit', triggerPrice: fp9('90') })
    // The largest index with ⌈index·1.01⌉ ≤ 90 is 89.108910891.
    venue.tick(89_108_910_892n)
    expect(venue.order(id).status).toBe('active')
    venue.tick(89_108_910_891n)
    expect(venue.order(id)).toMatchObject({ status: 'executed', indexPrice: 89_108_910_891n })
  })

  test('a short one unit below its level does not fire, at it it does', () => {
    const venue = new Venue({ market: { spread: fp9('1%'), maxLeverage: fp9('20') } })
    const { id } = venue.place({ orderType: 'limit', direction: 'short', triggerPrice: fp9('110') })
    // The smallest index with ⌊index·0.99⌋ ≥ 110 is 111.111111112.
    venue.tick(111_111_111_111n)
    expect(venue.order(id).status).toBe('active')
    venue.tick(111_111_111_112n)
    expect(venue.order(id).status).toBe('executed')
  })
})
