import { describe, expect, test } from 'vitest'
import { type AccountConfiguration, fp9 } from '../../../../src/index.ts'
import { ACCOUNT, DAY, MARKET, MINUTE, OTHER_MARKET, outline, START, Venue } from '../../venue.ts'

const P = fp9
const MIDNIGHT = START - 10 * MINUTE + DAY

/** 10,000 with a long of 100 at 100: equity moves by 100 per point. */
function invested(account: Partial<AccountConfiguration>) {
  const venue = new Venue({ account, otherMarket: {} })
  venue.open({ amount: P('2000'), leverage: P('5') })
  venue.wait(MINUTE)
  return venue
}

describe('H5: daily loss', () => {
  test('breached strictly below the floor: at it nothing happens, one unit below the account fails', () => {
    const venue = invested({ maxDailyLoss: P('5%') })
    venue.tick('95')
    expect([venue.equity, venue.account().status]).toEqual([P('9500'), 'active'])
    expect(venue.account().riskStatus).toMatchObject({ dailyLossFloor: P('9500'), dailyLossRemaining: 0n })
    venue.tick('94.999999999')
    expect(venue.account().status).toBe('failed')
  })

  test('on the first day of a phase it counts from the initial balance', () => {
    const venue = invested({ maxDailyLoss: P('5%') })
    venue.tick('150')
    expect(venue.account().riskStatus).toMatchObject({
      dayStartEquity: P('10000'),
      dailyLossFloor: P('9500'),
    })
  })

  test('from midnight on it counts from the equity then, unrealized pnl included', () => {
    const venue = invested({ maxDailyLoss: P('5%') })
    venue.tick('120')
    venue.waitUntil(MIDNIGHT - 1)
    expect(venue.account().riskStatus.dayStartEquity).toBe(P('10000'))
    venue.wait(1)
    expect(venue.account().riskStatus).toMatchObject({
      dayStartEquity: P('12000'),
      dailyLossFloor: P('11400'),
      nextDayAt: MIDNIGHT + DAY,
    })
    venue.tick('114')
    expect(venue.account().status).toBe('active')
    venue.tick('113.99')
    expect(venue.account().status).toBe('failed')
  })

  test('J8: a deposit moves the floor with the balance, and the account is held to the new one', () => {
    const venue = invested({ maxDailyLoss: P('5%') })
    venue.accepted({ type: 'adjustBalance', accountId: ACCOUNT, amount: P('10000') })
    venue.tick('90')
    expect([venue.equity, venue.account().status]).toEqual([P('19000'), 'active'])
    venue.tick('89.999999999')
    expect(venue.account().status).toBe('failed')
  })

  test('H3: a new phase is held to the floor of its own balance', () => {
    const venue = invested({ maxDailyLoss: P('20%') })
    venue.tick('90')
    venue.waitUntil(MIDNIGHT)
    expect(venue.account().riskStatus.dailyLossFloor).toBe(P('7200'))
    venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'promote' })
    venue.open({ amount: P('4500'), leverage: P('2') })
    venue.wait(MINUTE)
    venue.tick('70')
    expect([venue.equity, venue.account().status]).toEqual([P('8000'), 'active'])
    venue.tick('69.999999999')
    expect(venue.account().status).toBe('failed')
  })

  test('the allowance is rounded down: the floor is the stricter', () => {
    const venue = new Venue({ account: { balance: 10_000_000_000_001n, maxDailyLoss: P('5%') } })
    expect(venue.account().riskStatus.dailyLossFloor).toBe(9_500_000_000_001n)
  })

  test.each([
    ['equity', 'base', '11400'],
    ['balance', 'base', '9500'],
    ['max', 'base', '11400'],
    ['equity', 'initial', '11500'],
    ['balance', 'initial', '9500'],
  ] as const)('base %s, fraction of %s: floor %s', (dailyLossBase, dailyLossOf, floor) => {
    const venue = invested({ maxDailyLoss: P('5%'), dailyLossBase, dailyLossOf })
    venue.tick('120')
    venue.waitUntil(MIDNIGHT)
    expect(venue.account().riskStatus.dailyLossFloor).toBe(P(floor))
  })

  test('base max takes the balance where equity is lower', () => {
    const venue = invested({ maxDailyLoss: P('10%'), dailyLossBase: 'max' })
    venue.tick('95')
    venue.waitUntil(MIDNIGHT)
    expect(venue.account().riskStatus.dailyLossFloor).toBe(P('9000'))
  })

  test('a soft breach freezes until the next UTC day, thaws at midnight, and the day counts from there', () => {
    const venue = invested({ maxDailyLoss: P('5%'), dailyBreach: 'freeze' })
    const limit = venue.place({ orderType: 'limit', triggerPrice: P('50') })
    const events = venue.tick('94')
    expect(outline(events)).toEqual(['orderCanceled stop_accounts_freeze', 'forceClose', 'accountStopped'])
    expect(events.at(-1)).toMatchObject({
      status: 'frozen',
      reason: 'freeze',
      frozenUntil: MIDNIGHT,
      breach: { rule: 'daily_loss', floor: P('9500'), equity: P('9400') },
    })
    expect(venue.order(limit.id).reason).toBe('stop_accounts_freeze')
    venue.waitUntil(MIDNIGHT - 1)
    expect([venue.account().status, venue.placeRefusal({})]).toEqual(['frozen', 'challenge_closed'])
    venue.wait(1)
    expect(venue.account()).toMatchObject({ status: 'active', riskStatus: { dayStartEquity: P('9400') } })
    expect(venue.place().status).toBe('executed')
  })

  test('a freeze by command does not thaw by itself', () => {
    const venue = new Venue()
    venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'freeze' })
    venue.waitUntil(MIDNIGHT + DAY)
    expect(venue.account().status).toBe('frozen')
  })

  test('J9, J26: a limit of 100% is off, whatever the equity', () => {
    const venue = invested({ maxDailyLoss: P('100%'), maxTotalLoss: P('100%') })
    venue.tick('1')
    expect(venue.account()).toMatchObject({
      status: 'active',
      riskStatus: {
        dailyLossFloor: null,
        dailyLossRemaining: null,
        totalLossFloor: null,
        totalLossRemaining: null,
      },
    })
  })

  test('D7: equity counts a capped profit, and a loss in full', () => {
    const venue = new Venue({ account: { maxDailyLoss: P('5%') } })
    venue.open({ amount: P('2000'), leverage: P('5') })
    venue.tick('94.99')
    expect(venue.account().status).toBe('failed')
  })
})

