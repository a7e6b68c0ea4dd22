// A run that was reckoned on paper, in the words of its report and of its summary.

import { beforeAll, describe, expect, test } from 'vitest'
import { equityChart } from '../../../../src/backtest/output/equityChart.ts'
import { summaryLines } from '../../../../src/backtest/output/summary.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import { type Candle, optionsFor, type Recorded, recorded } from './runs.ts'

/*
 * Fees are 0.1% of what is traded; prices stand still within an hour. Positions are of 10 and are opened and closed at
 * the end of an hour:
 *
 *   hour   price   done                    fee    pnl    equity after it
 *   0      100     long opened             1.00          9,999.00
 *   1      105                                           10,049.00
 *   2      110     long closed             1.10   +100   10,097.90
 *   3      110                                           10,097.90
 *   4      110     short opened            1.10          10,096.80
 *   5      115     short closed            1.15   −50    10,045.65
 *   6, 7   115     one too large, refused                10,045.65
 *   8      115     long opened             1.15          10,044.50
 *   9      120                                    +50    10,094.50
 *
 * At the end of hour 5, before the close, equity is 10,046.80, which is 546.80 above the floor of the day. The peak is
 * the 10,099.00 at the end of hour 2, 53.35 above the lowest equity after it that an hour begins or ends with.
 */
const PRICES = [100, 105, 110, 110, 110, 115, 115, 115, 115, 120]

const trader: Strategy = {
  name: 'by hand',
  async onBar({ openTime, asset }, context) {
    const hour = new Date(openTime).getUTCHours()
    const [position] = context.positions()
    const ten = { asset, sizeBy: { base: '10' }, leverage: '2' } as const
    if (hour === 0 || hour === 8) await context.open({ ...ten, direction: 'long' })
    if (hour === 4) await context.open({ ...ten, direction: 'short' })
    if (hour === 7) await context.open({ ...ten, direction: 'long', sizeBy: { base: '100000' } })
    if ((hour === 2 || hour === 5) && position !== undefined) await context.close({ position })
  },
}

let run: Recorded

beforeAll(async () => {
  const still = (price: number): Candle => [price, price, price, price]
  const options = optionsFor(PRICES.map(still), trader)
  run = await recorded({
    ...options,
    markets: options.markets.map((market) => ({
      ...market,
      parameters: { feeRate: fp9('0.1%'), spread: 0n, fundingRate: 0n },
    })),
    account: {
      balance: fp9('10000'),
      profitTarget: fp9('10%'),
      minProfitableDays: 2,
      maxDailyLoss: fp9('5%'),
      maxTotalLoss: fp9('10%'),
      maxLeverage: fp9('5'),
    },
  })
})

const named = (figures: readonly { readonly name: string; readonly value: string }[]) =>
  Object.fromEntries(figures.map(({ name, value }) => [name, value]))

