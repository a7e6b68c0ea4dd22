import { describe, expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { ACCOUNT, MINUTE, START, Venue } from '../../venue.ts'

const P = fp9

describe('D1, D2: within a minute of the open the pnl cannot grow above 0', () => {
  const closedAfter = (ms: number, price: string) => {
    const venue = new Venue()
    const { id } = venue.open()
    venue.tick(price)
    venue.wait(ms)
    const order = venue.close()
    return { order, position: venue.positionById(id), free: venue.free }
  }

  test('59,999 ms after it the cap binds: the difference stays with the house', () => {
    const { order, position, free } = closedAfter(59_999, '110')
    expect(order).toMatchObject({ realizedPnl: 0n, rawRealizedPnl: P('100'), profitAdjustmentApplied: true })
    expect(position).toMatchObject({
      pnlInEvent: 0n,
      rawPnlInEvent: P('100'),
      profitAdjustmentApplied: true,
      holdingTimeMs: 59_999,
      pnl: 0n,
      exchangedQuote: P('1100'),
    })
    expect(free).toBe(P('10000'))
  })

  test('60,000 ms after it there is none (A5)', () => {
    const { order, position, free } = closedAfter(60_000, '110')
    expect(order).toMatchObject({
      realizedPnl: P('100'),
      rawRealizedPnl: P('100'),
      profitAdjustmentApplied: false,
    })
    expect(position.holdingTimeMs).toBe(60_000)
    expect(free).toBe(P('10100'))
  })

  test('losses are never touched, and inside the window the flag is false where the cap does not bind (D8)', () => {
    const { order } = closedAfter(0, '99')
    expect(order).toMatchObject({
      realizedPnl: P('-10'),
      rawRealizedPnl: P('-10'),
      profitAdjustmentApplied: false,
    })
    expect(closedAfter(0, '100').order.profitAdjustmentApplied).toBe(false)
  })

  test('the spread may be earned back, but nothing more', () => {
    const venue = new Venue({ market: { spread: P('0.1%') } })
    venue.open({ sizeMode: 'base', baseSize: P('1') })
    venue.tick('100.15')
    // sold at 100.04985, bought at 100.1
    expect(venue.close()).toMatchObject({ realizedPnl: P('-0.05015'), profitAdjustmentApplied: false })
  })
})

describe('D3: an increase takes the adjusted pnl of the moment as its reference', () => {
  test('inside the window the cap of the open stays: a dust increase launders nothing', () => {
    const venue = new Venue()
    venue.open()
    venue.tick('110')
    venue.wait(10_000)
    venue.open({ amount: P('0.01') })
    expect(venue.close().realizedPnl).toBe(0n)
  })

  test('the window restarts with it', () => {
    const venue = new Venue()
    venue.open()
    venue.wait(59_000)
    venue.open({ amount: P('0.01') })
    venue.tick('110')
    venue.wait(59_999)
    expect(venue.close(P('1'))).toMatchObject({ realizedPnl: 0n })
    venue.wait(1)
    expect(venue.close(P('1')).realizedPnl).toBe(P('10'))
  })

  test('after the window the raw pnl is the reference', () => {
    const venue = new Venue()
    venue.open()
    venue.wait(MINUTE)
    venue.tick('110')
    venue.open({ direction: 'long' })
    venue.tick('120')
    // 100 grown before the increase, nothing of what grew since
    expect(venue.close()).toMatchObject({ realizedPnl: P('100'), profitAdjustmentApplied: true })
  })

  test('over increases whose windows overlap the reference never rises', () => {
    const venue = new Venue()
    venue.open()
    for (const price of ['101', '105', '95', '130']) {
      venue.tick(price)
      venue.wait(30_000)
      venue.open({ amount: P('1') })
    }
    expect(venue.close().realizedPnl).toBeLessThanOrEqual(0n)
  })
})

describe('D4: partial closes share the cap pro rata', () => {
  test('closing in pieces realizes at most what one close would', () => {
    const venue = new Venue()
    venue.open()
    venue.wait(MINUTE)
    venue.tick('110')
    venue.open({ amount: P('11'), leverage: P('10') })
    venue.tick('120')
    const size = venue.position().size
    // reference 100 over 11
    expect(size).toBe(P('11'))
    expect(venue.close(P('2')).realizedPnl).toBe(18_181_818_181n)
    expect(venue.close(P('3')).realizedPnl).toBe(((100_000_000_000n - 18_181_818_181n) * 3n) / 9n)
    const rest = venue.close()
    expect(rest.realizedPnl).toBe(100_000_000_000n - 18_181_818_181n - 27_272_727_273n)
  })

  test('what a losing part does not use is used up all the same', () => {
    const venue = new Venue()
    venue.open()
    venue.wait(MINUTE)
    venue.tick('110')
    venue.open({ amount: P('1') })
    venue.tick('90.6')
    venue.close(P('5'))
    venue.tick('130')
    const reference = P('100')
    const share = (reference * P('5')) / (P('10') + 90_909_090n)
    expect(venue.close().realizedPnl).toBe(reference - share)
  })
})

describe('D5: a negative reference is applied literally', () => {
  test('a position 50 down when it is increased cannot realize more than −50 for a minute', () => {
    const venue = new Venue()
    venue.open()
    venue.tick('95')
    venue.wait(MINUTE)
    venue.open({ amount: P('1') })
    venue.tick('110')
    expect(venue.close()).toMatchObject({ realizedPnl: P('-50'), profitAdjustmentApplied: true })
  })

  test('J3: but never less than its margin', () => {
    const venue = new Venue()
    const { id } = venue.open({ leverage: P('50') })
    venue.accepted({ type: 'changeMargin', positionId: id, marginChange: P('400') })
    venue.tick('91')
    venue.wait(MINUTE)
    // 450 down, 500 of margin: reference −450; then 400 of the margin go.
    venue.open({ amount: P('0.1') })
    venue.tick('105')
    venue.accepted({ type: 'changeMargin', positionId: id, marginChange: P('-400') })
    const { margin } = venue.position()
    expect(venue.close()).toMatchObject({ realizedPnl: -margin, profitAdjustmentApplied: true })
    expect(venue.positionById(id)).toMatchObject({ margin: 0n, feeInEvent: 0n })
  })
})

describe('D6: every realizing event is capped', () => {
  const grown = () => {
    const venue = new Venue()
    const { id } = venue.open({ takeTriggerPrice: P('110') })
    return { venue, id }
  }

  test('a take-profit', () => {
    const { venue, id } = grown()
    venue.tick('110')
    expect(venue.positionById(id)).toMatchObject({ status: 'closed', pnl: 0n, rawPnlInEvent: P('100') })
  })

  test('a force close', () => {
    const { venue, id } = grown()
    venue.tick('109')
    venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'freeze' })
    expect(venue.positionById(id)).toMatchObject({
      pnl: 0n,
      rawPnlInEvent: P('90'),
      profitAdjustmentApplied: true,
    })
    expect(venue.free).toBe(P('10000'))
  })

  test('close-all', () => {
    const { venue, id } = grown()
    venue.tick('109')
    venue.accepted({ type: 'closeAll', accountId: ACCOUNT })
    expect(venue.positionById(id)).toMatchObject({ pnl: 0n, profitAdjustmentApplied: true })
  })

  test('a liquidation: its adjusted pnl and fee still take exactly the margin (E2)', () => {
    // 42 down when it grows by dust, 40 down when funding leaves it 43 of margin: liquidated inside the window.
    const market = { fundingRate: P('5.9375%'), fundingIntervalMs: 15 * MINUTE }
    const venue = new Venue({ market })
    const { id } = venue.open()
    venue.tick('95.8')
    venue.waitUntil(START + 4 * MINUTE + 30_000)
    venue.open({ amount: P('0.001') })
    venue.tick('96')
    venue.waitUntil(START + 5 * MINUTE)
    const { status, margin, pnl, fee, funding, rawPnlInEvent, profitAdjustmentApplied } =
      venue.positionById(id)
    expect({ status, margin, pnl, profitAdjustmentApplied }).toEqual({
      status: 'liquidated',
      margin: 0n,
      pnl: P('-42'),
      profitAdjustmentApplied: true,
    })
    expect(rawPnlInEvent).toBeGreaterThan(P('-40'))
    expect(fee).toBe(P('100.001') + funding + pnl)
    expect(venue.free).toBe(P('10000') - P('100.001'))
  })
})

