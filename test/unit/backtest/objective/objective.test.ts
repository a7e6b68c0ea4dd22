// An objective of one's own ranks as a named figure that says the same, whoever runs the sets, and what is none is refused where it stands.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { inputFilesOf } from '../../../../src/backtest/plan/inputFiles.ts'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { runSearch, type SearchOptions } from '../../../../src/backtest/search/search.ts'
import { parseDimension } from '../../../../src/backtest/search/space.ts'
import { orderedRows } from '../../../../src/backtest/sweep/order.ts'
import type { Ranking } from '../../../../src/backtest/sweep/ranking.ts'
import { runSweep } from '../../../../src/backtest/sweep/sweep.ts'
import { walkForward } from '../../../../src/backtest/walkForward/walkForward.ts'
import { typed } from '../../../typed.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-objective-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
/** A file that exports what is given. */
function exporting(text: string, ending = 'mjs'): string {
  files += 1
  const file = path.join(folder, `judge${files}.${ending}`)
  writeFileSync(file, text)
  return file
}

const plan: RunPlan = {
  markets: [{ asset: 'BTC', days: 3 }],
  strategy: 'ema-cross',
  account: { maxDailyLoss: '100%', maxTotalLoss: '100%' },
  afterVerdict: 'go-on',
}
const vary = { fast: [5, 10, 20], slow: [60, 240] }
const sweepBy = (objective: string, workers = 1) => runSweep({ plan: { ...plan, objective }, vary, workers })

describe('it ranks as a figure that says the same', () => {
  const same: Record<string, [objective: string, own: Ranking, named: Ranking]> = {
    'the return, of its days': [
      'export default ({ days }) => days.reduce((all, day) => all * (1 + day.return), 1) - 1',
      ...(['objective', 'totalReturn'] as const),
    ],
    'the profit of its trades': [
      'export default ({ days, startBalance }) => days.at(-1).equity - startBalance',
      ...(['objective', 'netProfit'] as const),
    ],
    'the share of gains': [
      'export default ({ trades }) => trades.length === 0 ? null : trades.filter(({ profit }) => profit > 0).length / trades.length',
      ...(['objective', 'winRate'] as const),
    ],
    'a loss': [
      "export const direction = 'less'\nexport default ({ result }) => result.statistics.maxDrawdown?.depth ?? 0",
      ...(['loss', 'maxDrawdown'] as const),
    ],
  }
  test.each(Object.entries(same))('%s', async (_, [text, own, named]) => {
    const { rows } = await sweepBy(exporting(text))
    const order = (by: Ranking) => orderedRows(rows, { by: [by] }).map(({ parameters }) => parameters)
    expect(order(own)).toEqual(order(named))
    expect(new Set(rows.map(({ figures }) => figures[own as 'objective' | 'loss'])).size).toBeGreaterThan(3)
  })
})

test('it sees the period, the parameters, days and trades that add up to the result', async () => {
  const seen =
    exporting(`export default ({ from, to, parameters, days, trades, figures, result, startBalance }) => {
    const sum = (list) => list.reduce((all, { profit }) => all + profit, 0)
    const near = (a, b) => Math.abs(a - b) < 1e-6
    const faults = [
      [parameters.fast !== 7 || parameters.slow !== 240 || parameters.leverage !== '5', 'parameters'],
      [from !== result.from || to !== result.to || to - from < 2 * 86_400_000, 'period'],
      [!near(sum(days), Number(figures.netProfit)), 'days'],
      [!near(days.at(-1).equity, startBalance + Number(figures.netProfit)), 'equity'],
      [days.length !== figures.dailyReturns.length || days.some((day, at) => day.return !== figures.dailyReturns[at]), 'returns'],
      [days.some(({ day }) => day % 86_400_000 !== 0 || day > to || day < from - 86_400_000), 'midnights'],
      [trades.length !== figures.trades || trades.length === 0, 'trades'],
      [trades.some((trade) => trade.asset !== 'BTC' || !(trade.closedAt >= trade.openedAt) || !(trade.size > 0)), 'trade'],
      [!near(sum(trades), Number(result.statistics.trades.netProfit) / 1e9), 'profit'],
    ]
    const fault = faults.find(([isFault]) => isFault)
    if (fault) throw new Error(fault[1])
    return trades.length
  }`)
  const given = { ...plan, parameters: { slow: 240, leverage: '5' }, objective: seen }
  const { rows } = await runSweep({ plan: given, vary: { fast: [7] }, workers: 1 })
  expect(rows[0]?.figures.objective).toBe(rows[0]?.figures.trades)
})

test('several threads come to the same, and without an objective nothing is told of one', async () => {
  const objective = exporting('export default ({ days }) => Math.min(...days.map(({ profit }) => profit))')
  expect(await sweepBy(objective, 2)).toEqual(await sweepBy(objective))
  const { rows } = await runSweep({ plan, vary, workers: 1 })
  for (const { figures } of rows) expect(Object.keys(figures)).not.toContain('objective')
})

test('a walk-forward chooses by it', async () => {
  const objective = exporting('export default ({ trades }) => -trades.length')
  const walked = await walkForward({
    ...{ plan: { ...plan, objective }, vary, by: 'objective', folds: 1, trainTests: 2, workers: 1 },
  })
  const least = Math.min(...(await sweepBy(objective)).rows.map(({ figures }) => figures.trades))
  expect(walked.folds[0]?.inSample?.objective).toBeGreaterThanOrEqual(-least)
  expect(walked.folds[0]?.chosen).toEqual({ fast: 20, slow: 240 })
})

