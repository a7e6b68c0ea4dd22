// Which of the compared is best is said in words: never of one that is no better than the others.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Mean, Proportion, Quantile } from '../../../src/backtest/evaluate/proportion.ts'
import { comparedLines, type OddsRow, oddsLines, ruleSetsOf, rulesIn } from '../../../src/cli/oddsText.ts'
import { distinctOdds } from '../backtest/odds/distinctOdds.ts'

const share = (value: number) => ({ count: 0, share: value, low: value, high: value })
const mean = (value: number) => ({ value, low: value, high: value })

function row(varied: string, passed: number, payout: number, result: number): OddsRow {
  return {
    rules: 'one',
    varied,
    passed: share(passed),
    failed: share(1 - passed),
    failedBy: { totalLoss: share(0), dailyLoss: share(0) },
    undecided: share(0),
    daysToPass: [],
    funded: {
      paid: share(0),
      failedUnpaid: share(0.05),
      firstPayout: mean(payout),
      expectedFirstPayout: mean(payout),
    },
    result: mean(result),
    attempts: { funded: passed, fees: 300, result },
  } as unknown as OddsRow
}

const said = (...rows: OddsRow[]) => comparedLines(rows, 'risk', 3).filter((line) => line.startsWith('one: '))

test('the highest of each figure is named, with what it costs', () => {
  expect(said(row('1%', 0.2, 40, -90), row('2%', 0.3, 50, -120), row('4%', 0.1, 70, -200))).toEqual([
    'one: 2% passes most often (30.0%) and fails with 70.0%',
    'one: 4% has the best expected first payout (70) and fails before a payout with 95.0%',
    'one: 1% has the best expected result (−90) and fails before a payout with 85.0%',
  ])
})

test('without payouts what is best for the result fails with what fails', () => {
  const unpaid = (varied: string, passed: number, result: number) => ({
    ...row(varied, passed, 0, result),
    funded: null,
  })
  expect(said(unpaid('1%', 0.2, 40), unpaid('2%', 0.3, 30))).toEqual([
    'one: 2% passes most often (30.0%) and fails with 70.0%',
    'one: 1% has the best expected result (40) and fails with 80.0%',
  ])
})

test('where all are alike, none is called the best', () => {
  expect(said(row('1%', 0, 0, -300), row('2%', 0, 0, -300))).toEqual([
    'one: none passes',
    'one: all have the same expected first payout (0)',
    'one: all have the same expected result (−300)',
  ])
  expect(said(row('1%', 0.25, 10, 5), row('2%', 0.25, 10, 5))[0]).toBe('one: all pass as often (25.0%)')
})

test('of several that are as high the first is named', () => {
  expect(said(row('1%', 0.1, 10, -9), row('2%', 0.3, 10, -5), row('4%', 0.3, 10, -5))).toEqual([
    'one: 2% passes most often (30.0%) and fails with 70.0%',
    'one: all have the same expected first payout (10)',
    'one: 2% has the best expected result (−5) and fails before a payout with 75.0%',
  ])
})

test('one alone is compared with nothing', () => {
  expect(said(row('1%', 0.5, 10, 5))).toEqual([])
})

const cellsOf = (line: string) => line.trim().split(/ {2,}/)
const attempts = { funded: 0.875, fees: 1_234, result: -567 }

