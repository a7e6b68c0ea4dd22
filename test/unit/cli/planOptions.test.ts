// Every option that says what to run reaches the plan, under its own name and with its own value, before what a configuration says.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { afterAll, describe, expect, test } from 'vitest'
import type { RunPlan } from '../../../src/backtest/plan/plan.ts'
import { type PlanOptions, planOf, withPlanOptions } from '../../../src/cli/planOptions.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-plan-'))
afterAll(() => rmSync(folder, { recursive: true }))

function command(): Command {
  const made = withPlanOptions(new Command('test'), { paths: ['adverse', 'optimistic', 'both'] })
  return made.exitOverride().configureOutput({ writeErr: () => {} })
}

async function planned(...words: readonly string[]): Promise<RunPlan> {
  return planOf(command().parse(words, { from: 'user' }).opts<PlanOptions>())
}

function configuration(plan: object): string {
  const file = path.join(folder, 'run.json')
  writeFileSync(file, JSON.stringify(plan))
  return file
}

const PLAIN = {
  strategy: 'ema-cross',
  parameters: {},
  account: {},
  markets: [{ asset: 'BTC', parameters: {} }],
}
const market = (fields: object, parameters: object = {}) => ({
  markets: [{ asset: 'BTC', ...fields, parameters }],
})

/** What an option alone changes of a plan without any. */
const REACHES: Readonly<Record<string, readonly [words: string, change: object]>> = {
  '--data': ['a.csv', market({ data: 'a.csv' })],
  '--asset': ['ETH', { markets: [{ asset: 'ETH', parameters: {} }] }],
  '--funding': ['f.csv', market({ funding: 'f.csv' })],
  '--funding-rate': ['0.02%', market({}, { fundingRate: '0.02%' })],
  '--strategy': ['breakout', { strategy: 'breakout' }],
  '--part': [
    'dips=mean-reversion@ETH,SOL',
    {
      strategy: 'portfolio',
      portfolio: [{ name: 'dips', strategy: 'mean-reversion', markets: ['ETH', 'SOL'] }],
    },
  ],
  '--param': ['lookback=90', { parameters: { lookback: '90' } }],
  '--leverage': ['3', { parameters: { leverage: '3' } }],
  '--margin': ['250', { parameters: { margin: '250' } }],
  '--fast': ['7', { parameters: { fast: 7 } }],
  '--slow': ['70', { parameters: { slow: 70 } }],
  '--balance': ['5000', { account: { balance: '5000' } }],
  '--fee-rate': ['0.05%', market({}, { feeRate: '0.05%' })],
  '--spread': ['0.01%', market({}, { spread: '0.01%' })],
  '--daily-loss': ['4%', { account: { maxDailyLoss: '4%' } }],
  '--total-loss': ['9%', { account: { maxTotalLoss: '9%' } }],
  '--drawdown': ['trailing_eod', { account: { drawdownMode: 'trailing_eod' } }],
  '--target': ['8%', { account: { profitTarget: '8%' } }],
  '--profitable-days': ['5', { account: { minProfitableDays: 5 } }],
  '--from': ['2026-01-05', { from: '2026-01-05' }],
  '--to': ['2026-02-05', { to: '2026-02-05' }],
  '--warm-up': ['12h', { warmUpMs: 12 * 3_600_000 }],
  '--path': ['optimistic', { path: 'optimistic' }],
  '--after-verdict': ['go-on', { afterVerdict: 'go-on' }],
  '--at-data-end': ['hold', { atDataEnd: 'hold' }],
  '--tick-bars': ['30', { tickBarMs: 30_000 }],
  '--on-bad-row': ['skip', { onBadRow: 'skip' }],
  '--seed': ['mine', { seed: 'mine' }],
  '--simulate': ['brownian', market({ simulate: 'brownian' })],
  '--correlation': ['0.5', { correlation: 0.5 }],
  '--days': ['12', market({ days: 12 })],
}

test('without options it is the EMA cross on BTC', async () => {
  expect(await planned()).toEqual(PLAIN)
})

test.each(Object.entries(REACHES))(
  '%s reaches the plan, and nothing else is otherwise',
  async (option, [word, change]) => {
    expect(await planned(option, word)).toEqual({ ...PLAIN, ...change })
  },
)

test('there is no other option but the file that the rest comes from', () => {
  const options = command().options.map(({ long }) => long)
  expect(options.sort()).toEqual([...Object.keys(REACHES), '--config'].sort())
})