describe('what is none is refused', () => {
  const cases: Record<string, [text: string, message: RegExp]> = {
    'no number': [
      '// a line\nexport default () => Number.NaN',
      /judge\d+\.mjs:2: the objective returned NaN for fast=5 slow=60/,
    ],
    infinity: ['export default ({ days }) => 1 / 0', /mjs:1: the objective returned Infinity/],
    nothing: ['export default () => {}', /mjs:1: the objective returned undefined/],
    'a text': ["export default () => '3'", /mjs:1: the objective returned "3"/],
    'what throws': [
      'export default ({ days }) => {\n  return days.none.at\n}',
      /mjs: the objective failed for fast=5 slow=60: TypeError: .* \(.*judge\d+\.mjs:2:20\)/,
    ],
    'an async function': ['\n\nexport default async () => 3', /mjs:3: it is async/],
    'a promise': ['const judge = () => Promise.reject(3)\nexport { judge as default }', /mjs:2: it is async/],
    'a class': ['export default class Judge {}', /default export must be a function/],
    'no default': ['export const judge = () => 3', /default export must be a function/],
    'another direction': ["export const direction = 'up'\nexport default () => 3", /'more' or 'less'/],
    'a name that is none': ["export const name = ''\nexport default () => 3", /name must be a text/],
    'no JavaScript': ['export default () =>\n', /judge\d+\.mjs/],
  }
  test.each(Object.entries(cases))('%s', async (_, [text, message]) => {
    const error = (await sweepBy(exporting(text)).catch((reason: Error) => reason)) as Error
    expect(error.message).toMatch(message)
    expect(error.name).toBe('ObjectiveError')
  })

  test('before anything runs, where it can be known', async () => {
    const runs: object[] = []
    const judged = { ...plan, objective: path.join(folder, 'none.mjs') }
    const onProgress = (run: object) => void runs.push(run)
    await expect(runSweep({ plan: judged, vary, workers: 1, onProgress })).rejects.toThrow(
      /none\.mjs: there is no such file/,
    )
    await expect(runSweep({ plan: { ...plan, objective: 'sortino' }, vary, onProgress })).rejects.toThrow(
      /sortino is no objective; give a file/,
    )
    expect(runs).toEqual([])
  })
})

test('its bytes belong to what a study and a result file check, and to how a run was made', async () => {
  const shared = exporting('export const least = 3')
  const text = `import { least } from './${path.basename(shared)}'\nexport default ({ trades }) => trades.length - least`
  const objective = exporting(text)
  const judged = { ...plan, objective }
  const search: SearchOptions = {
    ...{ plan: judged, space: [parseDimension('fast', '5:20')], sets: 2, workers: 1 },
    ...{ method: 'sobol', by: 'objective', study: path.join(folder, 'study') },
  }
  const resultFile = path.join(folder, 'kept.jsonl')
  await runSearch(search)
  await runSweep({ plan: judged, vary, workers: 1, resultFile })
  expect((await inputFilesOf(judged)).map(({ use }) => use)).toEqual(['objective', 'objective'])
  expect((await runSearch(search)).reused).toBe(2)
  expect((await runSweep({ plan: judged, vary, workers: 1, resultFile })).reused).toBe(6)
  writeFileSync(shared, 'export const least = 4')
  await expect(runSearch(search)).rejects.toThrow(
    `this study was begun otherwise: ${shared}, which the objective imports, has changed.`,
  )
  expect(await runSweep({ plan: judged, vary, workers: 1, resultFile })).toMatchObject({ outdated: 6 })
})

describe('at the command line', () => {
  const words = ['sweep', '--days', '2', '--vary', 'fast=5,10,20', '--param', 'slow=60', '--workers', '1']

  test('it ranks, alone or beside named figures, under its name', async () => {
    const objective = exporting(
      "export const name = 'trades left out'\nexport default (run: { trades: readonly object[] }): number => -run.trades.length",
      'mts',
    )
    const alone = await typed([...words, '--objective', objective])
    expect(alone.stderr).not.toContain('error')
    const [head, first] = alone.stdout.split('\n')
    expect(head).toContain('trades left out')
    expect(first).toMatch(/^fast=20 +−\d+ /)
    const out = path.join(folder, 'out')
    const fronts = ['--rank-by', 'maxDrawdown,objective', '--where', 'objective<-1', '--out', out]
    const both = JSON.parse((await typed([...words, '--objective', objective, ...fronts, '--json'])).stdout)
    expect(both.rankedBy).toEqual(['maxDrawdown', 'objective'])
    expect(both.plan.objective).toBe(objective)
    expect(Math.min(...both.rows.map(({ front }: { front: number }) => front))).toBe(1)
  })

  test.each([
    [['--rank-by', 'objective'], 'objective is what an objective of one’s own comes to, and there is none'],
    [['--where', 'loss<3'], 'loss is what an objective of one’s own comes to, and there is none'],
  ])('%j without one is refused', async (more, message) => {
    const { code, stderr } = await typed([...words, ...more])
    expect([code, stderr]).toEqual([2, `error: ${message}\n`])
  })

  test('the figure it does not come to is refused', async () => {
    const objective = exporting("export const direction = 'less'\nexport default () => 3")
    for (const command of [
      words,
      ['search', '--space', 'fast=5:60'],
      ['walk-forward', '--vary', 'fast=5,6'],
    ]) {
      const { code, stderr } = await typed([...command, '--objective', objective, '--rank-by', 'objective'])
      expect([code, stderr]).toEqual([2, expect.stringContaining('comes to the figure loss, not objective')])
    }
  })
})
