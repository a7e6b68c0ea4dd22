/**
 * What the commands of research ask of the library: each option of theirs reaches it under its own name and with its own value, and none is
 * left over. Nothing is run: the library only keeps what it was asked for.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { evaluateCommand } from '../../../src/cli/evaluate.ts'
import { searchCommand } from '../../../src/cli/search.ts'
import { sweepCommand } from '../../../src/cli/sweep.ts'
import { walkForwardCommand } from '../../../src/cli/walkForward.ts'
import { whatIfCommand } from '../../../src/cli/whatIf.ts'
import { typed } from '../../typed.ts'

const { asked, keeping } = vi.hoisted(() => {
  const asked: Record<string, unknown>[] = []
  const keeping = async (options: Record<string, unknown>) => {
    asked.push(options)
    throw new Error('it was asked, and is not run')
  }
  return { asked, keeping }
})

vi.mock('../../../src/backtest/sweep/sweep.ts', () => ({ runSweep: keeping }))
vi.mock('../../../src/backtest/search/search.ts', () => ({ runSearch: keeping }))
vi.mock('../../../src/backtest/walkForward/walkForward.ts', () => ({ walkForward: keeping }))
vi.mock('../../../src/backtest/whatIf/whatIf.ts', () => ({ whatIf: keeping }))
vi.mock('../../../src/backtest/whatIf/population.ts', () => ({ soldAccounts: keeping }))
vi.mock('../../../src/backtest/odds/tradeOdds.ts', () => ({ tradeOdds: keeping }))
vi.mock('../../../src/backtest/evaluate/evaluate.ts', async (original) => ({
  ...(await original<object>()),
  strategyOdds: keeping,
}))

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-asked-'))
afterAll(() => rmSync(folder, { recursive: true }))

writeFileSync(
  path.join(folder, 'rules.json'),
  JSON.stringify({ fee: 40, maxDailyLoss: '3%', payout: { days: 1 } }),
)
writeFileSync(path.join(folder, 'traders.json'), JSON.stringify([{ strategy: 'breakout' }]))
writeFileSync(
  path.join(folder, 'mine.csv'),
  'Close time,Profit\n2026-01-05 10:00:00,5\n2026-01-06 10:00:00,-3\n',
)

writeFileSync(
  path.join(folder, 'bars.csv'),
  'open_time_ms,open,high,low,close,volume\n1767571200000,9,9,9,9,1\n1767571260000,9,9,9,9,1\n',
)

/** What a command asks for, without what it is told of the progress. */
async function askedBy(command: string, ...words: readonly string[]): Promise<Record<string, unknown>> {
  asked.length = 0
  const { stderr } = await typed([command, ...words], folder)
  expect(asked, stderr).toHaveLength(1)
  const { onProgress: _progress, onNotice: _notice, ...rest } = asked[0] as Record<string, unknown>
  return rest
}

/** What an option changes of what is asked without it. */
async function changedBy(command: string, plain: readonly string[], words: readonly string[]) {
  const before = await askedBy(command, ...plain)
  const after = await askedBy(command, ...plain, ...words)
  return Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, after[name]]),
  )
}

type Reaches = Readonly<Record<string, readonly [words: string, change: object]>>

/** They say what to run, where, and what to print or write; other tests ask for these. */
const ELSEWHERE = new Set(
  (
    '--config --data --asset --funding --funding-rate --strategy --part --param --leverage --margin --fast --slow --balance --fee-rate --spread ' +
    '--daily-loss --total-loss --drawdown --target --profitable-days --from --to --warm-up --path --after-verdict --at-data-end --tick-bars ' +
    '--on-bad-row --simulate --correlation --days --json --csv --out --monthly --fold-table --report --top --rank-by --plateau --heat-map'
  ).split(' '),
)

const named = (
  command: { readonly options: readonly { readonly long?: string | null }[] },
  own: readonly string[] = [],
) =>
  command.options
    .map(({ long }) => String(long))
    .filter((name) => !ELSEWHERE.has(name) || own.includes(name))
    .sort()