describe('D7: unrealized pnl is capped while the window is open', () => {
  test('in equity', () => {
    const venue = new Venue()
    venue.open()
    venue.tick('110')
    expect(venue.equity).toBe(P('10000'))
    venue.wait(59_999)
    expect(venue.equity).toBe(P('10000'))
    venue.wait(1)
    expect(venue.equity).toBe(P('10100'))
    venue.tick('90.6')
    expect(venue.equity).toBe(P('9906'))
  })
})

describe('D8: what neither starts nor ends the window', () => {
  test('margin changes and partial closes', () => {
    const venue = new Venue()
    const { id } = venue.open()
    venue.tick('110')
    venue.wait(30_000)
    venue.accepted({ type: 'changeMargin', positionId: id, marginChange: P('1') })
    venue.close(P('1'))
    venue.wait(29_999)
    expect(venue.close(P('1')).realizedPnl).toBe(0n)
    venue.wait(1)
    expect(venue.close(P('1')).realizedPnl).toBe(P('10'))
  })

  test('every position has a window of its own', () => {
    const venue = new Venue()
    venue.open()
    venue.wait(MINUTE)
    venue.open({ direction: 'short' })
    venue.tick('105')
    expect(venue.close().realizedPnl).toBe(P('50'))
    venue.tick('90')
    expect(venue.close(P('10'), { direction: 'short' }).realizedPnl).toBe(0n)
  })
})
