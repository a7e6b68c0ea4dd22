// The venue's side: what accounts bring over a population, under its rules and under others.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Mean } from '../../../../src/backtest/evaluate/proportion.ts'
import type { RuleSet } from '../../../../src/backtest/evaluate/rules.ts'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import {
  type SoldAccounts,
  type SoldPopulation,
  soldAccounts,
  type Trader,
} from '../../../../src/backtest/whatIf/population.ts'
import { readPopulation } from '../../../../src/backtest/whatIf/readPopulation.ts'
import { typed } from '../../../typed.ts'

// A market that mostly rises, so that some are paid.
const plan: RunPlan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', simulate: 'brownian:drift=60' }] }
const traders: readonly Trader[] = [
  { name: 'bold', strategy: 'ema-cross', parameters: { fast: 30, slow: 300, margin: '40%' }, share: 3 },
  { name: 'careful', strategy: 'breakout', parameters: { lookback: 120, risk: '0.5%' } },
]
const open = { maxDailyLoss: '100%', maxTotalLoss: '100%', minProfitableDays: 0 }
const rules: RuleSet = {
  name: 'ours',
  account: open,
  phases: [{ profitTarget: '0.3%' }],
  payout: { days: 1, share: 0.8, feeBack: true },
  fee: 50,
}

test('is the fee less payouts and refunds, weighed by share; differences are taken on the same paths', async () => {
  const theirs: RuleSet = { ...rules, name: 'theirs', phases: [{ profitTarget: '90%' }] }
  const { sold } = await soldAccounts({
    plan,
    traders,
    rules: [rules, theirs],
    changes: ['fee=70', 'payout-share=0%,fee-back=off', 'target=90%', 'payout-days=3', 'fee-rate=0'],
    paths: 6,
    days: 4,
    seed: 'population',
    workers: 1,
  })
  const [ours, other, dearer, unpaid, harder, slower, free] = sold as [SoldAccounts, ...SoldAccounts[]]
  expect(ours.paid.value).toBeGreaterThan(0)
  expect(ours.result.value).toBeCloseTo(50 * (1 - ours.paid.value) - ours.payouts.value, 6)
  expect(ours.difference).toBeNull()
  const [bold, careful] = ours.traders
  expect([bold?.share, careful?.share]).toEqual([0.75, 0.25])
  expect(0.75 * (bold?.result.value ?? 0) + 0.25 * (careful?.result.value ?? 0)).toBeCloseTo(
    ours.result.value,
    6,
  )
  // What passes nobody is paid to nobody: all of the fee is left, by other rules or by the change.
  for (const none of [other, harder]) {
    expect(none?.paid.value).toBe(0)
    expect(none?.result.value).toBe(50)
    expect(none?.difference?.value).toBeCloseTo(50 - ours.result.value, 6)
  }
  // A dearer account gives back more to those that are paid, and nothing else is otherwise.
  expect(dearer?.difference?.value).toBeCloseTo(20 * (1 - ours.paid.value), 6)
  expect(unpaid?.paid.value).toBe(ours.paid.value)
  expect(unpaid?.result.value).toBe(50)
  expect(slower?.paid.value).toBeLessThan(ours.paid.value)
  expect(free?.difference?.value).not.toBe(0)
})

test('a population of one kind is that kind', async () => {
  const { sold } = await soldAccounts({
    ...{ plan, traders: traders.slice(0, 1), rules: [rules], paths: 2, days: 2, workers: 1 },
    seed: 'population',
  })
  const [{ traders: kinds, passed, paid, result }] = sold as [SoldAccounts]
  expect(kinds).toEqual([{ name: 'bold', share: 1, passed, paid, result }])
})

