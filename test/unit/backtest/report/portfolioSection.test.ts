// What each strategy of a portfolio came to, as the report says it: every amount where it belongs, and the days of its lines.

import { expect, test } from 'vitest'
import type { PartResult } from '../../../../src/backtest/portfolio/partLedger.ts'
import { portfolioCard, portfolioSection } from '../../../../src/backtest/report/portfolioSection.ts'
import type { AccountResult } from '../../../../src/backtest/run/participant.ts'
import { fp9 } from '../../../../src/index.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 5, 12)

const part = (name: string, amounts: readonly string[], earned: PartResult['earned']): PartResult => {
  const [realizedPnl, fees, funding, openPnl, netProfit] = amounts.map(fp9) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  const identity = { name, strategy: `strategy of ${name}`, trades: 4, wins: 1, fills: 9 }
  return { ...identity, realizedPnl, fees, funding, openPnl, netProfit, earned }
}

const result = (parts: readonly PartResult[], unattributed = 0n, transfers = 0n) =>
  ({
    portfolio: { parts, unattributed },
    costs: { transfers },
    statistics: { netProfit: fp9('1234.5') },
  }) as unknown as AccountResult

const PARTS = [
  part(
    'calm',
    ['10', '1', '-2', '3', '10'],
    [
      [START, fp9('-1')],
      [START + DAY_MS, fp9('7')],
    ],
  ),
  part('bold', ['-20', '4', '5', '6', '-13'], [[START, fp9('2.5')]]),
]

const row = (name: string, strategy: string, trades: string, winRate: string, amounts: readonly string[]) => {
  const [netProfit, realizedPnl, fees, funding, openPnl] = amounts
  return { name, strategy, trades, winRate, netProfit, realizedPnl, fees, funding, openPnl }
}

test('each has a row with its amounts, and the whole is their sum', () => {
  expect(portfolioSection(result(PARTS))?.rows).toEqual([
    row('calm', 'strategy of calm', '4', '25.0%', ['+10.00', '+10.00', '1.00', '−2.00', '+3.00']),
    row('bold', 'strategy of bold', '4', '25.0%', ['−13.00', '−20.00', '4.00', '+5.00', '+6.00']),
    row('the account', '', '8', '25.0%', ['+1,234.50', '−10.00', '5.00', '+3.00', '+9.00']),
  ])
})

test('what is nobody’s and what was transferred have a row where there is any', () => {
  const names = (unattributed: bigint, transfers: bigint) =>
    portfolioSection(result(PARTS, unattributed, transfers))?.rows.map(({ name, netProfit }) => [
      name,
      netProfit,
    ])
  const [calm, bold] = [
    ['calm', '+10.00'],
    ['bold', '−13.00'],
  ]
  const whole = ['the account', '+1,234.50']
  expect(names(fp9('1'), 0n)).toEqual([calm, bold, ['none of them', '+1.00'], whole])
  expect(names(0n, fp9('-2'))).toEqual([calm, bold, ['transfers', '−2.00'], whole])
  expect(portfolioSection({} as AccountResult)).toBeNull()
})

test('a line has every point up to 600; of more, evenly many, with the first and the last', () => {
  const line = (length: number) => {
    const earned = Array.from({ length }, (_, at) => [START + at * 1_000, fp9(String(at))] as const)
    return portfolioSection(result([part('long', ['0', '0', '0', '0', '0'], earned)]))?.lines[0]?.points ?? []
  }
  expect(line(600)).toHaveLength(600)
  expect(line(601)).toHaveLength(301)
  expect(
    line(1_202)
      .map(([, amount]) => amount)
      .slice(0, 3),
  ).toEqual([0, 3, 6])
  for (const length of [1, 2, 600, 601, 602, 1_200, 1_203]) {
    expect(line(length)[0]).toEqual([START / 1_000, 0])
    expect(line(length).at(-1)).toEqual([START / 1_000 + length - 1, length - 1])
  }
})

test('the chart says its days as dates and its amounts with two decimals', () => {
  const page = portfolioCard(portfolioSection(result(PARTS)))?.text ?? ''
  expect(page).toContain('2026-01-05')
  expect(page).not.toContain('2026-01-05T')
})
