// Which of the compared is best is said in words: never of one that is no better than the others.

import { expect, test } from 'vitest'
import { comparedLines, type OddsRow } from '../../../src/cli/oddsText.ts'

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
    funded: { paid: share(0), firstPayout: mean(payout), expectedFirstPayout: mean(payout) },
    result: mean(result),
    attempts: { funded: passed, fees: 300, result },
  } as unknown as OddsRow
}

const said = (...rows: OddsRow[]) => comparedLines(rows, 'risk', 3).filter((line) => line.startsWith('one: '))

test('the highest of each figure is named, with what it costs', () => {
  expect(said(row('1%', 0.2, 40, -90), row('2%', 0.3, 50, -120), row('4%', 0.1, 70, -200))).toEqual([
    'one: 2% passes most often (30.0%) and fails with 70.0%',
    'one: 4% has the best expected first payout (70)',
    'one: 1% has the best expected result (−90)',
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
    'one: 2% has the best expected result (−5)',
  ])
})

test('one alone is compared with nothing', () => {
  expect(said(row('1%', 0.5, 10, 5))).toEqual([])
})
