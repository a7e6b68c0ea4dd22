// What a run did before a moment does not depend on the data after it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BarColumns } from '../../../../src/backtest/feed/columns.ts'
import { joinBars } from '../../../../src/backtest/feed/columns.ts'
import type { FundingRates } from '../../../../src/backtest/feed/funding.ts'
import type { RunRecorder } from '../../../../src/backtest/recording/recorder.ts'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import {
  createStrategy,
  STRATEGY_NAMES,
  strategyKind,
} from '../../../../src/backtest/strategies/catalogue.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import type { Commit } from '../../../../src/index.ts'
import { restlessTrader } from './restlessTrader.ts'
import { feedOf, wildBars, wildMarket } from './venue.ts'

const HOUR_MS = 3_600_000

/** The bars up to `row`, then other ones. */
function withAnotherFuture(bars: BarColumns, row: number, seed: string): BarColumns {
  const others = wildBars(seed, bars.length)
  const head = slice(bars, 0, row)
  return joinBars([head, slice(others, row, bars.length)])
}

function slice(bars: BarColumns, from: number, to: number): BarColumns {
  return {
    length: to - from,
    openTime: bars.openTime.slice(from, to),
    open: bars.open.slice(from, to),
    high: bars.high.slice(from, to),
    low: bars.low.slice(from, to),
    close: bars.close.slice(from, to),
    volume: bars.volume.slice(from, to),
  }
}

/** A rate for every hour of the bars that changes sides; those after a row depend on `future`. */
function fundingOf(bars: BarColumns, future: number, row = bars.length): FundingRates {
  const hours: number[] = []
  const rates: bigint[] = []
  for (const [at, time] of bars.openTime.entries()) {
    if (time % HOUR_MS !== 0) continue
    hours.push(time)
    rates.push(BigInt((hours.length % 3) - 1 + (at > row ? future : 0)) * 300_000n)
  }
  return { length: hours.length, time: Float64Array.from(hours), rate: BigInt64Array.from(rates) }
}

/** Every commit before a moment, and the curve up to it. */
async function history(bars: BarColumns, strategy: Strategy, before: number, funding = fundingOf(bars, 0)) {
  const commits: Commit[] = []
  const recorder: RunRecorder = {
    start() {},
    bar() {},
    tick() {},
    commit: (commit) => commits.push(commit),
  }
  const options: BacktestOptions = {
    markets: [{ ...wildMarket('BTC', '', 1), feed: feedOf(bars), funding }],
    strategy,
    account: { maxLeverage: 60_000_000_000n, maxDailyLoss: 1_000_000_000n, maxTotalLoss: 1_000_000_000n },
    recorder,
  }
  const { curve } = await runBacktest(options)
  const points = [...curve.time].filter((time) => time < before).length
  return {
    commits: commits.filter(({ at }) => at < before),
    equity: [...curve.equity.slice(0, points)],
  }
}

describe('no look-ahead', () => {
  test('another future leaves every commit and every point of the curve before it as they were', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 20, max: 180 }),
        async (seed, row) => {
          const bars = wildBars(`past ${seed}`, 200)
          const before = bars.openTime[row] as number
          const one = await history(bars, restlessTrader(`trader ${seed}`, ['BTC']), before)
          const other = await history(
            withAnotherFuture(bars, row, `future ${seed}`),
            restlessTrader(`trader ${seed}`, ['BTC']),
            before,
          )
          expect(other).toEqual(one)
          expect(one.commits.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 15 },
    )
  })

  test.each(STRATEGY_NAMES)('%s knows only the past', async (name) => {
    const kind = strategyKind(name)
    if (kind === undefined) throw new Error(name)
    const short = 'lookback' in (kind.parameters ?? {}) ? { lookback: 20 } : {}
    // One learns first, from a day.
    const [length, rows] = name === 'learned-direction' ? [2_400, [1_600, 2_100]] : [600, [250, 431]]
    const bars = wildBars('named', length)
    for (const row of rows) {
      const before = bars.openTime[row] as number
      const one = await history(bars, createStrategy(kind, 'BTC', short), before)
      const other = await history(
        withAnotherFuture(bars, row, 'x'),
        createStrategy(kind, 'BTC', short),
        before,
        fundingOf(bars, 1, row),
      )
      expect(other).toEqual(one)
      expect(one.commits.filter(({ command }) => command.type === 'placeOrder')).not.toEqual([])
    }
  })
})