const PLACES: Reaches = {
  '--workers': ['3', { workers: 3 }],
  '--postgres': ['postgres://user@host/base', { postgres: 'postgres://user@host/base' }],
}
const JUDGE = path.join(folder, 'judge.mjs')
writeFileSync(JUDGE, 'export default ({ trades }) => trades.length')
const JUDGED = {
  '--objective': [JUDGE, { plan: expect.objectContaining({ objective: JUDGE }) }],
} as const
const PATHS: Reaches = {
  '--paths': ['7', { paths: 7 }],
  '--horizon': ['11', { days: 11 }],
  '--block': ['60', { meanBlock: 60 }],
  '--blocks': ['regimes', { blocks: 'regimes' }],
}

function reaching(command: string, plain: readonly string[], reaches: Reaches) {
  test.each(Object.entries(reaches))('%s', async (option, [word, change]) => {
    expect(await changedBy(command, plain, [option, ...(word === '' ? [] : [word])])).toEqual(change)
  })
}

describe('sweep', () => {
  const plain = ['--vary', 'fast=5,10']

  test('asks for the sets of all that is varied', async () => {
    expect(await askedBy('sweep', ...plain)).toMatchObject({ vary: { fast: [5, 10] }, constraints: [] })
    expect(Object.keys((await askedBy('sweep')).vary as object).sort()).toContain('fast')
  })
  const sampled = (change: object) => ({ sample: { count: 4, seed: 'sweep', ...change } })
  const onPaths = { count: 6, days: 30, meanBlock: 240, seed: 'sweep' }
  const reaches: Reaches = {
    '--vary': ['slow=50', { vary: { fast: [5, 10], slow: [50] } }],
    '--sample': ['4', sampled({})],
    '--results': ['kept.jsonl', { resultFile: 'kept.jsonl' }],
    '--where': ['fast<8', { constraints: [expect.anything()] }],
    '--paths': ['6', { paths: onPaths }],
    ...JUDGED,
    ...PLACES,
  }
  reaching('sweep', plain, reaches)

  test('paths have their length, and both the seed that is given', async () => {
    const words = ['--paths', '6', '--horizon', '9', '--sample', '4', '--seed', 'mine']
    expect(await askedBy('sweep', ...plain, ...words)).toMatchObject({
      ...sampled({ seed: 'mine' }),
      paths: { ...onPaths, days: 9, seed: 'mine' },
    })
  })

  test('has no other options', () =>
    expect(named(sweepCommand())).toEqual([...Object.keys(reaches), '--horizon', '--seed'].sort()))
})

describe('search', () => {
  const plain = ['--space', 'fast=5:60']

  test('asks for 128 sets spread evenly, and judges by the evaluation', async () => {
    expect(await askedBy('search', ...plain)).toMatchObject({
      ...{ sets: 128, method: 'sobol', by: 'evaluation', seed: 'search', constraints: [] },
      space: [{ name: 'fast' }],
    })
  })

  test('looks where the strategy says itself, and at nothing that is given a value', async () => {
    const { space } = await askedBy('search')
    expect((space as { name: string }[]).map(({ name }) => name)).toEqual(['fast', 'slow'])
    const { code, stderr } = await typed(['search', '--fast', '9'], folder)
    expect([code, stderr]).toEqual([2, expect.stringContaining('fast is given the value 9')])
  })
  const reaches: Reaches = {
    '--space': ['slow=50:600', { space: [{}, {}].map(() => expect.anything()) }],
    '--method': ['tpe', { method: 'tpe' }],
    '--sets': ['12', { sets: 12 }],
    '--rank-by': ['sharpeRatio,maxDrawdown', { by: 'sharpeRatio' }],
    '--where': ['fast<8', { constraints: [expect.anything()] }],
    '--study': ['kept', { study: 'kept' }],
    '--seed': ['mine', { seed: 'mine', plan: expect.anything() }],
    '--objective': [JUDGE, { ...JUDGED['--objective'][1], by: 'objective' }],
    ...PLACES,
  }
  reaching('search', plain, reaches)

  test('goes by all figures where the method does', async () => {
    const words = ['--method', 'nsga-ii', '--rank-by', 'totalReturn,maxDrawdown']
    expect(await askedBy('search', ...plain, ...words)).toMatchObject({ by: ['totalReturn', 'maxDrawdown'] })
  })
  test('has no other options', () =>
    expect(named(searchCommand(), ['--rank-by'])).toEqual(Object.keys(reaches).sort()))
})