describe('H6: total loss', () => {
  test('static: a fraction below the initial balance, strictly', () => {
    const venue = invested({ maxTotalLoss: P('10%') })
    venue.tick('150')
    venue.waitUntil(MIDNIGHT)
    expect(venue.account().riskStatus).toMatchObject({
      totalLossFloor: P('9000'),
      totalLossRemaining: P('6000'),
    })
    venue.tick('90')
    expect(venue.account().status).toBe('active')
    venue.tick('89.99')
    expect(venue.account().status).toBe('failed')
  })

  test('J14: trailing_eod follows the highest end-of-day balance and locks at the initial balance', () => {
    const venue = new Venue({ account: { maxTotalLoss: P('10%'), drawdownMode: 'trailing_eod' } })
    const floor = () => venue.account().riskStatus.totalLossFloor
    const earn = (points: string) => {
      venue.tick('100')
      venue.open({ amount: P('2000'), leverage: P('5') })
      venue.wait(MINUTE)
      venue.tick(P('100') + P(points))
      venue.close()
    }
    expect(floor()).toBe(P('9000'))
    earn('4')
    expect(floor()).toBe(P('9000'))
    venue.waitUntil(MIDNIGHT)
    expect(floor()).toBe(P('9400'))
    earn('-3')
    venue.waitUntil(MIDNIGHT + DAY)
    expect(floor()).toBe(P('9400'))
    earn('20')
    venue.waitUntil(MIDNIGHT + 2 * DAY)
    expect(floor()).toBe(P('10000'))
    expect(venue.account().riskStatus.drawdownMode).toBe('trailing_eod')
  })

  test('a high unrealized at the end of the day does not count: the balance does', () => {
    const venue = invested({ maxTotalLoss: P('10%'), drawdownMode: 'trailing_eod' })
    venue.tick('120')
    venue.waitUntil(MIDNIGHT)
    expect(venue.account().riskStatus.totalLossFloor).toBe(P('9000'))
  })

  test('total is tested before daily', () => {
    const venue = invested({ maxTotalLoss: P('5%'), maxDailyLoss: P('5%'), dailyBreach: 'freeze' })
    const stopped = venue.tick('94').at(-1)
    expect(stopped).toMatchObject({ reason: 'fail', breach: { rule: 'total_loss' } })
  })

  test('it is checked after every event that moves money, not only on ticks', () => {
    const venue = new Venue({ market: { feeRate: P('1%') }, account: { maxTotalLoss: P('1%') } })
    // A fee of 1% on 11,000 takes 110 of 10,000.
    venue.place({ amount: P('1100'), leverage: P('10') })
    expect(venue.account().status).toBe('failed')
    expect(venue.engine.read.activePositions(ACCOUNT)).toEqual([])
  })

  test('funding counts', () => {
    const venue = new Venue({ market: { fundingRate: P('1%') }, account: { maxTotalLoss: P('1%') } })
    venue.open({ amount: P('2000'), leverage: P('6') })
    venue.waitUntil(START - 10 * MINUTE + 8 * 3_600_000)
    expect(venue.account().status).toBe('failed')
  })

  test('a failed account is failed for good: positions force closed with the reason, floors kept', () => {
    const venue = invested({ maxTotalLoss: P('5%') })
    const { id } = venue.position()
    venue.tick('94')
    expect(venue.positionById(id)).toMatchObject({ status: 'closed', closeReason: 'stop_accounts_fail' })
    venue.tick('200')
    venue.waitUntil(MIDNIGHT)
    expect(venue.account()).toMatchObject({ status: 'failed', accountBalance: P('9400') })
    expect(venue.rejection({ type: 'unfreezeAccount', accountId: ACCOUNT })).toBe('challenge_closed')
  })

  test('J11: an account without positions is not checked by ticks', () => {
    const venue = invested({ maxDailyLoss: P('5%') })
    venue.tick('96')
    venue.close()
    expect(venue.tick('1')).toEqual([])
    expect(venue.account().status).toBe('active')
  })

  test('J5: an account is checked once per command, whatever the number of its events', () => {
    const venue = new Venue({ account: { maxTotalLoss: P('5%') } })
    venue.open({ amount: P('2000'), leverage: P('5') })
    venue.open({ direction: 'short', amount: P('1000'), leverage: P('5') })
    const stops = venue.tick('89').filter(({ type }) => type === 'accountStopped')
    expect(stops.length).toBe(1)
  })

  test('J28: a resting order checks nobody, whatever is done to it', () => {
    const venue = invested({ maxDailyLoss: P('5%') })
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    venue.tick('90')
    const { id } = venue.place({ marketId: OTHER_MARKET, orderType: 'limit', triggerPrice: P('90') })
    const edited = venue.accepted({ type: 'editOrder', orderId: id, amount: P('50') }).value
    venue.accepted({ type: 'cancelOrder', orderId: edited.id })
    expect(venue.account().status).toBe('active')
    venue.place({ marketId: OTHER_MARKET })
    expect(venue.account().status).toBe('failed')
  })

  test('positions on several markets count together', () => {
    const venue = invested({ maxTotalLoss: P('5%') })
    venue.open({ marketId: OTHER_MARKET, amount: P('2000'), leverage: P('5') })
    venue.tick('97.5')
    venue.tick('97.5', OTHER_MARKET)
    expect(venue.account().status).toBe('active')
    venue.tick('97.49', OTHER_MARKET)
    expect(venue.account().status).toBe('failed')
  })
})