describe('a run reckoned by hand', () => {
  test('the figures', () => {
    const { statistics, headline } = run.report
    expect(statistics.map(({ title, figures }) => [title, named(figures)])).toEqual([
      [
        'Return',
        {
          'Total return': '0.95%',
          'Annual growth (CAGR)': '–',
          Volatility: '–',
          'Sharpe ratio': '–',
          'Sortino ratio': '–',
          'Calmar ratio': '–',
        },
      ],
      [
        'Risk',
        {
          'Max drawdown': '0.53%',
          'Average drawdown': '0.53%',
          'Longest drawdown': '7.0 hours',
          'Value at risk (95%, daily)': '–',
          'Expected shortfall (95%, daily)': '–',
          'Closest to liquidation': '42.76%',
          Liquidations: '0',
        },
      ],
      [
        'Trades',
        {
          'Won / lost': '1 / 1',
          'Profit factor': '1.87',
          Expectancy: '+22.83',
          'Payoff ratio': '1.87',
          'Largest win / loss': '97.90 / 52.25',
          'Longest streak won / lost': '1 / 1',
        },
      ],
      ['Activity', { 'Time in the market': '33.3%', Turnover: '0.43×', Fills: '5', 'Open at the end': '1' }],
    ])
    expect(named(headline)).toEqual({
      'Net profit': '+94.50',
      'Total return': '0.95%',
      'Max drawdown': '0.53%',
      'Sharpe ratio': '–',
      'Profit factor': '1.87',
      'Win rate': '50.0%',
      'Closed trades': '2',
      'All costs': '5.50',
    })
  })

  test('the costs, with their share of the largest and of the balance', () => {
    expect(
      run.report.costs.map(({ name, value, ofBalance, weight, tone }) => [
        name,
        value,
        ofBalance,
        weight,
        tone,
      ]),
    ).toEqual([
      ['Prices alone', '+100.00', '1.00%', null, 'gain'],
      ['Fees', '−5.50', '−0.06%', 1, 'loss'],
      ['Spread', '0.00', '0.00%', 0, 'plain'],
      ['Scalping surcharge', '0.00', '0.00%', 0, 'plain'],
      ['Funding', '0.00', '0.00%', 0, 'plain'],
      ['Liquidation penalties', '0.00', '0.00%', 0, 'plain'],
      ['60-second rule', '0.00', '0.00%', 0, 'plain'],
      ['Change of equity', '+94.50', '0.95%', null, 'gain'],
    ])
    expect(run.report.totals).toBe(
      'Net profit +94.50 is +45.65 of 2 closed trades, +48.85 of 1 position still open; +44.50 of it is realized, in the balance, and +50.00 is not.',
    )
  })

  test('the evaluation', () => {
    const { outcome, reason, rules } = run.report.evaluation
    expect(outcome).toBe('undecided')
    expect(reason).toBe('The data ended before the profit target or a loss limit was reached.')
    expect(
      rules.map(({ name, limit, reached, progress, kind }) => [name, limit, reached, progress, kind]),
    ).toEqual([
      ['Profit target', '10.00%', '+44.50 (0.45%) realized at the end', 0.0445, 'goal'],
      ['Profitable days', '2', '0 finished', 0, 'goal'],
      ['Daily loss limit', '5.00%', 'least headroom 546.80 with a position open', 0, 'limit'],
      ['Total loss limit', '10.00%', 'least headroom 1,046.80 with a position open', 0, 'limit'],
    ])
  })

  test('trades, fills and levels of the chart', () => {
    const at = (hour: number) => Date.UTC(2026, 0, 5, hour) / 1000
    const { trades, daily } = run.report.charts
    const plain = { market: 0, size: 10, funding: 0, end: 'market' }
    expect(trades.rows).toEqual([
      {
        ...plain,
        number: 1,
        side: 'long',
        opened: at(1),
        closed: at(3),
        entry: 100,
        exit: 110,
        pnl: 97.9,
        share: 0.0979,
        fees: 2.1,
      },
      {
        ...plain,
        number: 2,
        side: 'short',
        opened: at(5),
        closed: at(6),
        entry: 110,
        exit: 115,
        pnl: -52.25,
        share: -0.0475,
        fees: 2.25,
      },
    ])
    expect(trades.total).toBe(2)
    expect(trades.fills).toEqual([
      [0, at(1), 1, 1, 100, 10, 'market', null],
      [0, at(3), 0, 1, 110, 10, 'market', 98.9],
      [0, at(5), 1, 0, 110, 10, 'market', null],
      [0, at(6), 0, 0, 115, 10, 'market', -51.15],
      [0, at(9), 1, 1, 115, 10, 'market', null],
    ])
    expect(trades.levels.map(([market, kind, , from, to]) => [market, kind, from, to])).toEqual([
      [0, 'liquidation', at(1), at(3)],
      [0, 'liquidation', at(5), at(6)],
      [0, 'liquidation', at(9), null],
    ])
    expect(daily).toEqual({ days: [at(0)], returns: [0.00945] })
  })

  test('the facts, the notes and what was refused', () => {
    const { facts, notes, rejections, sources } = run.report
    expect(facts).toEqual([
      ['Period', '2026-01-05 00:00 – 2026-01-05 10:00 UTC'],
      ['Length', '10.0 hours'],
      ['Data', '10 rows, BTC 1h bars'],
      ['Balance', '10,000.00'],
      ['Path inside bars', 'adverse'],
    ])
    expect(notes).toEqual([
      'BTC: no spread is charged',
      'BTC: no funding is charged',
      "BTC: a price counts as current for 20 min instead of the venue's 10 s; the data tells none more often",
      '1 position(s) still open at the end, valued at the index price',
      'no Sharpe ratio and other figures from daily returns: they need 20, this run has 0',
    ])
    expect(rejections).toEqual([['insufficient_balance', 1]])
    expect(sources).toEqual([
      { asset: 'BTC', rows: '10', skipped: 'none', missing: 'none', largestGap: 'none' },
    ])
  })

  test('the line of equity, between its labels', () => {
    const lines = equityChart(run.result.curve)
    expect(lines[0]).toMatch(/^ {4}10,099 /)
    expect(lines.at(-1)).toMatch(/^ {4}10,000 /)
  })

  test('the summary', () => {
    expect(summaryLines(run.result)).toEqual([
      'by hand',
      '2026-01-05 00:00 to 2026-01-05 10:00 UTC, 10.0 hours',
      '10 rows, adverse path inside bars',
      '',
      'UNDECIDED: neither passed nor failed when the data ended',
      '',
      'Return',
      '  total return            0.95%',
      '  equity                  10,094.50 from 10,000.00',
      '  max drawdown            0.53% (53.35)',
      '  longest drawdown        7.0 hours',
      '  Sharpe, Sortino         –, – (daily, annualised)',
      '',
      'Trades',
      '  closed                  2 (1 won, 1 lost)',
      '  fills, open at end      5, 1',
      '  win rate                50.0%',
      '  profit factor           1.87',
      '  liquidations            0',
      '  nearest liquidation     42.76% away',
      '',
      'From prices to profit',
      '  prices alone                 +100.00',
      '  fees                           −5.50',
      '  spread                          0.00',
      '  scalping surcharge              0.00',
      '  funding                         0.00',
      '  liquidation penalties           0.00',
      '  60-second rule                  0.00',
      '  change of equity              +94.50',
      '',
      'Evaluation',
      '  profit target           10.00%',
      '  profitable days         0 of 2',
      '  least daily headroom    546.80',
      '  least total headroom    1,046.80',
      '',
      'refused actions: insufficient_balance ×1',
      'note: BTC: no spread is charged',
      'note: BTC: no funding is charged',
      "note: BTC: a price counts as current for 20 min instead of the venue's 10 s; the",
      'data tells none more often',
      'note: 1 position(s) still open at the end, valued at the index price',
      'note: no Sharpe ratio and other figures from daily returns: they need 20, this',
      'run has 0',
      `state ${run.result.stateHash}`,
    ])
  })
})
