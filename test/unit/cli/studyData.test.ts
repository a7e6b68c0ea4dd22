/** What the pages of studies show is had as tables and as JSON too, and says which days it is of. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, expect, test } from 'vitest'
import { writeSetStudy } from '../../../src/cli/writeSetReport.ts'
import { VERSION } from '../../../src/version.ts'
import { typed } from '../../typed.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-study-data-'))
afterAll(() => rmSync(folder, { recursive: true }))

const START = Date.UTC(2026, 0, 5)
/** Six days of bars of an hour, which rise and fall. */
const bars = Array.from({ length: 144 }, (_, hour) => {
  const price = 100 + Math.round(8 * Math.sin(hour / 5))
  return `${START + hour * 3_600_000},${price},${price + 1},${price - 1},${price},1`
})
const data = path.join(folder, 'hours.csv')
writeFileSync(data, `${['open_time_ms,open,high,low,close,volume', ...bars].join('\n')}\n`)

const at = (name: string) => path.join(folder, name)
const textOf = (name: string) => readFileSync(at(name), 'utf8')
const tableIn = (name: string) => parse(textOf(name), { columns: true }) as Record<string, string>[]

async function told(...words: readonly string[]) {
  const { code, stdout, stderr } = await typed([...words, '--data', data, '--workers', '1', '--json'])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

const SETS = [
  '--vary',
  'fast=2,3',
  '--vary',
  'slow=5,8',
  '--rank-by',
  'totalReturn',
  '--after-verdict',
  'go-on',
]
const PLAN = { strategy: 'ema-cross', markets: [{ asset: 'BTC', data }] } as const
const WHOLE = '2026-01-05 00:00 to 2026-01-11 00:00 UTC'

test('a backtest writes the page that it is asked for, and says where', async () => {
  const page = at('run.html')
  const { code, stderr } = await typed(['backtest', '--data', data, '--report', page])
  expect([code, stderr]).toEqual([0, `report: ${page}\n`])
  expect(textOf('run.html')).toMatch(/^<!doctype html>.*<\/html>\s*$/is)
})

test('a sweep and a search without a period name the days of their data', async () => {
  const swept = await told('sweep', ...SETS, '--report', at('sweep.html'))
  expect(textOf('sweep.html')).toContain(`<dd>${WHOLE}</dd>`)
  expect(swept.plan).toMatchObject({ from: START, to: START + 144 * 3_600_000 })
  await told(
    'search',
    '--space',
    'fast=2:3',
    '--sets',
    '2',
    '--report',
    at('search.html'),
    '--from',
    '2026-01-06',
  )
  expect(textOf('search.html')).toContain('<dd>2026-01-06 00:00 to 2026-01-11 00:00 UTC</dd>')
})

test('a sweep is a folder with every set, the evidence and the heat map of its page', async () => {
  const noisy = SETS.map((word) => (word === 'fast=2,3' ? 'fast=2,3,4' : word))
  const swept = await told('sweep', ...noisy, '--out', at('sets'), '--csv', at('sets.csv'))
  expect(textOf('sets/report.html')).toContain('Best sets')
  const { madeBy, ...said } = JSON.parse(textOf('sets/result.json'))
  expect(said).toEqual(swept)
  expect(madeBy).toEqual({
    software: `margin-core ${VERSION}`,
    command: expect.stringMatching(/^margin-core/),
  })
  expect(textOf('sets/sets.csv')).toBe(textOf('sets.csv'))
  expect(swept.rows).toHaveLength(6)
  // Six days are too few for evidence.
  expect(textOf('sets/evidence.csv').trim()).toBe('')
  const returns = swept.rows.map((row: (typeof swept.rows)[0]) => ({
    ...{ fast: String(row.parameters.fast), slow: String(row.parameters.slow) },
    totalReturn: String(row.figures.totalReturn),
  }))
  expect(tableIn('sets/heatMap.csv')).toHaveLength(6)
  expect(tableIn('sets/heatMap.csv')).toEqual(expect.arrayContaining(returns))
})

test('what the evidence of a search says is a line of a table', async () => {
  const evidence = { sets: 8, days: 30, independentSets: 2.5, sharpe: 0.1, sharpeByLuck: 0.2 }
  const report = { strategy: 'x', rows: [], best: [], rankedBy: 'totalReturn', plan: PLAN } as const
  await writeSetStudy(at('found'), { ...evidence, byLuck: null, overfitting: 0.25 }, report, {})
  expect(tableIn('found/evidence.csv')).toMatchObject([{ sets: '8', byLuck: '', overfitting: '0.25' }])
})

test('every fold of a walk forward is a line of a table', async () => {
  const files = ['--report', at('walk.html'), '--fold-table', at('folds.csv')]
  const walked = await told('walk-forward', ...SETS, '--folds', '2', '--train', '2', ...files)
  expect(textOf('walk.html')).toContain(`<dd>${WHOLE}</dd>`)
  expect(walked.plan).toMatchObject({ from: START })
  const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  expect(tableIn('folds.csv')).toMatchObject(
    walked.folds.map(({ train, test: tested, chosen, inSample, outOfSample }: (typeof walked.folds)[0]) => ({
      'train.from': dateOf(train.from),
      'test.to': dateOf(tested.to),
      'chosen.fast': String(chosen.fast),
      'inTraining.totalReturn': String(inSample.totalReturn),
      'inTest.trades': String(outOfSample.trades),
    })),
  )
})

test('every case of an evaluation is a line of a table with all that its page shows', async () => {
  const drawn = ['--paths', '4', '--horizon', '2', '--block', '6']
  const files = ['--report', at('odds.html'), '--csv', at('odds.csv'), '--out', at('odds')]
  const { odds } = await told('evaluate', ...drawn, '--vary', 'fast=2,3', '--param', 'slow=5', ...files)
  expect(textOf('odds.html')).toContain(`<dd>${WHOLE}</dd>`)
  expect(textOf('odds/report.html')).toBe(textOf('odds.html'))
  expect(textOf('odds/odds.csv')).toBe(textOf('odds.csv'))
  expect(JSON.parse(textOf('odds/result.json'))).toMatchObject({ plan: { from: START }, paths: 4, odds })
  expect(tableIn('odds.csv')).toMatchObject(
    odds.map(({ parameters, rules, passed, failedBy, totalReturn }: (typeof odds)[0]) => ({
      fast: String(parameters.fast),
      rules,
      'passed.share': String(passed.share),
      'failedBy.dailyLoss.high': String(failedBy.dailyLoss.high),
      'totalReturn.50%.value': String(totalReturn[2].value),
    })),
  )
})

test('a walk forward is a folder with every table of its page', async () => {
  const walked = await told('walk-forward', ...SETS, '--folds', '2', '--train', '2', '--out', at('walk'))
  expect(textOf('walk/report.html')).toContain('Stability of the parameters')
  expect(JSON.parse(textOf('walk/result.json'))).toMatchObject(walked)
  expect(tableIn('walk/stability.csv')).toEqual(
    walked.stability.map(({ name, chosen, step, stepByChance }: (typeof walked.stability)[0]) => ({
      ...{ name, chosen: chosen.join(' ') },
      ...{ step: String(step), stepByChance: String(stepByChance) },
    })),
  )
  expect(walked.stability).toHaveLength(2)
  expect(tableIn('walk/days.csv')).toHaveLength(walked.days.length)
  expect(tableIn('walk/folds.csv')).toHaveLength(2)
  expect(tableIn('walk/monthly.csv')).toMatchObject([{ month: '2026-01' }])
  const deepest = tableIn('walk/drawdowns.csv')[0]?.depth ?? '0'
  expect(Number(deepest)).toBeCloseTo(walked.outOfSample.maxDrawdown, 12)
})

test('each run under changed rules is a line of a table, the run as planned first', async () => {
  const words = ['--fast', '2', '--slow', '5', '--after-verdict', 'go-on', '--csv', at('rules.csv')]
  const { stdout, code, stderr } = await typed([
    'what-if',
    '--data',
    data,
    ...words,
    '--change',
    'spread=0',
    '--change',
    'fee-rate=x2,spread=0',
    '--json',
  ])
  expect(code, stderr).toBe(0)
  const { base, changed } = JSON.parse(stdout)
  const [first, ...others] = tableIn('rules.csv')
  expect(first).toMatchObject({
    change: 'as planned',
    netProfit: base.netProfit,
    'costs.fees': base.costs.fees,
  })
  expect(others).toMatchObject(
    changed.map(({ change, figures, costDifferences, firstDifference }: (typeof changed)[0]) => ({
      ...{ change, netProfit: figures.netProfit, 'costDifferences.spread': costDifferences.spread },
      firstDifferentTrade: String(firstDifference.index + 1),
    })),
  )
})

test('what accounts bring under each set of rules is a line of a table', async () => {
  writeFileSync(at('ours.json'), JSON.stringify({ fee: 100, payout: { days: 1 } }))
  writeFileSync(at('traders.json'), JSON.stringify([{ strategy: 'breakout' }, { strategy: 'ema-cross' }]))
  const drawn = ['--paths', '3', '--horizon', '2', '--block', '6', '--population', at('traders.json')]
  const files = ['--rules', at('ours.json'), '--csv', at('sold.csv')]
  const { sold } = await told('what-if', ...drawn, ...files, '--change', 'fee=90')
  expect(tableIn('sold.csv')).toMatchObject(
    sold.map(({ under, fee, result, traders }: (typeof sold)[0]) => ({
      ...{ under, fee: String(fee), 'result.value': String(result.value) },
      'traders.ema-cross.share': String(traders[1].share),
    })),
  )
  expect(sold).toHaveLength(2)
})

test('a backtest says where it put what it was asked for', async () => {
  const files = ['--report', at('run.html'), '--out', at('run')]
  const { code, stderr } = await typed(['backtest', '--data', data, '--fast', '2', '--slow', '5', ...files])
  expect([code, stderr]).toEqual([0, `report: ${at('run.html')}\nsaved: ${at('run')}\n`])
})