describe('J1, J7: midnight', () => {
  test('funding comes first, then the day: the equity of the new day is after the funding of 00:00', () => {
    const venue = new Venue({ market: { fundingRate: P('1%'), fundingIntervalMs: DAY } })
    venue.open()
    venue.waitUntil(MIDNIGHT)
    expect(venue.position().funding).toBe(P('-10'))
    expect(venue.account().riskStatus.dayStartEquity).toBe(P('9990'))
  })

  test('the floors move, then the account is checked: a loss of the old day is no daily breach of the new', () => {
    const venue = new Venue({
      market: { fundingRate: P('5%'), fundingIntervalMs: DAY },
      account: { maxDailyLoss: P('4%'), maxTotalLoss: P('10%') },
    })
    venue.open({ amount: P('1000'), leverage: P('10') })
    venue.waitUntil(MIDNIGHT)
    // 500 of funding are 5% of the day before, but the new day starts after them.
    expect(venue.account()).toMatchObject({ status: 'active', riskStatus: { dayStartEquity: P('9500') } })
  })

  test('funding that exhausts the total loss fails the account at midnight', () => {
    const venue = new Venue({
      market: { fundingRate: P('5%'), fundingIntervalMs: DAY },
      account: { maxTotalLoss: P('4%') },
    })
    venue.open({ amount: P('1000'), leverage: P('10') })
    venue.waitUntil(MIDNIGHT)
    expect(venue.account().status).toBe('failed')
  })

  test('J6: it uses the price of a paused market as it is', () => {
    const venue = invested({ maxTotalLoss: P('5%') })
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    venue.tick('94')
    venue.waitUntil(MIDNIGHT)
    expect(venue.account().status).toBe('failed')
  })

  test('every midnight on the way is a day of its own', () => {
    const venue = invested({})
    venue.tick('110')
    venue.waitUntil(MIDNIGHT)
    venue.tick('115')
    venue.waitUntil(MIDNIGHT + 2 * DAY)
    expect(venue.account().riskStatus).toMatchObject({
      dayStartEquity: P('11500'),
      maxPeriodDailyEquityDelta: P('1000'),
      nextDayAt: MIDNIGHT + 3 * DAY,
    })
  })
})
