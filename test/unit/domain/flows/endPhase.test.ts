import { describe, expect, test } from 'vitest'
import { type AccountStatus, fp9, type StopReason } from '../../../../src/index.ts'
import { ACCOUNT, MARKET, OTHER_MARKET, OTHER_USER, outline, UNKNOWN, USER, Venue } from '../../venue.ts'

const P = fp9
const stop = (reason: StopReason) => ({ type: 'stopAccount', accountId: ACCOUNT, reason }) as const

describe('H2: stopping an account', () => {
  test.each([
    ['fail', 'failed'],
    ['freeze', 'frozen'],
    ['manual', 'closed'],
  ] as const)('%s: orders are canceled, positions force closed, then it is %s', (reason, status) => {
    const venue = new Venue({ otherMarket: {}, market: { spread: P('0.1%'), feeRate: P('0.1%') } })
    const entry = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    const { id } = venue.open({ stopTriggerPrice: P('95') })
    const attached = venue.orders().find(({ positionId }) => positionId === id)
    const elsewhere = venue.open({ marketId: OTHER_MARKET })
    const { events } = venue.accepted(stop(reason))
    const text = `stop_accounts_${reason}`
    expect(outline(events)).toEqual([
      `orderCanceled ${text}`,
      `orderCanceled ${text}`,
      'forceClose',
      'forceClose',
      'accountStopped',
    ])
    expect(events.at(-1)).toMatchObject({ reason, status, breach: null, frozenUntil: null })
    for (const id of [entry.id, attached?.id ?? ''])
      expect(venue.order(id)).toMatchObject({ status: 'canceled', reason: text })
    for (const position of [id, elsewhere.id])
      expect(venue.positionById(position)).toMatchObject({ status: 'closed', closeReason: text })
    expect(venue.positionById(id).feeInEvent).toBeGreaterThan(0n)
    expect(venue.account()).toMatchObject({ status, accountBalance: venue.free })
    expect(venue.placeRefusal({})).toBe('challenge_closed')
  })

  test('positions on a paused market are closed too', () => {
    const venue = new Venue()
    venue.open()
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    venue.accepted(stop('manual'))
    expect(venue.engine.read.activePositions(ACCOUNT)).toEqual([])
  })

  const allowed: Record<AccountStatus, readonly StopReason[]> = {
    active: ['fail', 'freeze', 'manual', 'promote'],
    frozen: ['fail', 'manual'],
    failed: [],
    closed: [],
  }
  const cases = Object.entries(allowed).flatMap(([status, reasons]) =>
    allowed.active.map((reason) => [status as AccountStatus, reason, reasons.includes(reason)] as const),
  )
  test.each(cases)('J15: a %s account, stopped for %s: %s', (status, reason, accepted) => {
    expect(new Venue({ account: { status } }).rejection(stop(reason))).toBe(
      accepted ? 'accepted' : 'challenge_closed',
    )
  })

  test('an account is promoted phase by phase, and not out of the last', () => {
    const venue = new Venue({ account: { phase: 'active_evaluation' } })
    for (const phase of ['active_verification', 'funded']) {
      venue.accepted(stop('promote'))
      expect(venue.account().currentPhase).toBe(phase)
    }
    expect(venue.rejection(stop('promote'))).toBe('account_phase_not_allowed')
    expect(venue.account().currentPhase).toBe('funded')
  })

  test.each<[AccountStatus, string]>([
    ['frozen', 'accepted'],
    ['active', 'challenge_closed'],
    ['failed', 'challenge_closed'],
    ['closed', 'challenge_closed'],
  ])('J15: unfreezing a %s account: %s', (status, code) => {
    expect(
      new Venue({ account: { status } }).rejection({ type: 'unfreezeAccount', accountId: ACCOUNT }),
    ).toBe(code)
  })

  test('J11: an account that is unfrozen is checked at once', () => {
    const venue = new Venue({ account: { maxDailyLoss: P('5%'), dailyBreach: 'freeze' } })
    venue.open({ amount: P('2000'), leverage: P('5') })
    venue.tick('94')
    const { events } = venue.accepted({ type: 'unfreezeAccount', accountId: ACCOUNT })
    expect(outline(events)).toEqual(['accountUnfrozen', 'accountStopped'])
    expect(venue.account().status).toBe('frozen')
  })

  test('an account in good order is unfrozen and trades', () => {
    const venue = new Venue()
    venue.accepted(stop('freeze'))
    venue.accepted({ type: 'unfreezeAccount', accountId: ACCOUNT })
    expect(venue.place().status).toBe('executed')
  })
})

