// Where the table of trades lies within what a platform exports: below its titles, above its totals, whatever separates its cells.

import { expect, test } from 'vitest'
import { tradeTable } from '../../../../src/backtest/odds/tradeTable.ts'

const rowsOf = (lines: readonly string[]) => tradeTable(lines.join('\n'), 'mine')

test.each([',', ';', '\t'])('cells are separated by "%s"', (mark) => {
  const { head, rows, lines } = rowsOf(
    [
      ['closed', 'profit', 'note'],
      ['2026-01-01', ' 1.5 ', '"a, b; c"'],
      ['2026-01-02', '2', ''],
    ].map((cells) => cells.join(mark)),
  )
  expect(head).toEqual(['closed', 'profit', 'note'])
  expect(rows).toEqual([
    ['2026-01-01', '1.5', 'a, b; c'],
    ['2026-01-02', '2', ''],
  ])
  expect(lines).toEqual([2, 3])
})

test('one row that is cut tells what separates the cells', () => {
  const { rows } = rowsOf(['My trades', 'closed;profit', '2026-01-01;1', 'Total'])
  expect(rows).toEqual([['2026-01-01', '1']])
})

test('the head is one of the first sixty rows', () => {
  const table = ['closed,profit', '2026-01-01,1']
  const titles = (count: number) => Array.from({ length: count }, (_, at) => `title ${at}`)
  for (const count of [0, 1, 59]) {
    const { rows, lines } = rowsOf([...titles(count), ...table])
    expect([rows, lines]).toEqual([[['2026-01-01', '1']], [count + 2]])
  }
  expect(() => rowsOf([...titles(60), ...table])).toThrow(/no column for the time of closing/)
})

test('the table ends before a row of less than two cells, and empty lines are none', () => {
  const { rows, lines } = rowsOf([
    'closed,profit',
    '2026-01-01,1',
    '',
    '2026-01-02,2',
    'Total',
    '2026-01-03,3',
  ])
  expect(rows.map(([closed]) => closed)).toEqual(['2026-01-01', '2026-01-02'])
  expect(lines).toEqual([2, 4])
  expect(rowsOf(['closed,profit', 'x,']).rows).toEqual([])
})

test.each([
  [[''], 'the file is empty'],
  [['  ', ' '], 'the file is empty'],
  [['a,b', '1,2,3'], 'no column for the time of closing (closeTime, exitTime, date) among a, b'],
  [['closed,note', '2026-01-01,x'], 'no column for the profit (pnl, profit) among closed, note'],
])('%j is refused: %s', (lines, message) => {
  expect(() => rowsOf(lines)).toThrow(message)
})

test('a column that is read and stands twice is refused; one that is not read may', () => {
  expect(() => rowsOf(['title', 'closed,pnl,PnL (USD)', '2026-01-01,1,2'])).not.toThrow()
  expect(() => rowsOf(['title', 'closed,pnl,PnL', '2026-01-01,1,2'])).toThrow(
    'mine:2: two columns are called pnl: rename one, or take it out',
  )
  expect(() => rowsOf(['closed,pnl,closed', '2026-01-01,1,2026-01-02'])).toThrow(
    'two columns are called closed',
  )
  expect(rowsOf(['closed,pnl,note,note', '2026-01-01,1,a,b']).rows).toHaveLength(1)
})
