// The life of an account: phases one after the other, a funded account, payouts, and what all of it comes to.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lifeOf, PATH_START, type PathOutcome } from '../../../../src/backtest/evaluate/life.ts'
import { oddsOf, traderResult } from '../../../../src/backtest/evaluate/odds.ts'
import { meanOf } from '../../../../src/backtest/evaluate/proportion.ts'
import { type RuleSet, readRuleSet } from '../../../../src/backtest/evaluate/rules.ts'
import { attemptsUnder } from '../../../../src/backtest/odds/attempts.ts'
import { replayOf } from '../../../../src/backtest/odds/replay.ts'
import { accountOf } from '../../../../src/backtest/plan/options.ts'
import type { DecimalFields } from '../../../../src/backtest/plan/plan.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const open = { maxDailyLoss: '100%', maxTotalLoss: '100%', minProfitableDays: 0 }

/** A path with one trade a day, from 1:00 to 2:00, that gains so many percent of a balance of 10,000. */
async function life(percents: readonly number[], rules: Omit<RuleSet, 'name'>): Promise<PathOutcome> {
  const days = percents.map((percent) => [
    { opens: HOUR_MS, closes: 2 * HOUR_MS, gain: percent / 100, worst: Math.min(0, percent / 100) },
  ])
  const run = (account: DecimalFields, from: number) =>
    replayOf(days.slice((from - PATH_START) / DAY_MS), 1, 10_000, accountOf(account), from)
  return lifeOf(run, { name: 'rules', ...rules }, days.length)
}

const phases = [{ profitTarget: '3%' }, { profitTarget: '2%' }]
const payout = { days: 5, share: 0.8 }

describe('phases', () => {
  test('follow each other with the day after the verdict, each with a balance of its own', async () => {
    const winning = await life(new Array(12).fill(1), { account: open, phases })
    expect(winning).toMatchObject({ outcome: 'passed', rule: null, funded: null })
    // The third trade of the first phase closes at 2:00 of day 2, the second of the next on day 4.
    expect(winning.phases.map(({ outcome, days }) => [outcome, days])).toEqual([
      ['passed', 2 + 2 / 24],
      ['passed', 1 + 2 / 24],
    ])
    expect(winning.days).toBeCloseTo(4 + 2 / 24, 9)
    expect(winning.totalReturn).toBeCloseTo(0.02, 6)
  })

  test('a later phase fails by its own rules and from its own balance', async () => {
    const strict = [phases[0], { ...phases[1], maxTotalLoss: '1.5%' }] as DecimalFields[]
    const failed = await life([1, 1, 1, -1, -1, 1, 1], { account: open, phases: strict })
    expect(failed).toMatchObject({ outcome: 'failed', rule: 'total_loss', funded: null })
    expect(failed.phases.map(({ outcome }) => outcome)).toEqual(['passed', 'failed'])
    expect(failed.days).toBeCloseTo(4 + 2 / 24, 9)
  })

  test('that the path has no room for leave it undecided', async () => {
    const short = await life([1, 1, 1], { account: open, phases })
    expect(short).toMatchObject({ outcome: 'undecided', days: null })
    expect(short.phases).toHaveLength(1)
    const half = await life([1, 1, 1, 1], { account: open, phases })
    expect(half.phases.map(({ outcome }) => outcome)).toEqual(['passed', 'undecided'])
    expect(half.outcome).toBe('undecided')
  })
})

describe('payouts', () => {
  const rules = { account: open, phases: [{ profitTarget: '1%' }], payout }

  test('come once they are due, of the part agreed, and take the profit out of the account', async () => {
    // Passed on day 0; funded from day 1, due at the midnight of day 6, and again five days after the day it began anew.
    const { funded } = await life(new Array(18).fill(1), rules)
    expect(funded?.failedBy).toBeNull()
    expect(funded?.payouts.map(({ day }) => Math.round(day))).toEqual([6, 12, 18])
    for (const { amount } of funded?.payouts ?? []) expect(amount).toBeCloseTo(0.8 * 500, 4)
  })

  test('are four fifths of the profit of a fortnight, where nothing else is agreed', async () => {
    const { funded } = await life(new Array(18).fill(1), { ...rules, payout: {} })
    expect(funded?.payouts.map(({ day }) => Math.round(day))).toEqual([15])
    expect(funded?.payouts[0]?.amount).toBeCloseTo(0.8 * 1_400, 4)
  })

  test('wait for a profit, for the least profit, and for profitable days', async () => {
    const late = [1, -1, -1, -1, -1, -1, 5, 1, 1, 0, 0, 0]
    const days = async (own: object) =>
      (await life(late, { ...rules, payout: { ...payout, ...own } })).funded?.payouts.map(
        ({ day, amount }) => [Math.floor(day), Math.round(amount)],
      )
    expect(await days({})).toEqual([[8, 80]])
    expect(await days({ least: 150 })).toEqual([[9, 160]])
    expect(await days({ profitableDays: 3 })).toEqual([[9, 160]])
    expect(await days({ least: 250 })).toEqual([])
  })

  test('none comes after a failure, and those before it stay', async () => {
    const account = { ...open, maxTotalLoss: '1.5%' }
    const early = await life([1, 1, -1, -1, -1, 1, 1, 1], { ...rules, account })
    expect(early).toMatchObject({ outcome: 'passed', funded: { failedBy: 'total_loss', payouts: [] } })
    const later = await life([1, 1, 1, 1, 1, 1, 0, -1, -1, 0], { ...rules, account })
    expect(later.funded?.failedBy).toBe('total_loss')
    expect(later.funded?.payouts).toHaveLength(1)
  })

  test('a funded account has rules of its own, and no target ends it', async () => {
    const strict = { ...rules, funded: { maxDailyLoss: '0.5%', profitTarget: '0.5%' } }
    const { funded } = await life([1, 1, 1, -1, 1, 1, 1, 1], strict)
    expect(funded).toMatchObject({ failedBy: 'daily_loss', payouts: [] })
    expect((await life(new Array(8).fill(1), strict)).funded?.payouts).toHaveLength(1)
  })
})