describe('H9, J16: loading', () => {
  const load = (loaded: boolean) => ({ type: 'setAccountLoaded', accountId: ACCOUNT, loaded }) as const

  test('an account is unloaded only flat and without orders', () => {
    const withPosition = new Venue()
    withPosition.open()
    expect(withPosition.rejection(load(false))).toBe('position_not_available')
    const withOrder = new Venue()
    withOrder.place({ orderType: 'limit', triggerPrice: P('90') })
    expect(withOrder.rejection(load(false))).toBe('position_not_available')
    expect(new Venue().rejection(load(false))).toBe('accepted')
  })

  test('unloaded, every platform command but loading is refused', () => {
    const venue = new Venue({ account: { loaded: false } })
    const accountId = ACCOUNT
    const code = 'account_not_loaded'
    expect(venue.rejection({ type: 'adjustBalance', accountId, amount: 1n })).toBe(code)
    expect(venue.rejection({ type: 'setApiTrading', accountId, enabled: false })).toBe(code)
    expect(venue.rejection({ type: 'setAccountLock', accountId, locked: true })).toBe(code)
    expect(venue.rejection(stop('manual'))).toBe(code)
    expect(venue.rejection({ type: 'unfreezeAccount', accountId })).toBe(code)
    expect(venue.rejection(load(true))).toBe('accepted')
    expect(venue.place().status).toBe('executed')
  })

  test('an account nobody opened is not found', () => {
    const venue = new Venue()
    const accountId = UNKNOWN
    const code = 'account_not_found'
    expect(venue.rejection({ type: 'adjustBalance', accountId, amount: 1n })).toBe(code)
    expect(venue.rejection({ type: 'setApiTrading', accountId, enabled: false })).toBe(code)
    expect(venue.rejection({ type: 'setAccountLock', accountId, locked: true })).toBe(code)
    expect(venue.rejection({ type: 'setAccountLoaded', accountId, loaded: true })).toBe(code)
    expect(venue.rejection({ type: 'stopAccount', accountId, reason: 'fail' })).toBe(code)
    expect(venue.rejection({ type: 'unfreezeAccount', accountId })).toBe(code)
  })
})

describe('J8: adjusting the balance', () => {
  const adjust = (amount: bigint) => ({ type: 'adjustBalance', accountId: ACCOUNT, amount }) as const

  test('moves balance, initial balance, day start and high-water alike, against the house', () => {
    const venue = new Venue({
      account: { drawdownMode: 'trailing_eod', maxTotalLoss: P('10%'), maxDailyLoss: P('5%') },
    })
    venue.accepted(adjust(P('1000')))
    expect(venue.account()).toMatchObject({
      accountBalance: P('11000'),
      initialAccountBalance: P('11000'),
      riskStatus: {
        dayStartEquity: P('11000'),
        dailyLossFloor: P('10450'),
        totalLossFloor: P('9900'),
        freeBalance: P('11000'),
      },
    })
    expect(venue.engine.read.ledger().house).toBe(P('-11000'))
  })

  test('never goes below zero free balance', () => {
    const venue = new Venue()
    venue.open()
    expect(venue.rejection(adjust(P('-9900') - 1n))).toBe('insufficient_balance')
    venue.accepted(adjust(P('-9900')))
    expect(venue.free).toBe(0n)
  })

  test('neither fails nor promotes', () => {
    const failing = new Venue({ account: { maxTotalLoss: P('10%') } })
    failing.open({ amount: P('2000'), leverage: P('5') })
    failing.tick('90.5')
    failing.accepted(adjust(P('-7000')))
    expect(failing.account().status).toBe('active')
    const rising = new Venue({ account: { autoPromote: true } })
    rising.accepted(adjust(P('5000')))
    expect(rising.account().currentPhase).toBe('active_evaluation')
  })
})

describe('H9, H10, I14: access', () => {
  test('a user sees the accounts of the user', () => {
    const venue = new Venue({ otherAccount: {} })
    expect(venue.engine.read.accounts(USER).map(({ accountId }) => accountId)).toEqual([ACCOUNT])
    expect(venue.engine.read.accounts(OTHER_USER).length).toBe(1)
    expect(venue.engine.read.accounts().length).toBe(2)
  })

  test('the API switch concerns keys, not sessions', () => {
    const venue = new Venue()
    venue.accepted({ type: 'setApiTrading', accountId: ACCOUNT, enabled: false })
    expect(venue.placeRefusal({}, { userId: USER, apiKey: true })).toBe('api_trading_not_enabled')
    expect(venue.placeRefusal({}, { userId: USER, apiKey: false })).toBe('accepted')
    venue.accepted({ type: 'setApiTrading', accountId: ACCOUNT, enabled: true })
    expect(venue.placeRefusal({}, { userId: USER, apiKey: true })).toBe('accepted')
  })
})
