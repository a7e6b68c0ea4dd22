// Which rows of a table are trades, in which order they come, and how many were none.

import { expect, test } from 'vitest'
import { readTradeList, readTrades } from '../../../../src/backtest/odds/tradeList.ts'

const table = (...rows: readonly string[]) => ['closed,profit,note', ...rows].join('\n')
const pnls = (...rows: readonly string[]) => readTrades(table(...rows), 'mine').trades.map(({ pnl }) => pnl)

test('trades come in the order of their closing, and of the table where that is the same', () => {
  expect(
    pnls('2026-01-03,3,', '2026-01-01,1,', '2026-01-02,2,', '2026-01-01,1.5,', '2026-01-01,1.25,'),
  ).toEqual([1, 1.5, 1.25, 2, 3])
  expect(readTradeList(table('2026-01-02,2,', '2026-01-01,1,'), 'mine').map(({ pnl }) => pnl)).toEqual([1, 2])
})

test.each([
  'balance',
  'Credit',
  'DEPOSIT of funds',
  'Withdrawal',
  'transfer',
  'bonus',
  'correction',
  'charge',
  'commission',
  'interest',
  'dividend',
  'buy limit',
  'Sell Stop',
  'cancelled',
])('a row with "%s" is none, and is counted', (note) => {
  const { trades, leftOut } = readTrades(
    table('2026-01-01,1,', `2026-01-02,2,${note}`, '2026-01-03,3,'),
    'mine',
  )
  expect(trades.map(({ pnl }) => pnl)).toEqual([1, 3])
  expect(leftOut).toBe(1)
})

test.each(['buy', 'sell', 'no balance', 'buy market', ''])('a row with "%s" is one', (note) => {
  const { trades, leftOut } = readTrades(table('2026-01-01,1,', `2026-01-02,2,${note}`), 'mine')
  expect([trades.length, leftOut]).toEqual([2, 0])
})

test.each([
  [0, 'what each row adds to the running sum', [10, -4, 6]],
  [0.009, 'the same but for a rounding', [10, -4, 6]],
  [0.011, 'no sum of the profits: they lack their costs', [9, -5, 5]],
  [0.5, 'no sum of the profits: they lack their costs', [9, -5, 5]],
])('profits beside a running sum that is off by %d are %s', (off, _, expected) => {
  let sum = 0
  const rows = [10, -4, 6].map((profit, at) => {
    sum += profit + (at % 2 === 0 ? off : -off)
    return `2026-01-0${at + 1},${profit},1,${sum}`
  })
  const { trades } = readTrades(['closed,profit,commission,cum net profit', ...rows].join('\n'), 'mine')
  expect(trades.map(({ pnl }) => pnl)).toEqual(expected)
})

test('a row without a time of closing is open still', () => {
  const { trades, leftOut } = readTrades(table('2026-01-01,1,', ',2,x'), 'mine')
  expect([trades.length, leftOut]).toEqual([1, 1])
})

test('a table without any trade is refused', () => {
  expect(() => readTrades(table('2026-01-01,1,deposit'), 'mine')).toThrow('the table has no trade')
})
