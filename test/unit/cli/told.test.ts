// What the commands of research print of what they found: every figure under its name, and nothing of what there is none of.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { whileFailing } from '../../failingCalls.ts'
import { typed } from '../../typed.ts'

const { found } = vi.hoisted(() => ({ found: { value: {} as unknown } }))
const answer = async () => found.value

vi.mock('../../../src/backtest/walkForward/walkForward.ts', () => ({ walkForward: answer }))
vi.mock('../../../src/backtest/search/search.ts', () => ({ runSearch: answer }))
vi.mock('../../../src/backtest/sweep/sweep.ts', () => ({ runSweep: answer }))
vi.mock('../../../src/backtest/whatIf/whatIf.ts', () => ({ whatIf: answer }))

async function printed(value: unknown, ...words: readonly string[]): Promise<string[]> {
  found.value = value
  const { stdout, stderr, code } = await typed(words)
  expect(code, stderr).toBe(0)
  return stdout.trimEnd().split('\n')
}

/** What is asked for in a file is there, or the command has failed, whatever it is that the disk had no room for. */
function failingWithout(value: unknown, words: readonly string[], options: readonly string[]): void {
  test.each(options)('fails where there is no room for what %s asks for', async (option) => {
    found.value = value
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'margin-core-told-')), 'file')
    await whileFailing('writeFile', [file], 'ENOSPC', async () => {
      const { code, stdout, stderr } = await typed([...words, option, file])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(`ENOSPC: ${file}`)
    })
    expect((await typed([...words, option, file])).code).toBe(0)
  })
}

const cells = (line = '') => line.trim().split(/ {2,}/)
const last = (lines: readonly string[], count: number) => lines.slice(-count)

describe('a walk-forward', () => {
  const DAY = 86_400_000
  const START = Date.UTC(2026, 0, 5)
  const figures = (totalReturn: number) => ({
    totalReturn,
    trades: 1_000 * totalReturn,
    outcome: 'undecided',
  })
  const walked = (change: object) => ({
    folds: [
      {
        test: { from: START, to: START + 9 * DAY },
        chosen: { fast: 5, slow: 50 },
        inSample: figures(0.125),
        outOfSample: figures(0.062),
      },
      {
        test: { from: START + 9 * DAY, to: START + 10 * DAY },
        chosen: null,
        inSample: null,
        outOfSample: null,
      },
    ],
    sets: 12,
    outOfSample: {
      ...{ days: 10, totalReturn: 0.031, sharpeRatio: 1.25, maxDrawdown: 0.017, profitableFolds: 1 },
      efficiency: 0.48,
    },
    stability: [{ name: 'fast', chosen: [5, 7], step: 0.21, stepByChance: 0.34 }],
    ...{ untraded: 0, thin: 0, reused: 0, days: [] },
    ...change,
  })
  const words = ['walk-forward', '--vary', 'fast=5,10', '--least-trades', '9']
  failingWithout(walked({ folds: [] }), words, ['--csv', '--monthly', '--fold-table', '--report'])
  const OUTSIDE =
    'Outside of the trainings: 3.10% in 10 days, drawdown 1.70%, Sharpe ratio 1.25, 1 of 2 folds with a profit.'
  const STABLE = 'fast moved by 21% of its range from fold to fold (random choices: 34%): 5, 7'

  test('has a line for each test, and says what was outside of the trainings', async () => {
    const lines = await printed(walked({}), ...words)
    expect(lines.slice(0, 3).map(cells)).toEqual([
      ['test', 'chosen', 'in training', 'in test', 'trades', 'evaluation'],
      ['2026-01-05 to 2026-01-14', 'fast=5 slow=50', '12.50%', '6.20%', '62', 'undecided'],
      ['2026-01-14 to 2026-01-15', 'none', '–', '–', '–', '–'],
    ])
    expect(lines.slice(3)).toEqual([
      ...['', '2 folds of 12 sets', OUTSIDE],
      ...['Of what a day gained in the trainings, 48% was left in the tests.', STABLE],
    ])
  })

  test('says what was not traded, what tells little and what was known, where there is any', async () => {
    const { outOfSample } = walked({})
    const change = { untraded: 1, thin: 3, reused: 4, outOfSample: { ...outOfSample, efficiency: null } }
    expect((await printed(walked(change), ...words)).slice(4)).toEqual([
      '2 folds of 12 sets, 4 of them from the study',
      '1 of the folds was not traded: too few bars, or no set that kept every condition.',
      '3 of the tests had fewer than 9 trades: they tell little.',
      ...[OUTSIDE, 'The trainings gained nothing on average, so there is nothing to keep.', STABLE],
    ])
  })
})

