/** A small simulated venue for runs: wild enough that stops, liquidations and floors are reached. */
import type { BarColumns } from '../../../../src/backtest/feed/columns.ts'
import { joinBars } from '../../../../src/backtest/feed/columns.ts'
import { type BarFeed, barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import type { BacktestMarket, BacktestOptions } from '../../../../src/backtest/run/run.ts'
import { jumpDiffusion } from '../../../../src/backtest/simulated/jumpDiffusion.ts'
import { simulateBars } from '../../../../src/backtest/simulated/simulatedBars.ts'
import { fp9 } from '../../../../src/index.ts'
import { restlessTrader } from './restlessTrader.ts'

const MINUTE_MS = 60_000

export function wildBars(seed: string, length: number, startPrice = '20000'): BarColumns {
  return joinBars([
    ...simulateBars({
      seed,
      startTime: Date.UTC(2026, 0, 5, 23),
      intervalMs: MINUTE_MS,
      length,
      model: jumpDiffusion({
        drift: 0,
        volatility: 1.5,
        jumpsPerYear: 20_000,
        jumpMean: 0,
        jumpDeviation: 0.012,
      }),
      startPrice: fp9(startPrice),
      tickSize: fp9('0.01'),
    }),
  ])
}

export function feedOf(bars: BarColumns): BarFeed {
  return barFeedOf('bars of a test', MINUTE_MS, () => [bars])
}

export function wildMarket(asset: string, seed: string, length: number, startPrice?: string): BacktestMarket {
  return {
    asset,
    feed: feedOf(wildBars(seed, length, startPrice)),
    parameters: { fundingIntervalMs: 3_600_000, fundingRate: 70_000n, scalpingWindowMs: 600_000 },
  }
}

const ACCOUNT = {
  balance: fp9('10000'),
  maxLeverage: fp9('60'),
  maxDailyLoss: fp9('40%'),
  maxTotalLoss: fp9('70%'),
  dailyBreach: 'freeze' as const,
}

/** Two accounts on one market, with limits wide enough to keep trading. */
export function wildRunOfOne(seed: string, length: number, startPrice: string): BacktestOptions {
  return {
    markets: [wildMarket('BTC', seed, length, startPrice)],
    strategy: restlessTrader(`${seed}/a`, ['BTC'], 25),
    account: ACCOUNT,
    others: [{ name: 'second', strategy: restlessTrader(`${seed}/b`, ['BTC'], 40), account: ACCOUNT }],
    seed,
  }
}

/** Two markets and two accounts, with limits wide enough to keep trading. */
export function wildRun(seed: string, length: number): BacktestOptions {
  return {
    markets: [wildMarket('BTC', `${seed}/btc`, length), wildMarket('ETH', `${seed}/eth`, length)],
    strategy: restlessTrader(`${seed}/a`, ['BTC', 'ETH']),
    account: ACCOUNT,
    others: [{ name: 'second', strategy: restlessTrader(`${seed}/b`, ['ETH']), account: ACCOUNT }],
    seed,
  }
}
