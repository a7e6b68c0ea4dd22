/** Saved runs side by side: equal runs differ in nothing, and every trade of different runs is told once. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareRuns, equityAt } from '../../../../src/backtest/compare/compareRuns.ts'
import { FIGURES, type FigureName } from '../../../../src/backtest/compare/figures.ts'
import { readSavedRun, type SavedRun } from '../../../../src/backtest/compare/savedRun.ts'
import { saveRun } from '../../../../src/backtest/export/saveRun.ts'
import { optionsOf, preparePlan } from '../../../../src/backtest/plan/options.ts'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { provenanceOf } from '../../../../src/backtest/plan/provenance.ts'
import { Recording } from '../../../../src/backtest/recording/recording.ts'
import { renderComparison } from '../../../../src/backtest/report/compareReport.ts'
import { ticks } from '../../../../src/backtest/report/lineChart.ts'
import { readProvenance } from '../../../../src/backtest/report/savedReport.ts'
import { runBacktest } from '../../../../src/backtest/run/run.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-compare-'))
const PLAN: RunPlan = {
  markets: [{ asset: 'BTC', days: 4 }],
  strategy: 'mean-reversion',
  afterVerdict: 'go-on',
}

async function saved(name: string, plan: RunPlan, told = true): Promise<SavedRun> {
  const recording = new Recording()
  const result = await runBacktest({ ...optionsOf(plan, await preparePlan(plan)), recorder: recording })
  const place = path.join(folder, name)
  await saveRun(place, result, recording, null, told ? await provenanceOf(plan) : null)
  return readSavedRun(place)
}

// biome-ignore lint/suspicious/noExplicitAny: it is JSON that is to be spoiled.
type Saved = any

const HEAD = 'asset,side,openedAt,closedAt,size,entryPrice,exitPrice,pnl,endedBy'
const AT = '2026-01-05T00:00:00.000Z'

let first: SavedRun
let other: SavedRun
beforeAll(async () => {
  first = await saved('first', PLAN)
  other = await saved('other', {
    ...PLAN,
    parameters: { lookback: 90 },
    account: { balance: '20000' },
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('two runs', () => {
  test('that are the same differ in nothing', () => {
    const { same, settings, trades, sameTrades } = compareRuns([first, { ...first, place: 'again' }])
    expect({ same, settings, trades }).toEqual({ same: true, settings: [], trades: [] })
    expect(sameTrades).toBe(first.trades.length)
    expect(sameTrades).toBeGreaterThan(2)
  })

  test('tell every setting that differs, and only these', () => {
    expect(compareRuns([first, other]).settings).toEqual([
      { name: 'parameters.lookback', values: [null, '90'] },
      { name: 'account.balance', values: [null, '20000'] },
    ])
  })

  test('tell every trade of both exactly once, and the sums of both stay what they were', () => {
    const { trades, sameTrades } = compareRuns([first, other])
    expect(trades.length).toBeGreaterThan(0)
    for (const [run, all] of [first, other].entries()) {
      const told = trades.flatMap(({ trades: each }) => each[run] ?? [])
      expect(told.length + sameTrades).toBe(all.trades.length)
      expect(new Set(told).size).toBe(told.length)
    }
    for (const { trades: pair, openedAt } of trades)
      for (const trade of pair) expect(trade?.openedAt ?? openedAt).toBe(openedAt)
  })

  test('what prices earned, less what was paid, is the net profit, of a run that was liquidated too', async () => {
    const liquidated = await saved('liquidated', {
      ...PLAN,
      parameters: { leverage: 50, notional: '100%', stop: 60 },
    })
    expect(liquidated.figures.liquidationPenalties).toBeGreaterThan(0n)
    for (const { figures } of [first, other, liquidated]) {
      const amount = (name: keyof typeof figures) => figures[name] as bigint
      const paid = ['fees', 'spread', 'scalping', 'funding', 'liquidationPenalties', 'profitCap'] as const
      const earned = amount('pricePnl') + amount('lossesAbsorbed') + amount('transfers')
      expect(paid.reduce((left, cost) => left - amount(cost), earned)).toBe(amount('netProfit'))
    }
  })

  test('the net profit told is what the curve told gained', () => {
    expect(first.figures.trades).toBe(first.trades.length)
    expect(typeof first.figures.netProfit).toBe('bigint')
    const [begin = 0, end = 0] = [first.curve.equity[0], first.curve.equity.at(-1)]
    expect(Number(first.figures.netProfit) / 1e9).toBeCloseTo(end - begin, 1)
  })

  test('two trades of one opening are paired in the order of closing', () => {
    const [trade] = first.trades
    if (trade === undefined) throw new Error('no trade')
    const twice = { ...first, trades: [trade, { ...trade, closedAt: trade.closedAt + 1 }] }
    const once = { ...first, trades: [trade] }
    const { trades, sameTrades } = compareRuns([twice, once])
    expect(sameTrades).toBe(1)
    expect(trades.map(({ trades: pair }) => pair)).toEqual([[twice.trades[1], null]])
  })

  test('one is not enough', () => expect(() => compareRuns([first])).toThrow(RangeError))

  test('a run that does not say how it was made is compared all the same', async () => {
    const untold = await saved('untold', PLAN, false)
    expect(compareRuns([first, untold])).toMatchObject({ settings: null, same: true, trades: [] })
  })

  /** The saved run after a change to its JSON. */
  async function changed(change: (saved: Saved) => void): Promise<unknown> {
    const place = path.join(folder, 'changed')
    cpSync(path.join(folder, 'first'), place, { recursive: true })
    const file = path.join(place, 'result.json')
    const saved = JSON.parse(readFileSync(file, 'utf8'))
    change(saved)
    writeFileSync(file, JSON.stringify(saved))
    return readSavedRun(place)
  }

  test('what is saved is read, and read again after a change that changes nothing', async () => {
    expect(await changed(() => {})).toEqual({ ...first, place: path.join(folder, 'changed') })
  })

  test('each line of costs is the one of its name', async () => {
    const names = Object.keys(first.figures).filter((name) =>
      FIGURES[name as FigureName].at.startsWith('costs.'),
    )
    const costs = Object.fromEntries(names.map((name, index) => [name, `${1_000 + index}`]))
    expect(names).toHaveLength(9)
    const { figures } = (await changed((saved) => Object.assign(saved.costs, costs))) as SavedRun
    for (const name of names) expect(figures[name as FigureName]).toBe(BigInt(costs[name] as string))
  })

  test.each<[place: string, change: (saved: Saved) => void, fault: RegExp]>([
    ['strategy', (saved) => delete saved.strategy, /result\.json: must have required properties strategy/],
    [
      'verdict',
      (saved) => (saved.verdict = {}),
      /result\.json: verdict must have required properties outcome/,
    ],
    [
      'a figure',
      (saved) => (saved.statistics.sharpeRatio = 'good'),
      /statistics\.sharpeRatio must be number/,
    ],
    ['an amount', (saved) => (saved.costs.fees = '1.5'), /costs\.fees must match pattern/],
    ['an amount as a number', (saved) => (saved.costs.fees = 15), /costs\.fees must be string/],
    [
      'the curve',
      (saved) => (saved.report.charts.curve.equity = 7),
      /report\.charts\.curve\.equity must be array/,
    ],
    ['a point of it', (saved) => (saved.report.charts.curve.time[1] = null), /curve\.time\.1 must be number/],
    ['the charts', (saved) => delete saved.report.charts, /report must have required properties charts/],
    ['the settings', (saved) => (saved.report.madeBy.settings = [['one']]), /report\.madeBy\.settings\.0/],
  ])('a saved run with another %s is refused, with its place', async (_, change, fault) => {
    await expect(changed(change)).rejects.toMatchObject({
      name: 'SavedReportError',
      message: expect.stringMatching(fault),
    })
  })

  test.each<[what: string, text: string, fault: RegExp]>([
    ['no table', '"asset', /trades\.csv: not a table of trades/],
    ['other columns', 'asset,side\nBTC,long\n', /trades\.csv: row 1: no column openedAt/],
    [
      'no time',
      `${HEAD}\nBTC,long,soon,2026-01-05T00:00:00.000Z,1,1,1,1,close`,
      /row 1: openedAt is no time: soon/,
    ],
    ['no decimal', `${HEAD}\nBTC,long,${AT},${AT},1,many,1,1,close`, /row 1: entryPrice is no decimal: many/],
  ])('trades that are %s are refused, with their row', async (_, text, fault) => {
    await changed(() => {})
    writeFileSync(path.join(folder, 'changed', 'trades.csv'), text)
    await expect(readSavedRun(path.join(folder, 'changed'))).rejects.toMatchObject({
      name: 'SavedReportError',
      message: expect.stringMatching(fault),
    })
  })

  test('how a run was made is checked before it is made again', async () => {
    const place = path.join(folder, 'changed')
    await changed(() => {})
    expect((await readProvenance(place)).plan).toEqual(PLAN)
    for (const [change, fault] of [
      [(saved: Saved) => (saved.madeBy.files = [{}]), /madeBy\.files\.0 must have required properties/],
      [(saved: Saved) => (saved.madeBy = null), /madeBy must be object/],
      [(saved: Saved) => (saved.madeBy.plan.marekts = []), /madeBy\.plan: unknown key marekts/],
      [(saved: Saved) => delete saved.madeBy.plan.markets, /madeBy\.plan: no markets/],
    ] as const) {
      await changed(change)
      await expect(readProvenance(place)).rejects.toThrow(fault)
    }
  })

  test('a folder without its trades is refused', async () => {
    rmSync(path.join(folder, 'untold', 'trades.csv'), { force: true })
    await expect(readSavedRun(path.join(folder, 'untold'))).rejects.toMatchObject({
      name: 'SavedReportError',
    })
  })
})

