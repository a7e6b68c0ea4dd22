// How near a run came to each rule: what the report says is used or reached is what the result has.

import { expect, test } from 'vitest'
import { evaluationSection } from '../../../../src/backtest/report/evaluation.ts'
import type { BacktestResult } from '../../../../src/backtest/run/run.ts'
import { fp9 } from '../../../../src/index.ts'

interface Reached {
  readonly balance?: string
  readonly target?: string
  readonly days?: readonly [had: number, least: number]
  /** Limits of the daily and of the total loss, and what was left of each. */
  readonly limits?: readonly [string, string]
  readonly left?: readonly [string | null, string | null]
  readonly verdict?: object
  readonly freezes?: number
}

function rulesOf(reached: Reached) {
  const [days, least] = reached.days ?? [0, 3]
  const [daily, total] = reached.limits ?? ['5%', '10%']
  const [leastDaily, leastTotal] = (reached.left ?? ['500', '1000']).map((text) =>
    text === null ? null : fp9(text),
  )
  const { rules, ...rest } = evaluationSection({
    verdict: reached.verdict ?? { outcome: 'undecided' },
    account: {
      initialAccountBalance: fp9('10000'),
      accountBalance: fp9(reached.balance ?? '10000'),
      profitTarget: fp9(reached.target ?? '10%'),
      profitableDays: days,
      minTradingDays: least,
      maxDailyDrawdown: fp9(daily),
      maxTotalDrawdown: fp9(total),
      riskStatus: { drawdownMode: 'static' },
    },
    initialBalance: fp9('10000'),
    leastDailyHeadroom: leastDaily,
    leastTotalHeadroom: leastTotal,
    freezes: reached.freezes ?? 0,
  } as unknown as BacktestResult)
  return { ...rest, rules: Object.fromEntries(rules.map((rule) => [rule.name, rule])) }
}

const progress = (name: string, reached: Reached) => rulesOf(reached).rules[name]?.progress

test.each([
  ['500', '1000', 0, 0],
  ['400', '900', 0.2, 0.1],
  ['125', '250', 0.75, 0.75],
  ['0', '0', 1, 1],
  // More room than there was to begin with, and less than none.
  ['600', '1200', 0, 0],
  ['-10', '-20', 1, 1],
])('with %s of 500 and %s of 1,000 left, %d and %d of the limits are used', (daily, total, first, second) => {
  expect(progress('Daily loss limit', { left: [daily, total] })).toBeCloseTo(first, 12)
  expect(progress('Total loss limit', { left: [daily, total] })).toBeCloseTo(second, 12)
})

test('a limit was never in play, or is off, or is broken', () => {
  const { rules } = rulesOf({ left: [null, null], limits: ['5%', '100%'] })
  expect(rules['Daily loss limit']).toMatchObject({ limit: '5.00%', reached: 'never in play', progress: 0 })
  expect(rules['Total loss limit']).toMatchObject({ limit: 'off', reached: '–', progress: null })
  const broken = (rule: string) =>
    rulesOf({
      left: ['100', '100'],
      verdict: {
        outcome: 'failed',
        at: Date.UTC(2026, 0, 5),
        breach: { rule, equity: fp9('8999'), floor: fp9('9000') },
      },
    })
  for (const [rule, name, other] of [
    ['daily_loss', 'Daily loss limit', 'Total loss limit'],
    ['total_loss', 'Total loss limit', 'Daily loss limit'],
  ] as const) {
    const { reason, rules: after } = broken(rule)
    expect(after[name]).toMatchObject({ reached: 'broken', progress: 1 })
    expect(after[other]?.reached).toBe('least headroom 100.00 with a position open')
    expect(reason).toBe(
      `${name} broken on 2026-01-05 00:00:00 UTC: equity 8,999.00 fell below the floor of 9,000.00.`,
    )
  }
})

test.each([
  ['10000', '10%', 0],
  ['10500', '10%', 0.5],
  ['11000', '10%', 1],
  ['12000', '10%', 1],
  ['9000', '10%', 0],
  ['10500', '0', null],
])('a balance of %s is %s of the target reached: %s', (balance, target, expected) => {
  expect(progress('Profit target', { balance, target })).toBe(expected)
})

test('a run that has passed has reached its target, whatever it lost after', () => {
  const { rules, reason } = rulesOf({
    balance: '10250',
    verdict: { outcome: 'passed', at: Date.UTC(2026, 0, 6) },
  })
  expect(rules['Profit target']).toMatchObject({
    reached: 'reached; +250.00 (2.50%) realized at the end',
    progress: 1,
  })
  expect(reason).toContain('2026-01-06 00:00:00 UTC')
})

test.each([
  [0, 3, 0],
  [1, 4, 0.25],
  [3, 3, 1],
  [5, 3, 1],
  [2, 0, null],
])('%d profitable days of %d', (had, least, expected) => {
  expect(progress('Profitable days', { days: [had, least] })).toBe(expected)
})

test('freezes are told with the limit that they came of', () => {
  const said = (freezes: number) => rulesOf({ freezes }).rules['Daily loss limit']?.definition ?? ''
  expect(said(0)).not.toContain('frozen')
  expect(said(1)).toContain('; the account was frozen 1 time(s).')
})