describe('a configuration', () => {
  const config = {
    strategy: 'breakout',
    parameters: { lookback: 5, risk: '1%' },
    account: { balance: '1', profitTarget: '1%' },
    markets: [
      { asset: 'ETH', parameters: { spread: '1%' } },
      { asset: 'BTC', data: 'b.csv' },
    ],
    seed: 'theirs',
  }

  test('is the plan where no option says otherwise', async () => {
    expect(await planned('--config', configuration(config))).toEqual({
      ...config,
      markets: [config.markets[0], { asset: 'BTC', data: 'b.csv', parameters: {} }],
    })
  })

  test('comes after every option, field by field', async () => {
    const words = ['--param', 'risk=2%', '--balance', '2', '--spread', '2%', '--seed', 'mine']
    const more = ['--days', '3', '--funding', 'ETH=f.csv', '--strategy', 'ema-cross']
    expect(await planned('--config', configuration(config), ...words, ...more)).toEqual({
      strategy: 'ema-cross',
      parameters: { lookback: 5, risk: '2%' },
      account: { balance: '2', profitTarget: '1%' },
      markets: [
        { asset: 'ETH', days: 3, funding: 'f.csv', parameters: { spread: '2%' } },
        { asset: 'BTC', data: 'b.csv', parameters: { spread: '2%' } },
      ],
      seed: 'mine',
    })
  })

  test('of a portfolio stays one, unless a strategy is named', async () => {
    const { strategy: _one, parameters: _its, ...rest } = config
    const parts = [{ name: 'trend', strategy: 'ema-cross' }]
    const file = configuration({ ...rest, portfolio: parts })
    expect(await planned('--config', file)).toMatchObject({ strategy: 'portfolio', portfolio: parts })
    const other = await planned('--config', file, '--strategy', 'breakout')
    expect(other.strategy).toBe('breakout')
    expect(other.portfolio).toBeUndefined()
    const named = await planned('--config', file, '--part', 'dips=mean-reversion')
    expect(named.portfolio).toEqual([{ name: 'dips', strategy: 'mean-reversion' }])
  })

  test('and data exclude each other; without a file it cannot be opened', async () => {
    const file = configuration(config)
    await expect(planned('--config', file, '--data', 'a.csv')).rejects.toThrow(/exclude each other/)
    const none = path.join(folder, 'none.json')
    await expect(planned('--config', none)).rejects.toThrow(
      `${none}: the file cannot be opened (there is no such file)`,
    )
  })
})

describe('of several markets', () => {
  test('each has its file, and those without data its days', async () => {
    const { markets } = await planned('--data', 'BTC=b.csv', '--data', 'ETH=e.csv', '--funding', 'ETH=f.csv')
    expect(markets).toEqual([
      { asset: 'BTC', data: 'b.csv', parameters: {} },
      { asset: 'ETH', data: 'e.csv', funding: 'f.csv', parameters: {} },
    ])
    const simulated = await planned('--asset', 'BTC,ETH', '--days', '3')
    expect(simulated.markets).toEqual([
      { asset: 'BTC', days: 3, parameters: {} },
      { asset: 'ETH', days: 3, parameters: {} },
    ])
  })

  test('one funding file is that of the one market, whatever it is called', async () => {
    for (const words of [
      ['--asset', 'ETH'],
      ['--data', 'ETH=e.csv'],
    ])
      expect((await planned(...words, '--funding', 'f.csv')).markets).toMatchObject([
        { asset: 'ETH', funding: 'f.csv' },
      ])
  })

  test.each([
    ['--data a.csv --data b.csv', '--data: two files for BTC; several markets are given as ASSET=FILE'],
    ['--funding a.csv --funding BTC=b.csv', '--funding: two files for BTC'],
    ['--funding ETH=a.csv', '--funding: the run has no market ETH'],
    ['--part a=b --strategy breakout', '--strategy and --part exclude each other'],
    ['--part trend', '--part: trend is not name=value'],
    ['--param =5', '--param: =5 is not name=value'],
    ['--param fast=', '--param: fast= is not name=value'],
  ])('%s is refused', async (words, sentence) => {
    await expect(planned(...words.split(' '))).rejects.toThrow(sentence)
  })
})

describe('a value', () => {
  const refused = (option: string, value: string) =>
    expect(() => command().parse([`${option}=${value}`], { from: 'user' }), `${option} ${value}`).toThrow()

  test('that is a share is one of its kind', () => {
    for (const [option, least, beyond] of [
      ['--fee-rate', '0.005', '0.0051'],
      ['--spread', '101%', '1.5'],
      ['--daily-loss', '0', '-1%'],
      ['--total-loss', '100%', '101%'],
      ['--target', '150%', '1.5'],
    ] as const) {
      expect(() => command().parse([`${option}=${least}`], { from: 'user' })).not.toThrow()
      refused(option, beyond)
      refused(option, 'much')
    }
  })

  test('that is counted is whole, of nine digits at most, and above zero where there has to be one', async () => {
    expect((await planned('--days', '999999999')).markets[0]).toMatchObject({ days: 999_999_999 })
    for (const text of ['1.5', '-1', '', 'x', '1000000000']) refused('--days', text)
    expect((await planned('--tick-bars', '1')).tickBarMs).toBe(1_000)
    refused('--tick-bars', '0')
  })

  test('that is a span is so many minutes, hours or days', async () => {
    const spans = {
      '90m': 5_400_000,
      '1m': 60_000,
      '12h': 43_200_000,
      '30d': 2_592_000_000,
      '999999d': 999_999 * 86_400_000,
    }
    for (const [text, ms] of Object.entries(spans))
      expect((await planned('--warm-up', text)).warmUpMs).toBe(ms)
    for (const text of ['0h', '90', '90s', '1.5h', '1000000d', 'h', 'x12h', '12hx'])
      refused('--warm-up', text)
  })

  test('that is an amount is a decimal', () => {
    for (const option of ['--balance', '--leverage', '--margin', '--correlation']) refused(option, 'much')
  })

  test('--path both is played on the adverse path first', async () => {
    expect((await planned('--path', 'both')).path).toBe('adverse')
    refused('--path', 'wide')
  })
})
