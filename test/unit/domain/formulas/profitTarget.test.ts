import { describe, expect, test } from 'vitest'
import { type AccountConfiguration, fp9 } from '../../../../src/index.ts'
import { ACCOUNT, DAY, MINUTE, outline, START, Venue } from '../../venue.ts'

const P = fp9
const MIDNIGHT = START - 10 * MINUTE + DAY

/** Opens a long of 100 at 100 and closes it some points higher, a minute later. */
function earn(venue: Venue, points: string): void {
  venue.tick('100')
  venue.open({ amount: P('2000'), leverage: P('5') })
  venue.wait(MINUTE)
  venue.tick(P('100') + P(points))
  venue.close()
}

const phaseAfter = (points: string, account: Partial<AccountConfiguration> = {}) => {
  const venue = new Venue({ account: { autoPromote: true, ...account } })
  earn(venue, points)
  return venue.account().currentPhase
}

describe('H7: promotion', () => {
  test('at the target the account is promoted, one unit below it is not', () => {
    expect(phaseAfter('5')).toBe('active_verification')
    expect(phaseAfter('4.999999999')).toBe('active_evaluation')
  })

  test('the target is rounded up', () => {
    // 5% of 10000.000000001 is 500.00000000005: 500.000000001 are needed, and 5 points are one unit short of it.
    const balance = P('10000.000000001')
    expect(phaseAfter('5', { balance })).toBe('active_evaluation')
    expect(phaseAfter('5.000000001', { balance })).toBe('active_verification')
  })

  test('only when configured; otherwise the operator decides', () => {
    expect(phaseAfter('5', { autoPromote: false })).toBe('active_evaluation')
  })

  test('not while a position is open', () => {
    const venue = new Venue({ account: { autoPromote: true } })
    venue.open({ direction: 'short', amount: P('1') })
    earn(venue, '6')
    expect(venue.account().currentPhase).toBe('active_evaluation')
    venue.close(P('1000'), { direction: 'short' })
    expect(venue.account().currentPhase).toBe('active_verification')
  })

  test('unrealized profit is not balance', () => {
    const venue = new Venue({ account: { autoPromote: true } })
    venue.open({ amount: P('2000'), leverage: P('5') })
    venue.wait(MINUTE)
    venue.tick('150')
    venue.waitUntil(MIDNIGHT)
    expect(venue.account().currentPhase).toBe('active_evaluation')
  })

  test('resting orders are cancelled with the reason, and a fresh balance comes from the house', () => {
    const venue = new Venue({ account: { autoPromote: true } })
    const limit = venue.place({ orderType: 'limit', triggerPrice: P('50') })
    venue.open({ amount: P('2000'), leverage: P('5') })
    venue.wait(MINUTE)
    venue.tick('105')
    const { id } = venue.position()
    const { events } = venue.accepted(
      venue.command({ orderType: 'take', triggerPrice: 0n, positionId: id, amount: P('1000') }),
    )
    expect(outline(events).slice(-2)).toEqual(['orderCanceled stop_accounts_promote', 'accountPromoted'])
    expect(events.find(({ type }) => type === 'orderCanceled')).toMatchObject({ orderId: limit.id })
    expect(venue.account()).toMatchObject({
      status: 'active',
      accountBalance: P('10000'),
      initialAccountBalance: P('10000'),
      profitableDays: 0,
      riskStatus: { dayStartEquity: P('10000'), freeBalance: P('10000') },
    })
    const { free, reserve, margin, house } = venue.engine.read.ledger()
    expect(free + reserve + margin + house).toBe(0n)
  })

  test('the phases follow one another', () => {
    const venue = new Venue({ account: { phase: null } })
    const promote = { type: 'stopAccount', accountId: ACCOUNT, reason: 'promote' } as const
    const phases = [1, 2, 3].map(() => {
      venue.accepted(promote)
      return venue.account().currentPhase
    })
    expect(phases).toEqual(['active_evaluation', 'active_verification', 'funded'])
    expect(venue.rejection(promote)).toBe('account_phase_not_allowed')
  })

  test('J10: a funded account is never promoted', () => {
    expect(phaseAfter('50', { phase: 'funded' })).toBe('funded')
  })

  test('by command it needs no eligibility, and closes what is open with the reason', () => {
    const venue = new Venue()
    const { id } = venue.open()
    venue.tick('95')
    venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'promote' })
    expect(venue.account()).toMatchObject({ currentPhase: 'active_verification', accountBalance: P('10000') })
    expect(venue.engine.read.position(id)).toBeUndefined()
  })

  test('the floors of the new phase count from its own balance', () => {
    const venue = new Venue({ account: { autoPromote: true, maxDailyLoss: P('5%'), maxTotalLoss: P('10%') } })
    earn(venue, '20')
    expect(venue.account().riskStatus).toMatchObject({ dailyLossFloor: P('9500'), totalLossFloor: P('9000') })
  })
})

describe('J13: profitable days', () => {
  const days = (points: string, account: Partial<AccountConfiguration> = {}, market = {}) => {
    const venue = new Venue({ account, market })
    earn(venue, points)
    const before = venue.account().profitableDays
    venue.waitUntil(MIDNIGHT)
    return [before, venue.account().profitableDays]
  }

  test('a day counts once it is over, from 0.5% of the initial balance on', () => {
    expect(days('0.5')).toEqual([0, 1])
    expect(days('0.499999999')).toEqual([0, 0])
  })

  test('the share is the plan’s', () => {
    expect(days('1', { profitableDayShare: P('1%') })).toEqual([0, 1])
    expect(days('1', { profitableDayShare: P('1%') + 1n })).toEqual([0, 0])
  })

  test('net of fees', () => {
    // 0.01% of 10,000 twice costs 2
    expect(days('0.515', {}, { feeRate: P('0.01%') })).toEqual([0, 0])
    expect(days('0.53', {}, { feeRate: P('0.01%') })).toEqual([0, 1])
  })

  test('net of funding', () => {
    const venue = new Venue({ market: { fundingRate: P('0.01%') } })
    venue.open({ amount: P('2000'), leverage: P('5') })
    venue.waitUntil(START - 10 * MINUTE + 8 * 3_600_000)
    venue.tick('100.505')
    venue.close()
    venue.waitUntil(MIDNIGHT)
    expect(venue.account().profitableDays).toBe(0)
  })

  test('realized pnl counts on the day it is realized, unrealized never', () => {
    const venue = new Venue()
    venue.open({ amount: P('2000'), leverage: P('5') })
    venue.tick('105')
    venue.waitUntil(MIDNIGHT)
    expect(venue.account().profitableDays).toBe(0)
    venue.close()
    venue.waitUntil(MIDNIGHT + DAY)
    expect(venue.account().profitableDays).toBe(1)
  })

  test('a deposit is no profit', () => {
    const venue = new Venue()
    venue.accepted({ type: 'adjustBalance', accountId: ACCOUNT, amount: P('5000') })
    venue.waitUntil(MIDNIGHT)
    expect(venue.account().profitableDays).toBe(0)
  })

  test('H7, J7: enough of them promote at the midnight that completes them', () => {
    const venue = new Venue({ account: { autoPromote: true, minProfitableDays: 2 } })
    earn(venue, '3')
    venue.waitUntil(MIDNIGHT)
    earn(venue, '3')
    expect(venue.account().currentPhase).toBe('active_evaluation')
    venue.waitUntil(MIDNIGHT + DAY - 1)
    expect(venue.account().currentPhase).toBe('active_evaluation')
    venue.wait(1)
    expect(venue.account()).toMatchObject({ currentPhase: 'active_verification', profitableDays: 0 })
  })
})
