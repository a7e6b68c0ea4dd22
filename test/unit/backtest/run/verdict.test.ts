// The first decision about an account stands.

import { describe, expect, test } from 'vitest'
import { type AfterVerdict, type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import { VerdictWatch } from '../../../../src/backtest/run/verdict.ts'
import { type AccountConfiguration, fp9 } from '../../../../src/index.ts'
import { ACCOUNT, MINUTE, OTHER_ACCOUNT, Venue } from '../../venue.ts'
import { HOUR_MS, opensOnce, optionsFor } from '../report/runs.ts'

function watched(account: Partial<AccountConfiguration>) {
  const venue = new Venue({ account, otherAccount: account })
  const watch = new VerdictWatch(ACCOUNT, venue.engine.read)
  venue.engine.subscribe(({ events, at }) => {
    for (const event of events) watch.add(event, at)
  })
  /** A long of 100, closed at a price a minute later. */
  const trade = (price: string, accountId = ACCOUNT) => {
    venue.tick('100')
    venue.open({ amount: fp9('2000'), leverage: fp9('5'), accountId })
    venue.wait(MINUTE)
    venue.tick(price)
    if (venue.account(accountId).status === 'active') venue.close(fp9('1000000'), { accountId })
  }
  return { venue, watch, trade }
}

const RULES = { maxTotalLoss: fp9('10%'), profitTarget: fp9('5%'), autoPromote: false }

describe('the verdict', () => {
  test('is a pass at the close that reaches the target', () => {
    const { venue, watch, trade } = watched(RULES)
    trade('104.99')
    expect(watch.verdict).toEqual({ outcome: 'undecided' })
    trade('100.01')
    expect(watch.verdict).toEqual({ outcome: 'passed', at: venue.now, equity: fp9('10500') })
  })

  test('stays a pass when the account fails later', () => {
    const { venue, watch, trade } = watched(RULES)
    trade('105')
    const passed = watch.verdict
    trade('80')
    expect(venue.account().status).toBe('failed')
    expect(watch.verdict).toBe(passed)
    expect(passed.outcome).toBe('passed')
  })

  test('is a failure with the rule that was broken', () => {
    const { venue, watch, trade } = watched(RULES)
    trade('89')
    expect(watch.verdict).toMatchObject({
      outcome: 'failed',
      at: venue.now,
      breach: { rule: 'total_loss', floor: fp9('9000'), equity: fp9('8900') },
    })
  })

  test('is a pass at the promotion, where accounts are promoted by themselves', () => {
    const { venue, watch, trade } = watched({ ...RULES, autoPromote: true })
    trade('105')
    const { verdict } = watch
    expect(verdict).toEqual({ outcome: 'passed', at: venue.now, equity: fp9('10500') })
    trade('80')
    expect(watch.verdict).toBe(verdict)
  })

  test('is not that of another account, and a freeze is none', () => {
    const { watch, trade } = watched({ ...RULES, maxDailyLoss: fp9('5%'), dailyBreach: 'freeze' })
    trade('105', OTHER_ACCOUNT)
    expect(watch.verdict).toEqual({ outcome: 'undecided' })
    trade('94', OTHER_ACCOUNT)
    expect(watch.freezes).toBe(0)
    trade('94')
    expect(watch.freezes).toBe(1)
    expect(watch.verdict).toEqual({ outcome: 'undecided' })
  })
})

test('a run ends at its verdict unless it is told to go on', async () => {
  const { notes: stopped, verdict, to } = await runBacktest(deciding('stop'))
  expect(verdict.outcome).toBe('failed')
  // With the bar that it fell in.
  expect(to - (verdict.outcome === 'failed' ? verdict.at : 0)).toBeLessThan(HOUR_MS)
  expect(stopped.join()).toMatch(/the run ended at the verdict/)
  const { notes: whole, verdict: same, to: end } = await runBacktest(deciding('go-on'))
  expect(same).toEqual(verdict)
  expect(end).toBeGreaterThan(to)
  expect(whole.join()).not.toMatch(/the run ended at the verdict/)
})

function deciding(afterVerdict: AfterVerdict): BacktestOptions {
  return {
    ...optionsFor(
      [100, 100, 80, 80, 80].map((price) => [price, price, price, price]),
      opensOnce({ direction: 'long', sizeBy: { notional: '90%' }, leverage: '2' }),
    ),
    afterVerdict,
  }
}