describe('what it comes to', () => {
  const path = fc.record<PathOutcome>({
    outcome: fc.constantFrom('passed', 'failed', 'undecided'),
    rule: fc.constantFrom(null, 'total_loss', 'daily_loss'),
    days: fc.double({ min: 0, max: 30, noNaN: true }),
    totalReturn: fc.double({ min: -1, max: 1, noNaN: true }),
    phases: fc.constant([]),
    funded: fc.option(
      fc.record({
        failedBy: fc.constantFrom(null, 'total_loss' as const),
        payouts: fc.array(fc.record({ day: fc.nat(90), amount: fc.nat(1_000) }), { maxLength: 3 }),
      }),
    ),
  })

  test('shares, means and the result of an account agree with each other', () => {
    fc.assert(
      fc.property(fc.array(path, { minLength: 1 }), fc.boolean(), (paths, feeBack) => {
        const rules: RuleSet = { name: 'rules', account: {}, fee: 100, payout: { feeBack } }
        const { funded, result } = oddsOf(paths, rules)
        if (funded === null || result === null) throw new Error('no funded odds')
        const refunds = feeBack ? funded.paid.share * 100 : 0
        expect(result.value).toBeCloseTo(funded.expectedPayouts.value + refunds - 100, 6)
        expect(funded.expectedFirstPayout.value).toBeCloseTo(
          funded.paid.share * (funded.firstPayout?.value ?? 0),
          6,
        )
        expect(funded.paid.count + funded.failedUnpaid.count).toBeLessThanOrEqual(
          paths.filter((one) => one.funded !== null).length,
        )
        expect(result.low).toBeLessThanOrEqual(result.value)
        expect(paths.reduce((sum, one) => sum + traderResult(one, rules), 0) / paths.length).toBeCloseTo(
          result.value,
          6,
        )
        // Where no fee is told none is paid: what a trader gets is what is paid out.
        const { fee: _, ...free } = rules
        for (const one of paths) {
          const paid = (one.funded?.payouts ?? []).reduce((sum, { amount }) => sum + amount, 0)
          expect(traderResult(one, free)).toBe(paid)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('one attempt brings what an account does; without a fee none is told', async () => {
    const rules: RuleSet = { name: 'rules', account: open, phases: [{ profitTarget: '1%' }], payout, fee: 90 }
    const lives = await Promise.all([life(new Array(8).fill(1), rules), life(new Array(8).fill(-1), rules)])
    const odds = oddsOf(lives, rules)
    expect(odds.result?.value).toBeCloseTo(400 / 2 - 90, 4)
    const once = attemptsUnder(odds, rules, { attempts: 1 })
    expect(once?.result).toBeCloseTo(odds.result?.value ?? 0, 6)
    expect(attemptsUnder(odds, rules, { attempts: 1, payout: 1_000 })?.result).toBeCloseTo(410, 6)
    const { fee: _, ...free } = rules
    expect(attemptsUnder(odds, free, { attempts: 1 })).toBeNull()
  })

  test('95 of 100 intervals of a mean hold it', () => {
    const random = new Random('means')
    let holds = 0
    for (let trial = 0; trial < 1_000; trial++) {
      const mean = meanOf(Array.from({ length: 100 }, () => random.uniform()))
      if (mean !== null && mean.low <= 0.5 && 0.5 <= mean.high) holds += 1
    }
    expect(holds).toBeGreaterThan(925)
    expect(holds).toBeLessThan(975)
  })
})

describe('a file of rules', () => {
  test('keeps parameters of accounts apart from phases, payouts and the fee', () => {
    const json = `{"maxTotalLoss": "10%", "fee": "99.5", "phases": [{"profitTarget": "8%"}], "funded": {"maxDailyLoss": "4%"},
      "payout": {"days": 7, "share": "90%", "least": 50, "profitableDays": 3, "feeBack": true}}`
    expect(readRuleSet(json, 'mine')).toEqual({
      name: 'mine',
      account: { maxTotalLoss: '10%' },
      phases: [{ profitTarget: '8%' }],
      funded: { maxDailyLoss: '4%' },
      payout: { days: 7, share: 0.9, least: 50, profitableDays: 3, feeBack: true },
      fee: 99.5,
    })
    expect(readRuleSet('{"profitTarget": "8%"}', 'flat')).toEqual({
      name: 'flat',
      account: { profitTarget: '8%' },
    })
  })

  test.each([
    ['[]', /mine must be an object/],
    ['{', /mine: not JSON/],
    ['{"phases": []}', /phases must be a list of one phase or more/],
    ['{"phases": ["8%"]}', /phases\[0\] must be an object/],
    ['{"payout": {"every": 14}}', /unknown key every; known are days, share/],
    ['{"payout": {"share": 80}}', /share must be between 0% and 100%/],
    ['{"payout": {"days": 0}}', /days must be a whole number above zero/],
    ['{"fee": -1}', /fee must be an amount/],
    ['{"payout": {"feeBack": "yes"}}', /feeBack must be true or false/],
    ['{"maxDailyLoss": {"a": 1}}', /maxDailyLoss must be a decimal/],
  ])('%s is refused', (json, message) => expect(() => readRuleSet(json, 'mine')).toThrow(message))
})
