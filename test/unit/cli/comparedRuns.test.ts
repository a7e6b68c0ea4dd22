// Saved runs side by side on a terminal: what was set otherwise, every figure with its difference, equity by the time, and the trades that differ.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test, vi } from 'vitest'
import { fp9 } from '../../../src/index.ts'
import { typed } from '../../typed.ts'

const { found } = vi.hoisted(() => ({ found: { value: {} as unknown } }))

vi.mock('../../../src/backtest/compare/savedRun.ts', () => ({
  readSavedRun: async (place: string) => ({ place }),
}))
vi.mock('../../../src/backtest/compare/compareRuns.ts', async (original) => ({
  ...(await original<object>()),
  compareRuns: () => found.value,
}))

const START = Date.UTC(2026, 0, 5) / 1_000
const HOUR = 3_600
const trade = (pnl: string) => ({
  ...{ pnl: fp9(pnl), endedBy: 'market', openedAt: START * 1_000, closedAt: (START + HOUR) * 1_000 },
})
const comparison = (change: object = {}) => ({
  runs: [
    { place: 'one', outcome: 'passed', curve: { time: [START, START + 7 * HOUR], equity: [100, 107] } },
    { place: 'two', outcome: 'failed', curve: { time: [START + HOUR, START + 6 * HOUR], equity: [50, 60] } },
  ],
  settings: [
    { name: 'account.balance', values: [null, '20000'] },
    { name: 'data', values: ['0123456789abcdef'.repeat(4), 'short'] },
  ],
  figures: [
    { name: 'netProfit', values: [fp9('10'), fp9('12.5')] },
    { name: 'winRate', values: [0.5, null] },
  ],
  trades: [
    { openedAt: START * 1_000, asset: 'BTC', side: 'long', trades: [trade('5'), null] },
    { openedAt: (START + HOUR) * 1_000, asset: 'ETH', side: 'short', trades: [trade('1'), trade('2')] },
  ],
  ...{ sameTrades: 7, same: false, ...change },
})

async function printed(change: object = {}, ...words: readonly string[]): Promise<string[][]> {
  found.value = comparison(change)
  const { stdout, stderr, code } = await typed(['compare', 'one', 'two', ...words])
  expect(code, stderr).toBe(0)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/))
}

test('each setting, figure, moment and trade has its line', async () => {
  expect(await printed()).toEqual([
    ['set otherwise', 'one', 'two'],
    ['account.balance', '–', '20000'],
    ['data', '0123456789ab…', 'short'],
    [''],
    ['one', 'two', '±'],
    ['evaluation', 'passed', 'failed'],
    ['net profit', '10.00', '12.50', '+2.50'],
    ['win rate', '50.00%', '–'],
    [''],
    ['equity at (UTC)', 'one', 'two'],
    ['2026-01-05 00:00', '100.00', '–'],
    ...[1, 2, 3, 4, 5].map((hour) => [`2026-01-05 0${hour}:00`, '100.00', '50.00']),
    ['2026-01-05 06:00', '100.00', '60.00'],
    ['2026-01-05 07:00', '107.00', '–'],
    [''],
    ['7 trade(s) are the same in all, 2 differ'],
    ['opened (UTC)', 'one', 'two'],
    ['2026-01-05 00:00:00 BTC long', '+5.00, market after 1.0 hours', '–'],
    ['2026-01-05 01:00:00 ETH short', '+1.00, market after 1.0 hours', '+2.00, market after 1.0 hours'],
  ])
})

test('no more trades than were asked for are listed, and how many are left is said', async () => {
  const lines = await printed({}, '--trades', '1')
  expect(lines.slice(-2)).toEqual([
    ['2026-01-05 00:00:00 BTC long', '+5.00, market after 1.0 hours', '–'],
    ['… 1 more; --trades COUNT lists more'],
  ])
  expect((await printed({}, '--trades', '2')).flat().join()).not.toContain('more; --trades')
})

test('runs that are the same, that set nothing otherwise, and that do not say how they were made', async () => {
  const same = (await printed({ same: true, settings: [], trades: [] })).flat()
  expect(same[0]).toBe('nothing was set otherwise')
  expect(same.at(-1)).toBe('all ended in the same state')
  expect((await printed({ settings: null })).flat()[0]).toBe('a run does not say how it was made')
})

test('every table of the page is a file of a folder, with every digit', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-compared-'))
  const told = { size: 5n, entryPrice: 1n, exitPrice: 2n }
  const own = comparison()
  const trades = own.trades.map((pair) => ({
    ...pair,
    trades: pair.trades.map((one) => one && { ...one, ...told }),
  }))
  const dated = own.runs.map((run) => ({ ...run, strategy: 'mine', from: '2026-01-05', to: '2026-01-06' }))
  await printed({ trades, runs: dated }, '--out', folder)
  const tableIn = (name: string) =>
    parse(readFileSync(path.join(folder, name), 'utf8'), { columns: true }) as Record<string, string>[]
  expect(tableIn('settings.csv')[0]).toEqual({ setting: 'account.balance', one: '', two: '20000' })
  expect(tableIn('figures.csv')).toEqual([
    { figure: 'evaluation', unit: '', one: 'passed', two: 'failed' },
    { figure: 'netProfit', unit: 'amount', one: '10', two: '12.5' },
    { figure: 'winRate', unit: 'share', one: '0.5', two: '' },
  ])
  expect(tableIn('equity.csv')).toHaveLength(4)
  expect(
    tableIn('trades.csv').map(({ pair, run, asset, size, pnl }) => [pair, run, asset, size, pnl]),
  ).toEqual([
    ['1', 'one', 'BTC', '0.000000005', '5'],
    ['2', 'one', 'ETH', '0.000000005', '1'],
    ['2', 'two', 'ETH', '0.000000005', '2'],
  ])
  expect(readFileSync(path.join(folder, 'report.html'), 'utf8')).toContain('Comparison of runs')
  expect(JSON.parse(readFileSync(path.join(folder, 'result.json'), 'utf8'))).toMatchObject({ sameTrades: 7 })
  rmSync(folder, { recursive: true })
})

test('what goes with another kind of comparison is refused', async () => {
  expect(await typed(['compare', 'one', 'two', '--csv', 'x.csv'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--csv goes with --with-backtest; --out FOLDER has the tables'),
  })
  expect(await typed(['compare', 'one', 'two', '--with-backtest'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--with-backtest takes the journal of one live run'),
  })
})
