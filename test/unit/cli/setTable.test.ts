// Sets of parameters on a terminal: every figure in its column, so many rows as were asked for, and no column without anything in it.

import { describe, expect, test } from 'vitest'
import type { OrderedRow } from '../../../src/backtest/sweep/order.ts'
import type { Ranking } from '../../../src/backtest/sweep/ranking.ts'
import { parameterText, rankings, rowLines } from '../../../src/cli/setTable.ts'
import { tableLines } from '../../../src/cli/table.ts'

const DECIDED = { outcome: 'failed', daysToVerdict: 3.14, failedBy: 'daily_loss' }

const row = (fast: number, figures: object = DECIDED, front: number | null = null): OrderedRow =>
  ({
    parameters: { fast, slow: 60 },
    figures: {
      ...{
        totalReturn: 0.0123,
        maxDrawdown: 0.0456,
        sharpeRatio: 1.5,
        profitFactor: 2.5,
        winRate: 0.75,
        trades: 9,
      },
      ...figures,
    },
    plateau: 0.125,
    front,
  }) as unknown as OrderedRow

const cells = (rows: readonly OrderedRow[], top = 20, by: Ranking = 'evaluation', hasPlateaus = false) =>
  rowLines(rows, top, by, hasPlateaus).map((line) => line.trim().split(/ {2,}/))

const FIGURES = ['fast=5 slow=60', '1.23%', '4.56%', '1.50', '2.50', '75.00%', '9']

describe('a set', () => {
  test('has its figures under their names', () => {
    const [head, first] = cells([row(5)])
    expect(head).toEqual([
      ...['parameters', 'return', 'drawdown', 'Sharpe', 'profit factor', 'win rate', 'trades', 'evaluation'],
    ])
    expect(first).toEqual([...FIGURES, 'failed after 3.1 days (daily loss)'])
  })

  test('has passed, failed or neither', () => {
    const evaluation = (figures: object) => cells([row(5, figures)])[1]?.at(-1)
    expect(evaluation({ outcome: 'passed', daysToVerdict: 9.25, failedBy: null })).toBe(
      'passed after 9.3 days',
    )
    expect(evaluation({ outcome: 'passed', daysToVerdict: 0, failedBy: null })).toBe('passed after 0.0 days')
    expect(evaluation({ outcome: 'undecided', daysToVerdict: null, failedBy: null })).toBe('undecided')
  })

  test.each<[Ranking, string]>([
    ['evaluation', '13%'],
    ['totalReturn', '12.50%'],
    ['maxDrawdown', '12.50%'],
    ['winRate', '12.50%'],
    ['probabilityOfPassing', '12.50%'],
    ['sharpeRatio', '0.13'],
    ['profitFactor', '0.13'],
  ])('ranked by %s has a plateau of %s', (by, text) => {
    const [head, first] = cells([row(5)], 20, by, true)
    expect([head?.at(-1), first?.at(-1)]).toEqual(['plateau', text])
  })

  test('has its front where there are fronts, after its plateau', () => {
    const [head, first] = cells([row(5, DECIDED, 2)], 20, 'totalReturn', true)
    expect(head?.slice(-2)).toEqual(['plateau', 'front'])
    expect(first?.slice(-2)).toEqual(['12.50%', '2'])
  })
})

test('no more rows than were asked for, the first of them', () => {
  const rows = [5, 6, 7].map((fast) => row(fast))
  for (const top of [0, 1, 2, 3, 9])
    expect(cells(rows, top).map(([parameters]) => parameters)).toEqual([
      'parameters',
      ...rows.slice(0, top).map(({ parameters }) => parameterText(parameters)),
    ])
})

test('figures to rank by are those that there are', () => {
  expect(rankings('totalReturn')).toEqual(['totalReturn'])
  expect(rankings('sharpeRatio,maxDrawdown')).toEqual(['sharpeRatio', 'maxDrawdown'])
  for (const text of ['', 'luck', 'totalReturn,luck', 'totalReturn,'])
    expect(() => rankings(text)).toThrow('Allowed choices')
})

test('columns of a table are as wide as their widest cell, the first to the left and the others to the right', () => {
  expect(
    tableLines([
      ['a', 'bb', ''],
      ['ccc', 'd', 'e'],
      ['ff', 'g'],
    ]),
  ).toEqual(['a    bb', 'ccc   d  e', 'ff    g'])
})