describe('one set of odds', () => {
  test('has each figure on the line of its name', () => {
    const { passed, failed, failedBy, undecided, phases, funded, result, ...spreads } = distinctOdds()
    if (funded === null) throw new Error('it is funded')
    const percent = (value: number, digits = 2) => `${(100 * value).toFixed(digits)}%`
    const shareOf = (name: string, { count, share: value, low, high }: Proportion) => [
      ...[name, String(count), percent(value), `${percent(low)} to ${percent(high)}`],
    ]
    const meanOf = (name: string, figure: Mean | null) => {
      const { value, low, high } = figure ?? { value: 0, low: 0, high: 0 }
      return [name, String(value), `${low} to ${high}`].map((text) => text)
    }
    const days = (name: string, quantiles: readonly Quantile[]) => [
      name,
      ...quantiles.map(
        ({ value, low, high }) => `${value.toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`,
      ),
    ]
    const plain = (line: readonly string[]) => line.map((cell) => cell.replaceAll(',', ''))
    expect(oddsLines(distinctOdds(), attempts, 3).map(cellsOf).map(plain)).toEqual([
      shareOf('passed', passed),
      ...phases.map((phase, index) => shareOf(`phase ${index + 1} of those that began it`, phase.passed)),
      shareOf('failed', failed),
      shareOf('by total loss', failedBy.totalLoss),
      shareOf('by daily loss', failedBy.dailyLoss),
      shareOf('undecided', undecided),
      shareOf('first payout', funded.paid),
      shareOf('funded failed before it', funded.failedUnpaid),
      shareOf('of the funded by total loss', funded.failedBy.totalLoss),
      shareOf('of the funded by daily loss', funded.failedBy.dailyLoss),
      [''],
      ['25%', '50%'],
      days('days to pass', spreads.daysToPass),
      days('days to fail', spreads.daysToFail),
      days('days to first payout', funded.daysToFirstPayout),
      ['return', ...spreads.totalReturn.map(({ value }) => percent(value))],
      [''],
      meanOf('first payout where there is one', funded.firstPayout),
      meanOf('first payout of every account', funded.expectedFirstPayout),
      meanOf('all payouts of every account', funded.expectedPayouts),
      meanOf('result of an account after its fee', result),
      ['passes in 3 attempts', '87.5%'],
      ['fees', '1234'],
      ['result', '−567'],
    ])
  })

  test('has no line for what there is not', () => {
    const { phases, ...rest } = distinctOdds()
    const bare = { ...rest, phases: phases.slice(0, 1), funded: null, result: null }
    expect(oddsLines(bare, null, 3).map((line) => cellsOf(line)[0])).toEqual([
      ...['passed', 'failed', 'by total loss', 'by daily loss', 'undecided', ''],
      ...['25%', 'days to pass', 'days to fail', 'return'],
    ])
  })
})

describe('sets of odds side by side', () => {
  const paid = {
    ...{ ...distinctOdds(), rules: 'ours', varied: '1%', attempts },
    result: { value: 12, low: -3, high: 20 },
  }
  const unpaid = {
    ...paid,
    rules: 'theirs',
    varied: '2%',
    funded: null,
    result: null,
    attempts: null,
    daysToPass: [],
  }

  test('have each figure under its name, and a dash where there is none', () => {
    const [head, first, second] = comparedLines([paid, unpaid], 'risk', 4).map(cellsOf)
    expect(head).toEqual([
      ...['rules', 'risk', 'passed', 'daily loss', 'total loss', 'undecided', 'median days'],
      ...['first payout', 'amount', 'expected', 'result', 'in 4 attempts', 'fees', 'result'],
    ])
    const share = ({ share: value }: { readonly share: number }) => `${(100 * value).toFixed(1)}%`
    const { passed, failedBy, undecided, funded, daysToPass } = paid
    const common = [
      ...[share(passed), `${(100 * passed.low).toFixed(1)}% to ${(100 * passed.high).toFixed(1)}%`],
      ...[share(failedBy.dailyLoss), share(failedBy.totalLoss), share(undecided)],
    ]
    const whole = (value = 0) => value.toLocaleString('en-US')
    expect(first).toEqual([
      ...['ours', '1%', ...common, daysToPass[1]?.value.toFixed(1)],
      ...[share(funded?.paid ?? { share: 0 }), whole(funded?.firstPayout?.value)],
      ...[whole(funded?.expectedFirstPayout.value), '12', '−3 to 20', '87.5%', '1,234', '−567'],
    ])
    expect(second).toEqual(['theirs', '2%', ...common, '–', '–', '–', '–', '–', '–', '–', '–'])
  })

  test('have no column for what none has', () => {
    const [head] = comparedLines([unpaid], 'risk', 4).map(cellsOf)
    expect(head).toHaveLength(7)
  })
})

describe('rules', () => {
  test('are those of their files, before the account of the options; without files that is the account', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-rules-'))
    const file = path.join(folder, 'strict.json')
    writeFileSync(file, JSON.stringify({ maxDailyLoss: '3%', fee: 40 }))
    const own = { maxDailyLoss: '5%', balance: '7' }
    expect(ruleSetsOf(await rulesIn([file]), own)).toEqual([
      { name: 'strict', account: { maxDailyLoss: '3%', balance: '7' }, fee: 40 },
    ])
    expect(ruleSetsOf([], own)).toEqual([{ name: 'rules', account: own }])
    rmSync(folder, { recursive: true })
    await expect(rulesIn([file])).rejects.toThrow(
      `${file}: the file cannot be opened (there is no such file)`,
    )
  })
})
