// No order of the extremes inside any bar of a run leaves the bounds that are reported, as playing every order of every bar shows.

import { describe, expect, test } from 'vitest'
import { ambiguitySection } from '../../../../src/backtest/report/ambiguity.ts'
import { runBothPaths } from '../../../../src/backtest/run/bothPaths.ts'
import type { BacktestOptions } from '../../../../src/backtest/run/run.ts'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { fp9, ONE } from '../../../../src/index.ts'
import { restlessTrader } from '../run/restlessTrader.ts'
import { feedOf, wildBars } from '../run/venue.ts'
import { type Candle, opensOnce, optionsFor } from './runs.ts'

const BARS = 8
const LONG = { direction: 'long', sizeBy: { margin: '1000' }, leverage: '5' } as const
const UNLIMITED = { maxDailyLoss: ONE, maxTotalLoss: ONE }
/** Rules under which the moment inside a bar is worth nothing, and such under which it may be. */
const SETTINGS: Readonly<Record<string, Omit<BacktestOptions, 'markets' | 'strategy'>>> = {
  'no window of time': { account: UNLIMITED, rules: { profitWindowMs: 0 } },
  'the 60-second rule': { account: UNLIMITED },
  'near limits of loss': { account: { maxDailyLoss: fp9('2%'), maxTotalLoss: fp9('4%') } },
}
/** Such as have more than one end: a stop-limit that turns, a close inside the minute, a trailing stop. */
const RUNS: readonly (readonly [setting: string, seeds: readonly string[]])[] = [
  ['no window of time', ['b31']],
  ['the 60-second rule', ['b11', 'b20']],
  ['near limits of loss', ['b11', 'b31']],
]

function optionsOf(seed: string, setting: string): BacktestOptions {
  const { account, ...rest } = SETTINGS[setting] ?? {}
  return {
    markets: [
      {
        asset: 'BTC',
        feed: feedOf(wildBars(seed, BARS)),
        parameters:
          setting === 'near limits of loss'
            ? { scalpingWindowMs: 90_000, fundingRate: 500_000n, fundingIntervalMs: 180_000 }
            : { scalpingWindowMs: 0, fundingRate: 0n },
      },
    ],
    strategy: restlessTrader(seed, ['BTC'], 2),
    account: { maxLeverage: fp9('60'), ...account },
    ...rest,
  }
}

describe('the bounds of the order inside bars', () => {
  test.each(RUNS)('hold every order of every bar: %s', async (setting, seeds) => {
    let differing = 0
    for (const seed of seeds) {
      const { bounds } = await runBothPaths(() => optionsOf(seed, setting))
      expect(bounds.complete).toBe(true)
      const times = wildBars(seed, BARS).openTime
      const ends = new Set<bigint>()
      for (let mask = 0; mask < 2 ** BARS; mask++) {
        const turnedBars = [new Set(times.filter((_, bar) => (mask >> bar) & 1))]
        ends.add((await runBacktest({ ...optionsOf(seed, setting), turnedBars })).statistics.netProfit)
      }
      const sorted = [...ends].sort((a, b) => (a < b ? -1 : 1))
      expect(bounds.worst.netProfit).toBe(sorted[0])
      expect(bounds.best.netProfit).toBe(sorted.at(-1))
      differing += ends.size > 1 ? 1 : 0
    }
    expect(differing).toBeGreaterThan(0)
  })

  test('leave out a bar in which one level closes the only position, unless a minute ends between the two moments', async () => {
    const stopped: Candle = [100, 101, 97, 100]
    const quiet: Candle = [100, 100.5, 99.5, 100]
    const candles = [quiet, quiet, stopped, quiet]
    const strategy = () => opensOnce({ ...LONG, stopLoss: fp9('98') })
    const { bounds, adverse } = await runBothPaths(() => optionsFor(candles, strategy()))
    expect(adverse.trades).toHaveLength(1)
    expect(bounds).toMatchObject({ complete: true, bars: 0, momentOnly: 1, runs: 2 })
    const events = () => ({ ...strategy(), onEvent() {} })
    const heard = await runBothPaths(() => optionsFor(candles, events()))
    expect(heard.bounds).toMatchObject({ complete: true, bars: 1, momentOnly: 0 })
    // From entry to the two moments it is 80 and 100 minutes.
    for (const [minutes, bars] of [
      [1_440, 0],
      [90, 1],
    ] as const) {
      const options = optionsFor(candles, strategy())
      const markets = options.markets.map((market) => ({
        ...market,
        parameters: { scalpingWindowMs: minutes * 60_000 },
      }))
      const { bounds: found } = await runBothPaths(() => ({ ...options, markets, strategy: strategy() }))
      expect(found.bars).toBe(bars)
    }
  })

  // The high raises the stop to 99.9, above the low, if it comes first; of the low nothing is seen before. A short sees it the other way round.
  test.each<['long' | 'short', Candle[]]>([
    [
      'long',
      [
        [100, 100.2, 99.8, 100],
        [100, 103, 99.5, 102],
        [102, 102.2, 101.8, 102],
      ],
    ],
    [
      'short',
      [
        [100, 100.2, 99.8, 100],
        [100, 100.5, 97, 98],
        [98, 98.2, 97.8, 98],
      ],
    ],
  ])(
    'count a bar in which a trailing stop could have fired, though it did not: %s',
    async (direction, candles) => {
      const strategy = () => opensOnce({ ...LONG, direction, trailingStop: { offset: fp9('3.1') } })
      const { bounds, adverse } = await runBothPaths(() => optionsFor(candles, strategy()))
      expect(adverse.trades).toHaveLength(0)
      expect(bounds).toMatchObject({ complete: true, bars: 1 })
      expect(bounds.deciding).toHaveLength(1)
      const turned = [bounds.worst, bounds.best].map((run) => run.turned)
      expect(turned.sort()).toEqual([0, 1])
    },
  )

  test('are never claimed of a strategy that hears every price, and it is said why', async () => {
    const run = () => {
      const hearing: Strategy = { ...restlessTrader('b0', ['BTC'], 2), onTick() {} }
      return runBothPaths(() => ({ ...optionsOf('b0', 'the 60-second rule'), strategy: hearing }))
    }
    const comparison = await run()
    expect(comparison.bounds).toMatchObject({ complete: false, hearsTicks: true })
    const section = ambiguitySection(comparison.adverseRecording, comparison)
    expect(section.comparison?.bounds?.rows.map(([name]) => name)).toEqual(['Worst reached', 'Best reached'])
    expect(section.comparison?.bounds?.sentence).toContain('The strategy hears every price')
  })
})