describe('walk-forward', () => {
  const plain = ['--vary', 'fast=5,10']

  test('asks for six tests, each after three of training', async () => {
    expect(await askedBy('walk-forward', ...plain)).toMatchObject({
      ...{ folds: 6, trainTests: 3, isAnchored: false, embargoDays: 0, by: 'evaluation', plateau: false },
      ...{ vary: { fast: [5, 10] }, constraints: [] },
    })
  })
  const reaches: Reaches = {
    '--vary': ['slow=50', { vary: { fast: [5, 10], slow: [50] } }],
    '--sample': ['4', { sample: { count: 4, seed: 'walk-forward' } }],
    '--folds': ['2', { folds: 2 }],
    '--train': ['5', { trainTests: 5 }],
    '--test-days': ['30,10', { folds: 2, testDays: [30, 10] }],
    '--train-days': ['40', { trainDays: 40 }],
    '--least-bars': ['100', { leastBars: 100 }],
    '--least-trades': ['9', { leastTrades: 9 }],
    '--anchored': ['', { isAnchored: true }],
    '--embargo': ['2', { embargoDays: 2 }],
    '--rank-by': ['sharpeRatio', { by: 'sharpeRatio' }],
    '--plateau': ['', { plateau: true }],
    '--where': ['fast<8', { constraints: [expect.anything()] }],
    '--study': ['kept', { study: 'kept' }],
    '--objective': [JUDGE, { ...JUDGED['--objective'][1], by: 'objective' }],
    ...PLACES,
  }
  reaching('walk-forward', plain, reaches)
  test('has no other options', () =>
    expect(named(walkForwardCommand(), ['--rank-by', '--plateau'])).toEqual(
      [...Object.keys(reaches), '--seed'].sort(),
    ))

  test('a test lasts a day or more', async () => {
    for (const days of ['0', '5,0', '', 'x'])
      expect((await typed(['walk-forward', `--test-days=${days}`], folder)).code).toBe(2)
  })
})

describe('what-if', () => {
  const plain = ['--change', 'spread=0']
  const reaches: Reaches = {
    '--change': ['leverage=3', { changes: ['spread=0', 'leverage=3'] }],
    '--stress': ['', { changes: [...Array(4).fill(expect.any(String)), 'spread=0'] }],
  }
  reaching('what-if', plain, reaches)

  describe('of a population', () => {
    const sold = ['--population', 'traders.json', '--rules', 'rules.json', '--data', 'bars.csv']

    test('asks for 500 paths of 30 days', async () => {
      const { plan, ...rest } = await askedBy('what-if', ...sold, '--balance', '7', '--target', '4%')
      expect(plan).toMatchObject({ account: { balance: '7' } })
      expect(rest).toEqual({
        ...{ paths: 500, days: 30, seed: 'evaluate', changes: [] },
        traders: [{ name: 'breakout', strategy: 'breakout' }],
        rules: [
          {
            ...{ name: 'rules', fee: 40, payout: { days: 1 } },
            account: { balance: '7', profitTarget: '4%', maxDailyLoss: '3%' },
          },
        ],
      })
    })
    const own: Reaches = {
      '--rules': ['rules.json', { rules: [expect.anything(), expect.anything()] }],
      '--change': ['fee=9', { changes: ['fee=9'] }],
      '--seed': ['mine', { seed: 'mine', plan: expect.anything() }],
      ...PATHS,
      ...PLACES,
    }
    reaching('what-if', sold, own)
    test('has no other options', () =>
      expect(named(whatIfCommand())).toEqual([...Object.keys(own), '--population', '--stress'].sort()))

    test.each([
      [['--population', 'traders.json'], 'give --rules FILE'],
      [['--rules', 'rules.json'], '--rules goes with --population'],
      [[], 'nothing to change; give --change name=value, or --stress'],
    ])('%s is refused', async (words, sentence) => {
      expect(await typed(['what-if', ...words], folder)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(sentence),
      })
    })
  })
})

