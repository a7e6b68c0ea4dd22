// A live run beside its backtest in figures and words: each figure of both, and how far apart they are.

import { describe, expect, test } from 'vitest'
import type { FillRow, LiveComparison } from '../../../../src/backtest/compare/compareLive.ts'
import { differenceText, figureText } from '../../../../src/backtest/compare/figures.ts'
import { CAUSES, type Cause } from '../../../../src/backtest/compare/fillDifference.ts'
import { causeLines, delays, fillCells, found, sides } from '../../../../src/backtest/compare/liveFigures.ts'
import { tradeText } from '../../../../src/backtest/compare/tradeText.ts'
import { fp9 } from '../../../../src/index.ts'

const COSTS = ['fees', 'spread', 'scalping', 'liquidationPenalties', 'funding', 'profitCap']
const side = (from: number) => ({
  costs: Object.fromEntries(COSTS.map((name, at) => [name, fp9(String(from + at * at))])),
  fills: from + 1,
  trades: Array(from + 2),
  openPositions: from + 3,
  rejections: { too_small: from, too_large: 4 },
})

const names = Object.keys(CAUSES) as Cause[]
const row = (change: object = {}): FillRow =>
  ({
    ...{ at: Date.UTC(2026, 0, 5, 1, 2, 3), asset: 'BTC', side: 'long', found: 'matched' },
    ...{ live: { price: fp9('101.5'), action: 'open' }, backtest: { price: fp9('100'), action: 'close' } },
    ...{ delayMs: 250, priceDifference: fp9('1.5'), ticks: 3.25, difference: fp9('-2') },
    causes: Object.fromEntries(names.map((name) => [name, 0n])),
    reason: { befell: 'delay', what: '250 ms later' },
    ...change,
  }) as unknown as FillRow

const comparison = (change: object): LiveComparison =>
  ({
    ...{ live: side(10), backtest: side(3), livePnl: fp9('7'), backtestPnl: fp9('9') },
    ...{ rows: [], carried: 0n, remainder: fp9('0.5'), causes: {}, ...change },
  }) as unknown as LiveComparison

test('each figure has both sides and the difference with its sign', () => {
  expect(sides(comparison({}))).toEqual([
    ['Profit', '7.00', '9.00', '−2.00'],
    ['Fills', '11', '4', '+7'],
    ['Closed trades', '12', '5', '+7'],
    ['Open at the end', '13', '6', '+7'],
    ['Refused', '14', '7', '+7'],
    ...[
      ...['Fees', 'Spread', 'Scalping surcharge', 'Liquidation penalties', 'Funding'],
      'Given up to the 60-second rule',
    ].map((name, at) => [name, `${10 + at * at}.00`, `${3 + at * at}.00`, '+7.00']),
  ])
  const fewer = sides(comparison({ live: side(3), backtest: side(10) }))
  expect(fewer[1]).toEqual(['Fills', '4', '11', '−7'])
  expect(sides(comparison({ backtest: side(10) }))[1]).toEqual(['Fills', '11', '11', ''])
})

test('each cause has its sum and how many fills it is of; what is left and the whole come last', () => {
  const causes = Object.fromEntries(names.map((name, at) => [name, BigInt(at + 1)]))
  const rows = names.map((name, at) =>
    row({
      causes: Object.fromEntries(names.map((other, nth) => [other, other === name || nth < at ? 1n : 0n])),
      reason: at === 0 ? null : { befell: 'delay', what: '' },
    }),
  )
  const lines = causeLines(comparison({ causes, rows, carried: 0n }))
  expect(lines).toEqual([
    ...names.map((name, at) => [CAUSES[name], BigInt(at + 1), names.length - at]),
    ['Not explained', fp9('0.5'), 0],
    ['Live less backtest', fp9('-2'), names.length - 1],
  ])
  expect(causeLines(comparison({ causes, rows, carried: 5n })).at(-3)).toEqual([
    ...['Positions from before the journal', 5n, 0],
  ])
})

test('fills are counted by how they were found, and their delays by the middle and the most', () => {
  const rows = [
    ...[90, 10, 20, 30].map((delayMs) => row({ delayMs })),
    row({ found: 'only live', delayMs: null }),
    row({ found: 'only backtest', delayMs: null }),
    row({ found: 'only backtest', delayMs: null }),
  ]
  expect(found(comparison({ rows }))).toEqual([4, 1, 2])
  expect(delays(comparison({ rows }))).toBe('+30 ms in the median, +90 ms at most')
  expect(delays(comparison({ rows: rows.slice(0, 3) }))).toBe('+20 ms in the median, +90 ms at most')
  expect(delays(comparison({ rows: rows.slice(-2) }))).toBeNull()
})

describe('a fill', () => {
  test('has the cells of both sides', () => {
    expect(fillCells(row())).toEqual([
      ...['2026-01-05 01:02:03', 'BTC long open', '101.50', '100.00', '+250 ms', '+1.50', '+3.3', '−2.00'],
      'delay, 250 ms later',
    ])
  })

  test('of one side alone says of which', () => {
    const alone = {
      delayMs: null,
      priceDifference: null,
      ticks: null,
      reason: { befell: 'refused', what: '' },
    }
    expect(fillCells(row({ ...alone, live: null, found: 'only backtest' }))).toEqual([
      ...[
        '2026-01-05 01:02:03',
        'BTC long close',
        '–',
        '100.00',
        'only backtest',
        '',
        '',
        '−2.00',
        'refused',
      ],
    ])
    expect(fillCells(row({ backtest: null, reason: null })).slice(2, 4)).toEqual(['101.50', '–'])
    expect(fillCells(row({ reason: null })).at(-1)).toBe('')
  })

  test.each([
    [0, '0 ms'],
    [-9_999, '−9,999 ms'],
    [9_999, '+9,999 ms'],
    [10_000, '+10 s'],
    [-12_340, '−12.3 s'],
  ])('%d ms later is %s', (delayMs, text) => expect(fillCells(row({ delayMs }))[4]).toBe(text))
})

describe('figures of runs', () => {
  test('are words of their unit, and a dash without a value', () => {
    expect(figureText('netProfit', fp9('12.5'))).toBe('12.50')
    expect(figureText('totalReturn', 0.1234)).toBe('12.34%')
    expect(figureText('sharpeRatio', 1.239)).toBe('1.24')
    expect(figureText('trades', 1_234)).toBe('1,234')
    expect(figureText('longestDrawdown', 3_600_000)).toBe('1.0 hours')
    expect(figureText('winRate', null)).toBe('–')
  })

  test('lie apart by their difference with its sign, and by nothing where they are the same', () => {
    expect(differenceText('netProfit', fp9('10'), fp9('12.5'))).toBe('−2.50')
    expect(differenceText('netProfit', fp9('12.5'), fp9('10'))).toBe('+2.50')
    expect(differenceText('winRate', 0.5, 0.75)).toBe('−25.00%')
    expect(differenceText('winRate', 0.75, 0.5)).toBe('+25.00%')
    for (const [value, from] of [
      [0.5, 0.5],
      [null, 0.5],
      [0.5, null],
    ] as const)
      expect(differenceText('winRate', value, from)).toBe('')
  })

  test('a trade is what it brought, how it ended and how long it was held', () => {
    const trade = { pnl: fp9('12.5'), endedBy: 'stop', openedAt: 1_000, closedAt: 7_201_000 }
    expect(tradeText(trade as never)).toBe('+12.50, stop after 2.0 hours')
    expect(tradeText(null)).toBe('–')
  })
})
