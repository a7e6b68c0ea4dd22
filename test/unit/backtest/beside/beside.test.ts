/** What stands beside a run: holding under the same rules, redraws of its days, and strategies that hear late. */
import { describe, expect, test } from 'vitest'
import { besideOf } from '../../../../src/backtest/beside/beside.ts'
import { emptyBars } from '../../../../src/backtest/feed/columns.ts'
import { barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import { besideSection, headlineIntervals } from '../../../../src/backtest/report/besideSection.ts'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import { runConfidence } from '../../../../src/backtest/statistics/confidence.ts'
import { dailyReturns } from '../../../../src/backtest/statistics/dailyReturns.ts'
import { delayed } from '../../../../src/backtest/strategy/delayed.ts'
import type { Bar, Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { changedPlan, STRESS } from '../../../../src/backtest/whatIf/changes.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 5)

/** A market that rises evenly by a share of its first price over its bars. */
function rising(bars: number, by: number) {
  const columns = emptyBars(bars)
  for (let row = 0; row < bars; row++) {
    const price = fp9((1_000 * (1 + (by * row) / (bars - 1))).toFixed(6))
    columns.openTime[row] = START + row * MINUTE
    for (const prices of [columns.open, columns.high, columns.low, columns.close]) prices[row] = price
    columns.volume[row] = 1
  }
  return barFeedOf('rising', MINUTE, () => [columns])
}

const IDLE: Strategy = { name: 'idle' }
const WITHOUT_COSTS = { spread: 0n, feeRate: 0n, fundingRate: 0n }

function optionsFor(by: number, more: Partial<BacktestOptions> = {}): BacktestOptions {
  return {
    markets: [{ asset: 'BTC', feed: rising(240, by), parameters: WITHOUT_COSTS }],
    strategy: IDLE,
    ...more,
  }
}

describe('holding', () => {
  test.each([0.03, -0.03])('earns what the market does on 99%% of the equity (%d)', async (by) => {
    const options = optionsFor(by)
    const { benchmarks } = await besideOf(options, await runBacktest(options))
    const [held, nothing] = benchmarks
    expect(held?.totalReturn).toBeCloseTo(0.99 * by, 4)
    expect(held?.maxDrawdown).toBeCloseTo(by < 0 ? -0.99 * by : 0, 4)
    expect(nothing).toMatchObject({ netProfit: 0n, totalReturn: 0, maxDrawdown: 0, outcome: 'undecided' })
  })

  test('keeps the rules: a fall through the daily limit fails it', async () => {
    const options = optionsFor(-0.2)
    const { benchmarks } = await besideOf(options, await runBacktest(options))
    expect(benchmarks[0]?.outcome).toBe('failed')
  })

  test('pays its costs', async () => {
    const free = optionsFor(0.02)
    const dear = optionsFor(0.02, { markets: [{ asset: 'BTC', feed: rising(240, 0.02) }] })
    const [one, other] = [
      await besideOf(free, await runBacktest(free)),
      await besideOf(dear, await runBacktest(dear)),
    ]
    expect(one.benchmarks[0]?.netProfit).toBeGreaterThan(other.benchmarks[0]?.netProfit ?? 0n)
  })

  test('ends where the run ended', async () => {
    const options = optionsFor(0.04)
    const result = await runBacktest(options)
    const half = { ...result, to: START + 120 * MINUTE - 1 }
    const { benchmarks } = await besideOf(options, half)
    expect(benchmarks[0]?.totalReturn).toBeCloseTo((0.99 * 0.04 * 119) / 239, 4)
  })
})

test('what ends with the run ends after its last bar, and no later than was asked for', async () => {
  const options = optionsFor(0.04)
  const result = await runBacktest(options)
  const at = async (to: number, more: Partial<BacktestOptions> = {}) =>
    (await besideOf({ ...options, ...more }, { ...result, to })).benchmarks[0]?.totalReturn ?? 0
  const after = (bars: number) => (0.99 * 0.04 * (bars - 1)) / 239
  // What is told at the very last instant of the run is a part of it.
  const end = START + 120 * MINUTE
  expect(await at(end - 1)).toBeCloseTo(after(120), 6)
  expect(await at(end)).toBeCloseTo(after(121), 6)
  expect(await at(end - 1, { to: START + 60 * MINUTE })).toBeCloseTo(after(60), 6)
  expect(await at(end - 1, { to: START + 200 * MINUTE })).toBeCloseTo(after(120), 6)
})

test('redraws are of the days and the trades of the run, in quote currency', async () => {
  const options = optionsFor(0.04)
  const result = await runBacktest(options)
  const pnl = Array.from({ length: 12 }, (_, trade) => (trade % 3) * 2.5 - 2)
  const trades = pnl.map((amount) => ({ pnl: BigInt(amount * 1e9) })) as unknown as typeof result.trades
  const days = dailyReturns(result.curve).returns
  expect((await besideOf(options, { ...result, trades })).confidence).toEqual(runConfidence(days, pnl))
})

test('doing nothing earns nothing and loses nothing', async () => {
  const options = optionsFor(0.04)
  const { benchmarks } = await besideOf(options, await runBacktest(options))
  expect(benchmarks[1]).toEqual({
    ...{ name: 'do nothing', netProfit: 0n, totalReturn: 0, maxDrawdown: 0 },
    ...{ sharpeRatio: null, outcome: 'undecided' },
  })
})

describe('redraws', () => {
  const days = Array.from({ length: 60 }, (_, day) => Math.sin(day * 7.3) / 50 + 0.002)
  const pnl = Array.from({ length: 40 }, (_, trade) => Math.cos(trade * 3.1) * 100 + 20)

  test('are the same for the same seed, and enclose the figure they are of', () => {
    const one = runConfidence(days, pnl)
    expect(runConfidence(days, pnl)).toEqual(one)
    expect(runConfidence(days, pnl, 'another')).not.toEqual(one)
    const total = days.reduce((equity, value) => equity * (1 + value), 1) - 1
    expect(one.totalReturn?.low).toBeLessThan(total)
    expect(one.totalReturn?.high).toBeGreaterThan(total)
    const profit = pnl.reduce((sum, value) => sum + value, 0)
    expect(one.netProfit?.low).toBeLessThan(profit)
    expect(one.netProfit?.high).toBeGreaterThan(profit)
  })

  test('of days and trades that are all alike are all alike', () => {
    const even = runConfidence(Array(30).fill(0.01), Array(20).fill(5))
    expect(even.totalReturn?.low).toBeCloseTo(1.01 ** 30 - 1, 9)
    expect(even.totalReturn?.high).toBe(even.totalReturn?.low)
    expect(even).toMatchObject({
      maxDrawdown: { low: 0, high: 0 },
      winRate: { low: 1, high: 1 },
      netProfit: { low: 100, high: 100 },
      sharpeRatio: null,
      profitFactor: null,
      shareWithProfit: 1,
    })
  })

  test('scatter less, set against their number, where there are more of them', () => {
    const width = (times: number) => {
      const { winRate } = runConfidence([], Array(times).fill(pnl).flat())
      return (winRate?.high ?? 0) - (winRate?.low ?? 0)
    }
    expect(width(9)).toBeLessThan(width(1) / 2)
  })

  test('are not made of fewer than ten', () => {
    const few = runConfidence(days.slice(0, 9), pnl.slice(0, 9))
    expect(Object.values(headlineIntervals(few))).toEqual(Array(6).fill('–'))
    expect(few.shareWithProfit).toBeNull()
    expect(runConfidence(days.slice(0, 10), pnl.slice(0, 10)).totalReturn).not.toBeNull()
  })
})

test('the run stands first among what is beside it', async () => {
  const options = optionsFor(0.03)
  const result = await runBacktest(options)
  const { rows, sentence } = besideSection(result, await besideOf(options, result))
  expect(rows.map(([name]) => name)).toEqual(['this run', 'buy and hold', 'do nothing'])
  expect(sentence).toMatch(/too few days/)
})

test('a strategy that hears late hears the same bars, so many later, and keeps its own object', async () => {
  class Counting implements Strategy {
    readonly name = 'counting'
    readonly heard: [opened: number, at: number][] = []
    onBar(bar: Bar, context: StrategyContext) {
      this.heard.push([bar.openTime, context.now])
    }
  }
  const [prompt, late] = [new Counting(), new Counting()]
  await runBacktest(optionsFor(0.01, { strategy: prompt }))
  await runBacktest(optionsFor(0.01, { strategy: delayed(late, 3) }))
  expect(late.heard).toHaveLength(prompt.heard.length - 3)
  for (const [index, [opened, at]] of late.heard.entries()) {
    expect(opened).toBe(prompt.heard[index]?.[0])
    expect(at).toBe(prompt.heard[index + 3]?.[1])
  }
})

describe('a rate changed in proportion', () => {
  const plan = {
    strategy: 'breakout',
    markets: [{ asset: 'BTC', parameters: { spread: '0.05%' } }, { asset: 'ETH' }],
  }
  const spreads = (change: string) =>
    changedPlan(plan, change).markets.map(({ parameters }) => fp9(String(parameters?.spread)))

  test.each([
    ['spread=x2', ['0.001', '0.0006']],
    ['spread=x0.5', ['0.00025', '0.00015']],
    ['spread=+0.01%', ['0.0006', '0.0004']],
    ['slippage=0.02%', ['0.0007', '0.0005']],
    ['spread=0.03%', ['0.0003', '0.0003']],
  ])('%s', (change, expected) => expect(spreads(change)).toEqual(expected.map((value) => fp9(value))))

  test.each(['spread=xx', 'slippage=much', 'delay=0', 'delay=1.5', 'fee-rate=x'])('%s is refused', (change) =>
    expect(() => spreads(change)).toThrow(),
  )

  test('every change of a stress can be made', () => {
    for (const change of STRESS) expect(changedPlan(plan, change)).not.toEqual(plan)
  })
})
