// Amounts and times as platforms write them.

import { expect, test } from 'vitest'
import { TradeCells } from '../../../../src/backtest/odds/tradeCells.ts'

const cells = (rows: readonly (readonly string[])[] = [], zone = 'UTC', isMonthFirst = false) =>
  new TradeCells(rows, 'mine', zone, isMonthFirst)

test.each<[string, number | null]>([
  ['7', 7],
  ['+7.5', 7.5],
  ['-0.25', -0.25],
  ['.5', 0.5],
  ['5.', 5],
  ['1e3', 1_000],
  ['−1 234.50 USD', -1_234.5],
  ['–2', -2],
  ['USDT 3', 3],
  ['$1,234.5', 1_234.5],
  ["1'234", 1_234],
  ['12 %', 12],
  ['(20.00)', -20],
  ['$(20)', -20],
  ['(-20)', -20],
  ['1,234,567', 1_234_567],
  ['12,34', null],
  ['', null],
  ['-', null],
  ['seven', null],
  ['7 8 x', null],
])('"%s" is %j', (cell, amount) => {
  expect(cells().amountOrNull(cell)).toBe(amount)
  if (amount !== null) expect(cells().amount(cell, 3)).toBe(amount)
})

test('what is no amount is told with its line', () => {
  expect(() => cells().amount('seven', 3)).toThrow(/mine.*3.*seven is no amount/s)
  expect(() => cells().amount('', 4)).toThrow(/an empty cell is no amount/)
})

test.each([
  [['-0,5'], '1.234,5', 1_234.5],
  [['-0,1234'], '0,5', 0.5],
  [['(0,5)'], '0,5', 0.5],
  // Another cell has a point before digits: commas are those of thousands.
  [['0,5', '1.25'], '1,234', 1_234],
  [['1,234'], '1,234', 1_234],
])('in a table with %j "%s" is %f', (row, cell, amount) => {
  expect(cells([row]).amountOrNull(cell)).toBe(amount)
})

test.each([
  ['2025-05-04T12:00:00Z', '2025-05-04T12:00:00.000Z'],
  ['2025-05-04T12:00:00+02:00', '2025-05-04T10:00:00.000Z'],
  ['2025-05-04 12:00', '2025-05-04T12:00:00.000Z'],
  ['2025.05.04 12:00:01', '2025-05-04T12:00:01.000Z'],
  ['2025/05/04', '2025-05-04T00:00:00.000Z'],
  ['25-05-04 12:00', '2025-05-04T12:00:00.000Z'],
  ['1746360000', '2025-05-04T12:00:00.000Z'],
  ['1746360000123', '2025-05-04T12:00:00.123Z'],
  ['May 5, 2025 10:07 AM', '2025-05-05T10:07:00.000Z'],
  ['may. 15 2025, 12:59:58 pm', '2025-05-15T12:59:58.000Z'],
  ['5 December 2025', '2025-12-05T00:00:00.000Z'],
  ['05-Jan-2025 23:01:09', '2025-01-05T23:01:09.000Z'],
  ['999999999', '2001-09-09T01:46:39.000Z'],
  ['999999999999', '2001-09-09T01:46:39.999Z'],
])('%s is %s', (cell, at) => {
  expect(new Date(cells().time(cell, 1)).toISOString()).toBe(at)
})

test.each([
  [['13/4/2025'], '5/4/2025 1:02:03', '2025-04-05T01:02:03.000Z'],
  [['5.4.2025'], '5.4.2025', '2025-04-05T00:00:00.000Z'],
  [['4/13/2025'], '5/4/2025 1:02', '2025-05-04T01:02:00.000Z'],
  [['5/4/2025 1:02 PM'], '5/4/2025 1:02 PM', '2025-05-04T13:02:00.000Z'],
  [['5/4/2025 1:02 PM'], '5/4/2025, 12:30 AM', '2025-05-04T00:30:00.000Z'],
  [['5/4/2025 1:02 PM'], '5/4/2025 12:30 PM', '2025-05-04T12:30:00.000Z'],
  [['4/13/2025'], '5/4/2025 1:02 +0200', '2025-05-03T23:02:00.000Z'],
  [['4/13/2025'], '5/4/2025 1:02 -03:30', '2025-05-04T04:32:00.000Z'],
])('where a row has %j, %s is %s', (row, cell, at) => {
  expect(new Date(cells([row]).time(cell, 1)).toISOString()).toBe(at)
})

test('a day or a month is guessed where somebody says so, and told otherwise', () => {
  expect(() => cells([['12/4/2025']]).time('5/4/2025', 9)).toThrow(
    /mine.*9.*may begin with its day or its month/s,
  )
  expect(new Date(cells([['12/12/2025']], 'UTC', true).time('5/4/2025', 9)).toISOString()).toBe(
    '2025-05-04T00:00:00.000Z',
  )
})

test('times are of the table’s zone, unless they say theirs', () => {
  const berlin = cells([], 'Europe/Berlin')
  expect(new Date(berlin.time('2025-05-04 12:00', 1)).toISOString()).toBe('2025-05-04T10:00:00.000Z')
  expect(new Date(berlin.time('2025-05-04T12:00Z', 1)).toISOString()).toBe('2025-05-04T12:00:00.000Z')
})

test.each(['', 'soon', '2025-13-45 99:00', '12345678', '2025-02-30', '2025-02-30T12:00Z', '31 Apr 2025'])(
  '"%s" is no time',
  (cell) => {
    expect(() => cells().time(cell, 6)).toThrow(/mine.*6.*is no time; write 2025-05-04 12:00:00/s)
  },
)
