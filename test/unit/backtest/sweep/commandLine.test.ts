// The commands over many runs, by running them: mistakes are one line and code 2, results go to stdout.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { typed } from '../../../typed.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-cli-'))
const plain = path.join(folder, 'plain.mjs')
writeFileSync(plain, "export default () => ({ name: 'plain' })\n")
const run = (...options: string[]) => typed(options)
afterAll(() => rmSync(folder, { recursive: true }))

describe('mistakes', () => {
  const cases: Record<string, [string[], RegExp]> = {
    'a parameter without a range of its own': [
      ['sweep', '--vary', 'leverage'],
      /does not say where to look for leverage; it does for: fast, slow/,
    ],
    'a strategy that looks for nothing': [
      ['sweep', '--strategy', plain, '--vary', 'leverage'],
      /does not say where to look for leverage; it says so of no parameter/,
    ],
    'a value out of its range': [['sweep', '--vary', 'fast=0,2'], /fast must be at least 1, not 0/],
    'a range that is none': [['sweep', '--vary', 'fast=9:1:1'], /9:1:1 is no range/],
    'axes that do not vary': [
      ['sweep', '--vary', 'fast=1,2', '--heat-map', 'fast,slow', '--json'],
      /two of the parameters/,
    ],
    'a heat map shown nowhere': [
      ['sweep', '--vary', 'fast=1,2', '--vary', 'slow=5,6', '--heat-map', 'fast,slow'],
      /goes with --report or --out or --json/,
    ],
    'a figure that nothing is ranked by': [
      ['sweep', '--vary', 'fast=1,2', '--rank-by', 'sharpeRatio,luck'],
      /--rank-by .*'sharpeRatio,luck' is invalid/,
    ],
    'a plateau of two figures': [
      ['sweep', '--vary', 'fast=1,2', '--plateau', '--rank-by', 'trades,winRate'],
      /--plateau takes one figure/,
    ],
    'a probability without paths': [
      ['sweep', '--vary', 'fast=1,2', '--rank-by', 'probabilityOfPassing'],
      /needs --paths/,
    ],
    'a condition on nothing known': [
      ['sweep', '--vary', 'fast=1,2', '--where', 'fast<slow'],
      /slow is neither a parameter/,
    ],
    'conditions that no set keeps': [
      ['sweep', '--vary', 'fast=1,2', '--where', 'fast>2'],
      /no set of parameters keeps every condition/,
    ],
    'a parameter the strategy has not': [['sweep', '--vary', 'fats=1,2'], /has no parameter fats/],
    'nothing to change': [['what-if'], /nothing to change/],
    'a change there is not': [['what-if', '--change', 'gravity=off'], /gravity=off is no change of a rule/],
    'a length paths do not have': [['evaluate', '--days', '3'], /as long as --horizon says/],
    'data that is not there': [['evaluate', '--data', '/none.csv'], /none\.csv: .*cannot be opened/],
    'a live run without a key': [['backtest', '--live', 'http://127.0.0.1:1'], /--live needs a key/],
    'a live host that is not there': [
      ['backtest', '--live', 'http://127.0.0.1:1', '--key', 'mtk_a'],
      /127\.0\.0\.1:1 cannot be reached/,
    ],
  }
  test.each(Object.entries(cases))('%s', async (_, [options, message]) => {
    const { code, stdout, stderr } = await run(...options)
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })
})

test('a sweep prints its best rows, and a heat map as JSON and as a page', async () => {
  const options = [
    'sweep',
    '--days',
    '1',
    '--vary',
    'fast=5,9',
    '--vary',
    'slow=20:40:10',
    '--heat-map',
    'fast,slow',
  ]
  const report = path.join(folder, 'sweep.html')
  const { code, stdout } = await run(...options, '--json', '--report', report, '--workers', '2')
  expect(code).toBe(0)
  const { rows, heatMap } = JSON.parse(stdout)
  expect(rows).toHaveLength(6)
  expect(readFileSync(report, 'utf8')).toContain('Total return over fast and slow')
  expect(heatMap).toMatchObject({
    x: { name: 'fast', values: [5, 9] },
    y: { name: 'slow', values: [20, 30, 40] },
  })
})

