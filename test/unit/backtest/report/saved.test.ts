// A saved run: tables that add up, events that balance, and a report that can be drawn again.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COLUMNS } from '../../../../src/backtest/export/columns.ts'
import { saveRun } from '../../../../src/backtest/export/saveRun.ts'
import { curveRows } from '../../../../src/backtest/export/tables.ts'
import { equityChart } from '../../../../src/backtest/output/equityChart.ts'
import { summary } from '../../../../src/backtest/output/summary.ts'
import { renderReport } from '../../../../src/backtest/report/render.ts'
import { rollingCard } from '../../../../src/backtest/report/rollingCard.ts'
import { readSavedReport } from '../../../../src/backtest/report/savedReport.ts'
import { runBothPaths } from '../../../../src/backtest/run/bothPaths.ts'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import { demoFeed } from '../../../../src/backtest/simulated/demoFeed.ts'
import { sharpeRatio } from '../../../../src/backtest/statistics/riskAdjusted.ts'
import { rollingFigures } from '../../../../src/backtest/statistics/rolling.ts'
import { meanReversion } from '../../../../src/backtest/strategies/meanReversion.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import {
  AMBIGUOUS,
  ambiguousStrategy,
  optionsFor,
  type Recorded,
  recorded,
  runThatFailsAtOnce,
  runWithoutTrades,
} from './runs.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-saved-'))
const inFolder = (name: string) => path.join(folder, 'run', name)
const text = (name: string) => readFileSync(inFolder(name), 'utf8')
const table = (name: string): Record<string, string>[] => parse(text(name), { columns: true })
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

let run: Recorded