test('the equity at a moment is that of the last point before it, and none outside of the run', () => {
  const curve = { time: [10, 20, 30], equity: [1, 2, 3] }
  expect([9, 10, 19, 20, 30, 31].map((second) => equityAt(curve, second))).toEqual([null, 1, 1, 2, 3, null])
  expect(equityAt({ time: [], equity: [] }, 5)).toBeNull()
})

test('the page has every run and trade, runs its own script alone and fetches nothing', () => {
  const named = { ...other, place: '<img src=x>' }
  const comparison = compareRuns([first, named])
  const page = renderComparison(comparison)
  expect(page).toContain('&lt;img src=x&gt;')
  expect(page).not.toMatch(/<img|https?:/)
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page.split('<tr><td>').length - 1).toBe(2 + comparison.trades.length)
  expect(page).toMatch(/<path class="line c1" d="M[\d.]+ [\d.]+H/)
})

test.each([
  [0, 1],
  [-0.013, 0.002],
  [9_700, 10_912],
  [1e-7, 3e-7],
])('the levels between %d and %d are few, round and inside', (least, most) => {
  const levels = ticks(least, most, 5)
  expect(levels.length).toBeGreaterThanOrEqual(2)
  expect(levels.length).toBeLessThanOrEqual(7)
  for (const level of levels) {
    expect(level).toBeGreaterThanOrEqual(least - 1e-12)
    expect(level).toBeLessThanOrEqual(most + 1e-12)
    expect(Number(level.toPrecision(6))).toBe(level)
  }
})