test('a population that is none, and rules without fee or payouts, are refused', async () => {
  const given = { plan, traders, rules: [rules] as [RuleSet], paths: 1, days: 1, workers: 1 }
  await expect(soldAccounts({ ...given, traders: [] })).rejects.toThrow(/has a trader or more/)
  const twins = [traders[0], traders[0]] as Trader[]
  await expect(soldAccounts({ ...given, traders: twins })).rejects.toThrow(/the same name/)
  const { fee: _, ...free } = rules
  await expect(soldAccounts({ ...given, rules: [free] })).rejects.toThrow(/the rules need both/)
  await expect(soldAccounts({ ...given, changes: ['fees=3'] })).rejects.toThrow(/no change of a rule/)
  await expect(soldAccounts({ ...given, changes: ['payout-days=0'] })).rejects.toThrow(/number of days/)
})

test.each([
  ['{}', /must be a list of one kind/],
  ['[', /not JSON/],
  ['[{"strategy": "breakout", "weight": 2}]', /unknown key weight; known are name/],
  ['[{"name": "x"}]', /\[0\]: strategy must be a text/],
  ['[{"strategy": "breakout", "share": 0}]', /share must be a number above zero/],
  ['[{"strategy": "breakout", "parameters": {"risk": null}}]', /parameters must be numbers and texts/],
])('%s is refused', (json, message) => expect(() => readPopulation(json, 'traders.json')).toThrow(message))

test('a kind of traders is named by its strategy unless it has a name', () => {
  expect(readPopulation('[{"strategy": "breakout", "share": 2, "parameters": {"risk": "2%"}}]', 'x')).toEqual(
    [{ name: 'breakout', strategy: 'breakout', share: 2, parameters: { risk: '2%' } }],
  )
})

test('is printed for people as for programs: each set of rules, and who was sold to', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-population-'))
  writeFileSync(path.join(folder, 'traders.json'), JSON.stringify(traders))
  writeFileSync(
    path.join(folder, 'rules.json'),
    JSON.stringify({ ...open, ...rules, account: undefined, name: undefined }),
  )
  const words = [
    'what-if',
    '--simulate',
    'brownian:drift=60',
    '--rules',
    'rules.json',
    '--population',
    'traders.json',
  ]
  const more = ['--change', 'fee=70', '--paths', '4', '--horizon', '2', '--workers', '1']
  const people = await typed([...words, ...more], folder)
  const programs = await typed([...words, ...more, '--json'], folder)
  rmSync(folder, { recursive: true })
  expect([people.stderr, people.code, programs.code]).toEqual(['', 0, 0])
  const { sold, notes, seed } = JSON.parse(programs.stdout) as SoldPopulation
  const mean = ({ value, low, high }: Mean) => `${value.toFixed(0)} ${low.toFixed(0)} to ${high.toFixed(0)}`
  const percent = (share: number, digits: number) => `${(share * 100).toFixed(digits)}%`
  const lines = people.stdout.trimEnd().split('\n')
  expect(lines.map((line) => line.trim().replace(/ {2,}/g, ' '))).toEqual([
    `4 paths of 2 days for each of 2 kinds of traders, seed ${seed}`,
    '',
    'an account under fee passes is paid payouts venue’s result difference',
    ...sold.map(({ under, fee, passed, paid, payouts, result, difference }) =>
      [
        ...[
          under,
          fee,
          percent(passed.value, 1),
          percent(paid.value, 1),
          payouts.value.toFixed(0),
          mean(result),
        ],
        ...(difference === null ? [] : [mean(difference)]),
      ].join(' '),
    ),
    '',
    `of these, under ${sold[0]?.under} share passes is paid venue’s result`,
    ...(sold[0]?.traders ?? []).map(({ name, share, passed, paid, result }) =>
      [name, percent(share, 0), percent(passed.value, 1), percent(paid.value, 1), mean(result)].join(' '),
    ),
    '',
    'note: intervals are 95%, over the paths; differences are taken path by path',
    'note: as many accounts are sold under every set of rules; who buys them does not change',
    ...notes.slice(1).map((note) => `note: ${note}`),
  ])
  expect(sold).toHaveLength(2)
})