const set = (fast: number, trades: number, outcome = 'undecided') => ({
  parameters: { fast },
  figures: {
    ...{
      totalReturn: fast / 100,
      maxDrawdown: 0,
      sharpeRatio: null,
      profitFactor: null,
      winRate: null,
      trades,
    },
    ...{ outcome, daysToVerdict: null, failedBy: null, dailyReturns: [], probabilityOfPassing: null },
  },
})
const sets = [set(5, 40, 'passed'), set(6, 10), set(7, 50, 'passed')]
const UNTOLD = 'How likely the best is luck is not told: that needs two sets, 20 days, and trades.'

describe('a sweep', () => {
  const words = ['sweep', '--vary', 'fast=5,6,7', '--rank-by', 'totalReturn']
  failingWithout({ rows: sets, reused: 0 }, words, ['--csv'])

  test('prints the best first, as many as were asked for, and how many passed', async () => {
    const lines = await printed({ rows: sets, reused: 0 }, ...words, '--top', '2')
    expect(lines.map((line) => cells(line)[0])).toEqual([
      ...['parameters', 'fast=7', 'fast=6', ''],
      ...['3 runs; 2 passed the evaluation', UNTOLD],
    ])
  })

  test('says what was known, what breaks a condition, and that one is one', async () => {
    const lines = await printed({ rows: sets, reused: 2 }, ...words, '--where', 'trades>=30')
    expect(last(lines, 2)[0]).toBe(
      '3 runs, 2 of them from the result file; 2 passed the evaluation; 1 break a condition',
    )
    expect(lines.map((line) => cells(line)[0])).not.toContain('fast=6')
    const one = await printed({ rows: sets.slice(1, 2), reused: 0 }, ...words)
    expect(last(one, 2)[0]).toBe('1 run; 0 passed the evaluation')
    const anew = await printed({ rows: sets, reused: 1, outdated: 2 }, ...words)
    expect(last(anew, 2)[0]).toBe(
      '3 runs, 1 of them from the result file, 2 of them anew: the result file has them with other data, rules, paths, strategy files or version; 2 passed the evaluation',
    )
  })

  test.each([
    [['--rank-by', 'probabilityOfPassing'], '--rank-by probabilityOfPassing needs --paths'],
    [['--rank-by', 'trades,expectedDaysToPass'], '--rank-by expectedDaysToPass needs --paths'],
    [['--plateau', '--rank-by', 'totalReturn,maxDrawdown'], '--plateau takes one figure to rank by'],
    [['--heat-map', 'fast,slow'], '--heat-map goes with --report or --out or --json'],
    [['--json', '--heat-map', 'fast'], '--heat-map takes two of the parameters that vary: x,y'],
    [['--json', '--heat-map', 'fast,width'], '--heat-map takes two of the parameters that vary: x,y'],
  ])('%j is refused', async (more, sentence) => {
    found.value = { rows: sets, reused: 0 }
    const { code, stderr } = await typed(['sweep', '--vary', 'fast=5,6,7', '--vary', 'slow=50', ...more])
    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
  })

  test('of which no set keeps every condition has found nothing', async () => {
    found.value = { rows: [], reused: 0 }
    expect(await typed(words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no set of parameters keeps every condition'),
    })
  })
})