beforeAll(async () => {
  run = await recorded({
    markets: [{ asset: 'BTC', feed: demoFeed('demo', 6) }],
    strategy: meanReversion({ asset: 'BTC' }),
  })
  await saveRun(path.join(folder, 'run'), run.result, run.recording)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a saved run', () => {
  test('is a file for each table, the events, the report and everything as JSON', () => {
    expect(readdirSync(path.join(folder, 'run')).sort()).toEqual([
      'ambiguousBars.csv',
      'costs.csv',
      'curve.csv',
      'data.csv',
      'drawdowns.csv',
      'events.jsonl',
      'fills.csv',
      'markets.csv',
      'monthly.csv',
      'rejections.csv',
      'report.html',
      'result.json',
      'rolling.csv',
      'rollingBeta.csv',
      'statistics.csv',
      'stress.csv',
      'trades.csv',
    ])
  })

  test('what prices earned and every cost add up to the change of equity, and figures are named as in the JSON', () => {
    const costs = table('costs.csv')
    const amounts = costs.map(({ amount }) => fp9(amount as string))
    expect(costs.at(-1)?.line).toBe('changeOfEquity')
    expect(sum(amounts.slice(0, -1))).toBe(run.result.statistics.netProfit)
    expect(amounts.at(-1)).toBe(run.result.statistics.netProfit)
    expect(costs.filter(({ amount }) => amount !== '0').length).toBeGreaterThan(3)
    const figures = Object.fromEntries(table('statistics.csv').map(({ figure, value }) => [figure, value]))
    const { statistics, verdict } = run.result
    expect(figures).toMatchObject({
      outcome: verdict.outcome,
      totalReturn: String(statistics.totalReturn),
      'maxDrawdown.depth': String(statistics.maxDrawdown?.depth),
      'trades.winRate': String(statistics.trades.winRate),
    })
    expect(fp9(figures.netProfit as string)).toBe(statistics.netProfit)
    expect(table('data.csv')).toMatchObject([{ asset: 'BTC', rows: String(run.result.rows), gaps: '0' }])
  })

  test('the tables hold every trade, fill and point, exactly', () => {
    const { result, recording } = run
    expect(result.trades.length).toBeGreaterThan(3)
    const trades = table('trades.csv')
    expect(trades.map(({ pnl }) => fp9(pnl as string))).toEqual(result.trades.map(({ pnl }) => pnl))
    const fills = table('fills.csv')
    expect(fills).toHaveLength(result.fills)
    expect(sum(fills.map(({ fee }) => fp9(fee as string)))).toBe(sum(recording.fills.map(({ fee }) => fee)))
    const curve = table('curve.csv')
    expect(curve).toHaveLength(result.curve.length)
    expect(fp9(curve.at(-1)?.equity as string)).toBe(result.curve.equity.at(-1))
  })

  test('on both paths has a table of what orders came to and of the bars that decide, which a run on one path does not leave there', async () => {
    const both = await runBothPaths(() => optionsFor(AMBIGUOUS, ambiguousStrategy()))
    const place = path.join(folder, 'both')
    const named = (name: string): Record<string, string>[] =>
      parse(readFileSync(path.join(place, `${name}.csv`), 'utf8'), { columns: true })
    await saveRun(place, both.adverse, both.adverseRecording, both)
    expect(named('orders').map(({ order, isBound }) => [order, isBound])).toEqual([
      ['adverse', 'false'],
      ['optimistic', 'false'],
      ['worst', 'true'],
      ['best', 'true'],
    ])
    const [difference] = both.bounds.deciding.map((bar) => bar.difference)
    expect(named('ambiguousBars').map((bar) => fp9(bar.difference as string))).toEqual([difference])
    expect(named('decidingBars').map((bar) => fp9(bar.difference as string))).toEqual([difference])
    expect(named('divergences')).toMatchObject([{ adverse: 'stop-loss', optimistic: 'take-profit' }])
    for (const name of ['decidingBars', 'divergences'])
      expect(Object.keys(named(name)[0] ?? {})).toEqual(COLUMNS[name])
    const saved = JSON.parse(readFileSync(path.join(place, 'result.json'), 'utf8'))
    expect(saved.orders).toHaveLength(4)
    expect(saved.ambiguousBars).toHaveLength(1)
    await saveRun(place, both.adverse, both.adverseRecording)
    expect(readdirSync(place)).not.toContain('orders.csv')
    expect(named('ambiguousBars')).toHaveLength(1)
  })

  test('a table without a row has the columns that it has with one', async () => {
    const headers = (place: string) =>
      new Map(
        Object.keys(COLUMNS).flatMap((name) => {
          const file = path.join(place, `${name}.csv`)
          return existsSync(file) ? [[name, readFileSync(file, 'utf8').split('\n', 1)[0]]] : []
        }),
      )
    const idle = await runWithoutTrades()
    await saveRun(path.join(folder, 'idle'), idle.result, idle.recording)
    const [full, empty] = [headers(path.join(folder, 'run')), headers(path.join(folder, 'idle'))]
    expect(empty.get('trades')).toBe(COLUMNS.trades?.join())
    for (const name of ['trades', 'fills', 'monthly', 'drawdowns', 'rejections', 'ambiguousBars'])
      expect([name, empty.get(name), full.get(name)]).toEqual([name, full.get(name), COLUMNS[name]?.join()])
  })

  test('the months compound to the return of the run, and days are looked back on once there are enough', () => {
    const months = table('monthly.csv')
    const grown = months.reduce((product, month) => product * (1 + Number(month.return)), 1) - 1
    expect(grown).toBeCloseTo(run.result.statistics.totalReturn ?? 0, 9)
    const saved = JSON.parse(text('result.json'))
    expect(saved.monthly.map(({ month }: { month: string }) => month)).toEqual(
      months.map(({ month }) => month),
    )
    expect(saved.rolling).toEqual([])
    const returns = [0.1, -0.2, 0.05, 0.03]
    const days = returns.map((_, index) => index * 86_400)
    const rolling = rollingFigures({ days, returns }, 3)
    expect(rolling.map(({ day }) => day)).toEqual([2 * 86_400, 3 * 86_400])
    expect(rolling[0]?.totalReturn).toBeCloseTo(1.1 * 0.8 * 1.05 - 1, 12)
    expect(rolling[0]?.maxDrawdown).toBeCloseTo(0.2, 12)
    expect(rolling[1]?.sharpeRatio).toBe(sharpeRatio(returns.slice(1)))
    expect(rollingCard({ days: [], returns: [] }).text).toContain('They need more than 30 days')
    const long = Array.from({ length: 40 }, (_, index) => index)
    const card = rollingCard({
      days: long.map((day) => day * 86_400),
      returns: long.map((day) => (day % 5) / 100),
    })
    expect(card.text.match(/class="chart/g)).toHaveLength(4)
  })

  test('the postings of every event sum to zero, and those of all to the balance (C11)', () => {
    const lines = text('events.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { free, reserve, margin } = totals(lines)
    expect(free + reserve + margin + run.result.initialBalance).toBe(
      run.result.account.riskStatus.currentBalance,
    )
  })

  test('the report is drawn again from the folder or its result.json, byte for byte', async () => {
    expect(renderReport(await readSavedReport(path.join(folder, 'run')))).toBe(text('report.html'))
    expect(renderReport(await readSavedReport(inFolder('result.json')))).toBe(text('report.html'))
  })

  test.each([
    ['not JSON', '{'],
    ['no report', '{}'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a report without its sections', '{"report":{"format":1}}'],
    ['another format', '{"report":{"format":99}}'],
  ])('a file that holds %s is refused', async (_, content) => {
    const file = path.join(folder, 'wrong.json')
    writeFileSync(file, content)
    await expect(readSavedReport(file)).rejects.toMatchObject({ name: 'SavedReportError' })
  })

  test('a file that is not there is refused', () =>
    expect(readSavedReport(path.join(folder, 'missing'))).rejects.toMatchObject({ name: 'SavedReportError' }))
})

interface Line {
  readonly ledger: Record<'free' | 'reserve' | 'margin' | 'house', string> | null
}

function totals(lines: readonly Line[]): Record<'free' | 'reserve' | 'margin', bigint> {
  const moved = { free: 0n, reserve: 0n, margin: 0n }
  for (const { ledger } of lines) {
    if (ledger === null) continue
    const [free, reserve, margin] = [BigInt(ledger.free), BigInt(ledger.reserve), BigInt(ledger.margin)]
    expect(free + reserve + margin + BigInt(ledger.house)).toBe(0n)
    moved.free += free
    moved.reserve += reserve
    moved.margin += margin
  }
  return moved
}

test.each([
  ['the demo', async () => run],
  ['no trades', runWithoutTrades],
  ['a failure', runThatFailsAtOnce],
])('the summary of %s fits 80 columns and is plain where nobody asks for colours', async (_, make) => {
  const { result } = await make()
  const name = `${'a strategy with a long name '.repeat(5)}${'x'.repeat(200)}`
  const lines = summary({ ...result, strategy: name }, { chart: equityChart(result.curve) })
  expect(lines.filter((line) => [...line].length > 80)).toEqual([])
  expect(lines.join('\n')).not.toContain('\u001b')
})

test('a line that is too long is broken between its words, and none is lost', async () => {
  const { result } = await runWithoutTrades()
  const words = Array.from({ length: 60 }, (_, index) => 'x'.repeat(1 + ((index * 7) % 30)))
  const lines = summary({ ...result, strategy: words.join(' ') })
  const strategy = lines.slice(
    0,
    lines.findIndex((line) => line.includes(' UTC, ')),
  )
  expect(strategy.flatMap((line) => line.split(' '))).toEqual(words)
  for (const [index, line] of strategy.entries())
    if (index > 0) expect(`${strategy[index - 1]} ${line.split(' ')[0]}`.length).toBeGreaterThan(80)
})

test('a recorder changes nothing: the run ends in the same state with and without one', async () => {
  const options = () => ({
    markets: [{ asset: 'BTC', feed: demoFeed('demo', 3) }],
    strategy: meanReversion({ asset: 'BTC' }),
  })
  const watched = await recorded(options())
  const alone = await runBacktest(options())
  expect(watched.result.stateHash).toBe(alone.stateHash)
  expect(watched.result.commits).toBe(alone.commits)
})

test('of several accounts the report follows the first and lists the others', async () => {
  const { report, recording, result } = await recorded({
    markets: [{ asset: 'BTC', feed: demoFeed('demo', 3) }],
    strategy: meanReversion({ asset: 'BTC' }),
    others: [{ name: 'second', strategy: meanReversion({ asset: 'BTC', lookback: 100 }) }],
  })
  expect(report.others).toMatchObject([{ name: 'second', outcome: 'undecided' }])
  expect(recording.fills).toHaveLength(result.fills)
  expect(renderReport(report)).toContain('Other accounts')
})

test('the floors of a point of the curve are those that hold from its very time on', () => {
  const two = BigInt64Array.of(1n, 1n)
  const curve = { length: 2, time: Float64Array.of(1_000, 2_000), equity: two, balance: two, exposure: two }
  const floors = [
    { at: 1_000, daily: fp9('95'), total: null },
    { at: 2_000, daily: fp9('96'), total: fp9('90') },
  ]
  const rows = [...curveRows(curve, floors)].map(({ dailyFloor, totalFloor }) => [dailyFloor, totalFloor])
  expect(rows).toEqual([
    ['95', ''],
    ['96', '90'],
  ])
})
