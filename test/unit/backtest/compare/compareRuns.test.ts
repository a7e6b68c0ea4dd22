/** Saved runs side by side: equal runs differ in nothing, and every trade of different runs is told once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareRuns, equityAt } from '../../../../src/backtest/compare/compareRuns.ts'
import { readSavedRun, type SavedRun } from '../../../../src/backtest/compare/savedRun.ts'
import { saveRun } from '../../../../src/backtest/export/saveRun.ts'
import { optionsOf, preparePlan } from '../../../../src/backtest/plan/options.ts'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { provenanceOf } from '../../../../src/backtest/plan/provenance.ts'
import { Recording } from '../../../../src/backtest/recording/recording.ts'
import { renderComparison } from '../../../../src/backtest/report/compareReport.ts'
import { ticks } from '../../../../src/backtest/report/lineChart.ts'
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