describe('a search', () => {
  const words = ['search', '--space', 'fast=5:60', '--rank-by', 'totalReturn']
  failingWithout({ rows: sets, runs: 9, reused: 0 }, words, ['--csv'])

  test('prints the best first, as many as were asked for', async () => {
    const lines = await printed({ rows: sets, runs: 9, reused: 0 }, ...words, '--top', '1')
    expect(lines.map((line) => cells(line)[0])).toEqual([
      'parameters',
      'fast=7',
      '',
      '3 sets in 9 runs',
      UNTOLD,
    ])
    expect(cells(lines[0])).not.toContain('plateau')
  })

  test('says what was known and what breaks a condition', async () => {
    const lines = await printed({ rows: sets, runs: 9, reused: 2 }, ...words, '--where', 'trades>=30')
    expect(last(lines, 2)[0]).toBe('3 sets in 9 runs, 2 of them from the study; 1 break a condition')
  })

  test('tells programs every set, with what it was and what it was ranked by', async () => {
    found.value = { rows: sets, runs: 9, reused: 2 }
    const { stdout } = await typed([...words, '--json'])
    const { rows, plan, ...said } = JSON.parse(stdout)
    expect(plan).toMatchObject({ strategy: 'ema-cross', markets: [{ asset: 'BTC' }] })
    expect(said).toEqual({ method: 'sobol', rankedBy: ['totalReturn'], runs: 9, reused: 2, evidence: null })
    expect(rows).toHaveLength(3)
  })

  test('is not by what it does not play', async () => {
    expect(await typed(['search', '--rank-by', 'probabilityOfPassing'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a search plays no paths'),
    })
  })
})

describe('a run under other rules', () => {
  const LINES = ['pricePnl', 'spread', 'scalping', 'fees', 'funding', 'liquidationPenalties', 'profitCap']
  const costs = (from: number) =>
    Object.fromEntries([...LINES, 'lossesAbsorbed'].map((name, index) => [name, String(from + index)]))
  const figures = (from: number) => ({
    ...{ netProfit: String(from), costs: costs(from + 1), trades: from + 9 },
    ...{ totalReturn: from / 10_000, maxDrawdown: from / 20_000, outcome: 'undecided' },
  })
  const changed = (firstDifference: object | null) => ({
    change: 'spread=0',
    ...{ figures: figures(500), netProfitDifference: '-20', costDifferences: costs(30), firstDifference },
  })
  const trade = { side: 'long', openedAt: Date.UTC(2026, 0, 5) }
  failingWithout(
    { base: figures(100), changed: [changed(null)] },
    ['what-if', '--change', 'spread=0'],
    ['--csv'],
  )

  test('has each line beside what it was, with the difference and its sign', async () => {
    const lines = await printed(
      { base: figures(100), changed: [changed(null)] },
      'what-if',
      '--change',
      'spread=0',
    )
    expect(lines.map(cells)).toEqual([
      ['as planned', 'spread=0', '±'],
      ['net profit', '100.00', '500.00', '−20.00'],
      ...[
        ...[
          'earned by the price alone',
          'spread',
          'scalping surcharge',
          'fees',
          'funding',
          'liquidation penalties',
        ],
        ...['given up to the 60-second rule', 'losses borne by the house'],
      ].map((name, at) => [name, `${101 + at}.00`, `${501 + at}.00`, `+${30 + at}.00`]),
      ['return', '1.00%', '5.00%'],
      ['max drawdown', '0.50%', '2.50%'],
      ['trades', '109', '509'],
      ['evaluation', 'undecided', 'undecided'],
      [''],
      ['spread=0: every closed trade is the same'],
    ])
  })

  test.each([
    [{ index: 2, was: trade, would: trade }, ''],
    [{ index: 2, was: null, would: trade }, ', which was not there'],
    [{ index: 2, was: trade, would: null }, ', which is gone'],
  ])('says which trade is the first to differ: %j', async (difference, missing) => {
    const lines = await printed(
      { base: figures(100), changed: [changed(difference)] },
      ...['what-if', '--change', 'spread=0'],
    )
    expect(lines.at(-1)).toBe(
      `spread=0: trade 3 is the first to differ${missing}: long, opened 2026-01-05T00:00:00.000Z`,
    )
  })
})
