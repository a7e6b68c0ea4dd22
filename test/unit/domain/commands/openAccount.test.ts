import { describe, expect, test } from 'vitest'
import { ACCOUNT_DEFAULTS, type AccountConfiguration, fp9, ledgerEntries } from '../../../../src/index.ts'
import { ACCOUNT, OTHER_ACCOUNT, USER, Venue } from '../../venue.ts'

const P = fp9
const configuration: AccountConfiguration = { id: OTHER_ACCOUNT, userId: USER, balance: P('5') }
const opening = (fields: object) =>
  new Venue().rejection({ type: 'openAccount', account: { ...configuration, ...fields } })

describe('opening an account', () => {
  test('id, user and balance are required, the rest has the documented defaults', () => {
    const venue = new Venue()
    venue.accepted({ type: 'openAccount', account: configuration })
    expect(venue.account(OTHER_ACCOUNT)).toMatchObject({
      status: 'active',
      type: 'demo',
      apiTrading: true,
      currentPhase: 'active_evaluation',
      initialAccountBalance: P('5'),
      accountBalance: P('5'),
      maxDailyDrawdown: ACCOUNT_DEFAULTS.maxDailyLoss,
      maxTotalDrawdown: ACCOUNT_DEFAULTS.maxTotalLoss,
      profitTarget: ACCOUNT_DEFAULTS.profitTarget,
      minTradingDays: ACCOUNT_DEFAULTS.minProfitableDays,
    })
    for (const field of ['id', 'userId', 'balance'])
      expect(opening({ [field]: undefined })).toBe(`validation_failed account.${field}`)
  })

  test('H1: it may start in any status and phase', () => {
    const venue = new Venue({ account: { status: 'failed', phase: 'funded', type: 'live' } })
    expect(venue.account()).toMatchObject({ status: 'failed', currentPhase: 'funded', type: 'live' })
    expect(new Venue({ account: { phase: null } }).account().currentPhase).toBeNull()
  })

  test.each([
    [{ id: ACCOUNT }, 'id'],
    [{ maxDailyLoss: P('1') + 1n }, 'maxDailyLoss'],
    [{ maxTotalLoss: P('1') + 1n }, 'maxTotalLoss'],
    [{ balance: -1n }, 'balance'],
    [{ maxLeverage: 0n }, 'maxLeverage'],
    [{ phase: 'warmup' }, 'phase'],
    [{ allowedCategories: ['stocks'] }, 'allowedCategories'],
    [{ minProfitableDays: 1.5 }, 'minProfitableDays'],
    [{ maxActiveOrders: -1 }, 'maxActiveOrders'],
    [{ maxActiveOrders: 500n }, 'maxActiveOrders'],
    [{ nickname: 'a' }, 'nickname'],
  ])('what is out of range is refused by name: %o', (fields, field) => {
    expect(opening(fields)).toBe(`validation_failed account.${field}`)
  })

  test('C11: its balance comes from the house; every posting of a life sums to zero', async () => {
    const venue = new Venue({ market: { feeRate: P('0.1%'), fundingRate: P('0.1%') } })
    const { id: positionId } = venue.open({ stopTriggerPrice: P('95') })
    venue.place({ orderType: 'limit', triggerPrice: P('90') })
    venue.accepted({ type: 'changeMargin', positionId, marginChange: P('10') })
    venue.wait(86_400_000)
    venue.close(P('3'))
    venue.tick('50')
    venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'promote' })
    let entries = 0
    let [free, reserve, margin, house] = [0n, 0n, 0n, 0n]
    for await (const commit of venue.engine.commits({ from: 1 }))
      for (const entry of ledgerEntries(commit)) {
        entries += 1
        expect(entry.free + entry.reserve + entry.margin + entry.house).toBe(0n)
        free += entry.free
        reserve += entry.reserve
        margin += entry.margin
        house += entry.house
      }
    expect(entries).toBeGreaterThan(10)
    expect(venue.engine.read.ledger()).toEqual({ free, reserve, margin, house })
  })
})
