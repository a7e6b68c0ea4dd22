import { describe, expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { HOUR, MARKET, MINUTE, START, Venue } from '../../venue.ts'

/** The first instant after the start: 08:00. */
const INSTANT = START - 10 * MINUTE + 8 * HOUR

describe('E4: funding', () => {
  test('at a positive rate longs pay and shorts receive, on size times index', () => {
    const venue = new Venue({ market: { fundingRate: fp9('0.1%') } })
    venue.open()
    venue.open({ direction: 'short' })
    venue.tick('102')
    venue.waitUntil(INSTANT)
    expect(venue.position('long')).toMatchObject({
      eventName: 'payFunding',
      version: 2,
      fundingInEvent: fp9('-1.02'),
      funding: fp9('-1.02'),
      margin: fp9('98.98'),
    })
    expect(venue.position('short')).toMatchObject({ fundingInEvent: fp9('1.02'), margin: fp9('101.02') })
  })

  test('at a negative rate shorts pay and longs receive', () => {
    const venue = new Venue({ market: { fundingRate: fp9('-0.1%') } })
    venue.open()
    venue.open({ direction: 'short' })
    venue.waitUntil(INSTANT)
    expect(venue.position('long').funding).toBe(fp9('1'))
    expect(venue.position('short').funding).toBe(fp9('-1'))
  })

  test('J2: the rate of shorts is what shorts pay, when it is given', () => {
    for (const [rate, paid] of [
      ['0.2%', '-2'],
      ['-0.2%', '2'],
      ['0%', '0'],
    ] as const) {
      const venue = new Venue({ market: { fundingRate: fp9('0.1%'), fundingRateShort: fp9(rate) } })
      venue.open({ direction: 'short' })
      venue.waitUntil(INSTANT)
      expect(venue.position('short').funding).toBe(fp9(paid))
    }
  })

  test('a payer pays rounded up, a receiver gets rounded down, in two steps', () => {
    const venue = new Venue({ market: { fundingRate: fp9('0.1%'), indexPrice: 7n } })
    const terms = {
      sizeMode: 'base',
      baseSize: 1_500_000_001n,
      amount: fp9('1'),
      leverage: fp9('1'),
    } as const
    venue.open(terms)
    venue.open({ ...terms, direction: 'short' })
    venue.waitUntil(INSTANT)
    // value 10.500000007 units: ⌈11·0.001⌉ = 1 is paid, ⌊10·0.001⌋ = 0 received
    expect(venue.position('long').funding).toBe(-1n)
    expect(venue.position('short')).toMatchObject({ funding: 0n, version: 1 })
  })

  test('only positions opened before the instant settle, and they settle in full', () => {
    const venue = new Venue({ market: { fundingRate: fp9('0.1%') } })
    venue.waitUntil(INSTANT - 1)
    venue.open()
    venue.waitUntil(INSTANT)
    venue.open({ direction: 'short' })
    venue.wait(1)
    expect(venue.position('long').funding).toBe(fp9('-1'))
    expect(venue.position('short').funding).toBe(0n)
  })

  test('instants are the multiples of the interval since the epoch', () => {
    const venue = new Venue({ market: { fundingRate: fp9('0.1%'), fundingIntervalMs: 7 * MINUTE } })
    venue.open()
    const next = venue.engine.read.market(MARKET)?.state.nextFundingAt ?? 0
    expect(next % (7 * MINUTE)).toBe(0)
    venue.waitUntil(next - 1)
    expect(venue.position().version).toBe(1)
    venue.wait(1)
    expect(venue.position().version).toBe(2)
  })

  test('an old price is used as it is', () => {
    const venue = new Venue({ market: { fundingRate: fp9('0.1%'), maxPriceAgeMs: 1 } })
    venue.open()
    venue.waitUntil(INSTANT)
    expect(venue.position().funding).toBe(fp9('-1'))
  })

  test('G1: a paused market skips the instant', () => {
    const venue = new Venue({ market: { fundingRate: fp9('0.1%') } })
    venue.open()
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    venue.waitUntil(INSTANT)
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'open' })
    venue.wait(HOUR)
    expect(venue.position().version).toBe(1)
  })

  test('a new rate counts from the next instant on; null mirrors', () => {
    const venue = new Venue({ market: { fundingRate: fp9('0.1%'), fundingRateShort: fp9('0.5%') } })
    venue.open({ direction: 'short' })
    venue.accepted({ type: 'setFundingRate', marketId: MARKET, fundingRate: fp9('0.3%') })
    venue.waitUntil(INSTANT)
    expect(venue.position('short').funding).toBe(fp9('3'))
  })
})