describe('evaluate', () => {
  test('of a strategy asks for 2,000 paths of 30 days, under the account of the options', async () => {
    const { plan: _plan, ...rest } = await askedBy('evaluate', '--balance', '7')
    expect(rest).toEqual({
      ...{ paths: 2_000, days: 30, seed: 'evaluate', sets: [{}], terms: { attempts: 3 } },
      rules: [{ name: 'rules', account: { balance: '7' } }],
    })
  })
  const common: Reaches = {
    '--fee': ['9', { rules: [expect.objectContaining({ fee: 9 })] }],
    '--attempts': ['5', { terms: { attempts: 5 } }],
    '--payout': ['70', { terms: { attempts: 3, payout: 70 } }],
    '--rules': ['rules.json', { rules: [expect.objectContaining({ name: 'rules', fee: 3 })] }],
    ...PLACES,
  }
  const ofStrategy: Reaches = {
    '--vary': ['fast=5,10', { sets: [{ fast: 5 }, { fast: 10 }] }],
    '--seed': ['mine', { seed: 'mine', plan: expect.anything() }],
    ...common,
    ...PATHS,
  }
  const withFee = ['--data', 'bars.csv', '--fee', '3']
  reaching('evaluate', withFee, ofStrategy)

  const own = ['--trades', 'mine.csv']
  const ofTrades: Reaches = {
    '--risk': ['0.5,2', { scales: [0.5, 2] }],
    '--traded-balance': ['300', { tradedBalance: 300 }],
    '--balance': ['7', { tradedBalance: 7, rules: expect.anything() }],
    '--trades-zone': ['+02:00', { trades: expect.anything() }],
    '--leverage': ['4', { leverage: 4 }],
    '--seed': ['mine', { seed: 'mine' }],
    ...common,
    '--paths': PATHS['--paths'] as Reaches[string],
    '--horizon': PATHS['--horizon'] as Reaches[string],
    '--block': PATHS['--block'] as Reaches[string],
  }
  describe('of trades', () => {
    test('asks for them as they are, under an account of 10,000', async () => {
      const { trades, ...rest } = await askedBy('evaluate', ...own)
      expect(trades).toHaveLength(2)
      expect(rest).toEqual({
        ...{ tradedBalance: 10_000, scales: [1], paths: 2_000, days: 30, seed: 'evaluate' },
        ...{ rules: [{ name: 'rules', account: {} }], terms: { attempts: 3 } },
      })
    })
    reaching('evaluate', [...own, ...withFee], ofTrades)
  })

  test('has no other options', () =>
    expect(named(evaluateCommand(), ['--balance', '--leverage'])).toEqual(
      [...new Set([...Object.keys(ofStrategy), ...Object.keys(ofTrades), '--trades'])].sort(),
    ))

  const OF_TRADES = /goes with --trades; a strategy takes --vary/
  const OF_STRATEGY = /means nothing beside --trades/
  test.each<[string, RegExp]>([
    ['--risk 2', OF_TRADES],
    ['--risk 1,1', OF_TRADES],
    ['--traded-balance 5', OF_TRADES],
    ['--trades-zone +02:00', OF_TRADES],
    ['--trades mine.csv --vary fast=5', OF_STRATEGY],
    ['--trades mine.csv --blocks any', OF_STRATEGY],
    ['--trades mine.csv --block auto', OF_STRATEGY],
    ['--trades none.csv', /none\.csv: the file cannot be opened/],
    ['--trades mine.csv --trades-zone nowhere', /--trades-zone: /],
    ['--days 3', /a path is as long as --horizon says/],
    ['--risk 0', /Multiples are numbers above zero/],
    ['--risk x', /Multiples are numbers above zero/],
    ['--block 0', /A block has one bar or more/],
  ])('%s is refused', async (words, sentence) => {
    asked.length = 0
    const { code, stderr } = await typed(['evaluate', ...words.split(' ')], folder)
    expect([code, asked.length]).toEqual([2, 0])
    expect(stderr).toMatch(sentence)
  })

  test('--block auto is found from the data', async () => {
    expect(await changedBy('evaluate', withFee, ['--block', 'auto'])).toEqual({ meanBlock: 'auto' })
  })
})