test('an evaluation prints what it says as JSON', async () => {
  const options = ['--paths', '16', '--horizon', '2', '--workers', '1', '--leverage', '10', '--margin', '25%']
  const rules = ['--target', '1%', '--profitable-days', '0', '--total-loss', '2%', '--daily-loss', '1.5%']
  const asText = await run('evaluate', ...options, ...rules)
  const asJson = await run('evaluate', ...options, ...rules, '--json')
  const said = JSON.parse(asJson.stdout)
  const percent = (fraction: number, digits = 2) => `${(fraction * 100).toFixed(digits)}%`.replace('-', '−')
  const share = (
    name: string,
    { count, share, low, high }: Record<'count' | 'share' | 'low' | 'high', number>,
  ) => `${name} ${count} ${percent(share)} ${percent(low)} to ${percent(high)}`
  const days = (name: string, quantiles: readonly Record<'value' | 'low' | 'high', number>[]) =>
    [
      name,
      ...quantiles.map(
        ({ value, low, high }) => `${value.toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`,
      ),
    ].join(' ')
  expect(said.daysToFail).toHaveLength(5)
  const lines = asText.stdout.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' '))
  expect(lines).toEqual([
    '16 paths of 2 days, seed evaluate',
    '',
    share('passed', said.passed),
    share('failed', said.failed),
    share('by total loss', said.failedBy.totalLoss),
    share('by daily loss', said.failedBy.dailyLoss),
    share('undecided', said.undecided),
    '',
    '10% 25% 50% 75% 90%',
    days('days to pass', said.daysToPass),
    days('days to fail', said.daysToFail),
    ['return', ...said.totalReturn.map(({ value }: { value: number }) => percent(value))].join(' '),
    '',
    ...said.notes.map((note: string) => `note: ${note}`),
    '',
  ])
})

test('an evaluation and a what-if end with code 0', async () => {
  const evaluated = await run('evaluate', '--paths', '4', '--horizon', '1', '--workers', '1')
  expect(evaluated.stdout).toMatch(/^4 paths of 1 day,/)
  expect(evaluated.code).toBe(0)
  const changed = await run('what-if', '--days', '1', '--change', 'fee-rate=0', '--change', 'profit-cap=off')
  expect(changed.stdout).toMatch(/fee-rate=0: trade 1 is the first to differ/)
  expect(changed.code).toBe(0)
})

test('a sweep says what its choice is worth, by fronts, with the probability of passing and as a table', async () => {
  const table = path.join(folder, 'sweep.csv')
  const options = ['sweep', '--days', '21', '--after-verdict', 'go-on', '--simulate', 'brownian', '--json']
  const grid = ['--vary', 'fast=5,60', '--vary', 'slow=30,90', '--where', 'fast<slow', '--where', 'trades>0']
  const paths = ['--paths', '4', '--horizon', '1', '--target', '0.1%', '--profitable-days', '0']
  const by = ['--rank-by', 'probabilityOfPassing,expectedDaysToPass']
  const { code, stdout } = await run(...options, ...grid, ...paths, ...by, '--csv', table, '--workers', '1')
  expect(code).toBe(0)
  const { evidence, rows } = JSON.parse(stdout)
  expect(evidence).toMatchObject({ sets: 3, days: 21 })
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatchObject({ front: 1 })
  const [head, ...lines] = readFileSync(table, 'utf8').trim().split('\n')
  expect(head?.split(',').slice(0, 3)).toEqual(['fast', 'slow', 'totalReturn'])
  expect(lines).toHaveLength(3)
  for (const { figures } of rows) {
    const { probabilityOfPassing, expectedDaysToPass } = figures
    expect([0, 0.25, 0.5, 0.75, 1]).toContain(probabilityOfPassing)
    expect(expectedDaysToPass === null).toBe(probabilityOfPassing === 0)
    if (expectedDaysToPass !== null) expect(expectedDaysToPass > 0 && expectedDaysToPass <= 1).toBe(true)
    const grown = figures.dailyReturns.reduce((all: number, value: number) => all * (1 + value), 1)
    expect(grown - 1).toBeCloseTo(figures.totalReturn, 6)
  }
})