describe('E5: what funding touches', () => {
  test('never more than the margin is paid; the position is liquidated in the same step', () => {
    const venue = new Venue({ market: { fundingRate: fp9('20%') } })
    const { id } = venue.open()
    const { free } = venue
    venue.waitUntil(INSTANT)
    expect(venue.positionById(id)).toMatchObject({
      status: 'liquidated',
      funding: fp9('-100'),
      margin: 0n,
      version: 3,
    })
    expect(venue.free).toBe(free)
  })

  test('a payment that leaves the index beyond the new liquidation price liquidates, one that does not does not', () => {
    // At index 100 a long of 10 with margin M is liquidatable iff 100·10·0.995 ≤ 1000 − M, that is M ≤ 5.
    const marginAfter = (rate: bigint) => {
      const venue = new Venue({ market: { fundingRate: rate } })
      const { id } = venue.open()
      venue.waitUntil(INSTANT)
      return venue.positionById(id)
    }
    expect(marginAfter(fp9('9.5%'))).toMatchObject({ status: 'liquidated' })
    expect(marginAfter(fp9('9.4999999%'))).toMatchObject({ status: 'opened', margin: fp9('5.000001') })
  })

  test('free balance, size, notional, pnl, roe and the 60-second window stay as they are', () => {
    const venue = new Venue({ market: { fundingRate: fp9('0.1%'), fundingIntervalMs: 20 * MINUTE } })
    venue.waitUntil(START + 10 * MINUTE - 30_000)
    venue.open()
    venue.tick('110')
    const before = venue.position()
    const { free, equity } = venue
    venue.wait(30_000)
    const after = venue.position()
    expect(after.eventName).toBe('payFunding')
    for (const field of ['size', 'notional', 'pnl', 'roe', 'fee', 'feeRate'] as const)
      expect(after[field]).toBe(before[field])
    expect(venue.free).toBe(free)
    expect(venue.equity - equity).toBe(after.funding)
    venue.wait(30_000)
    expect(venue.equity - equity).toBe(after.funding + fp9('100'))
  })

  test('C13: it exchanges nothing and realizes nothing', () => {
    const venue = new Venue({ market: { fundingRate: fp9('0.1%'), feeRate: fp9('0.1%') } })
    venue.open()
    venue.waitUntil(INSTANT)
    expect(venue.position()).toMatchObject({
      exchangedQuote: 0n,
      exchangedBase: 0n,
      pnlInEvent: 0n,
      rawPnlInEvent: 0n,
      feeInEvent: 0n,
      profitAdjustmentApplied: false,
      holdingTimeMs: null,
      scalpingCoefficient: fp9('1'),
    })
  })

  test('J4: an open position may stand with no margin at all', () => {
    // A long far in profit: (1000 − 0)/(10·0.995) = 100.5 < 300.
    const venue = new Venue({ market: { fundingRate: fp9('50%') } })
    venue.open()
    venue.tick('300')
    venue.waitUntil(INSTANT)
    expect(venue.position()).toMatchObject({ margin: 0n, funding: fp9('-100'), status: 'opened' })
    venue.waitUntil(INSTANT + 8 * HOUR)
    expect(venue.position().version).toBe(2)
    venue.tick(100_502_512_563n)
    expect(venue.engine.read.activePositions(venue.account().accountId)).toEqual([])
  })
})
