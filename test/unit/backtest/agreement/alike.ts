import type { BarFeed } from '../../../../src/backtest/feed/feed.ts'
import { type BacktestResult, runBacktest } from '../../../../src/backtest/run/run.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { fp9, ONE } from '../../../../src/index.ts'
import type { ModelTerms } from './otherEngines.ts'

/** A run with the costs that the others have: a fee on every fill, and nothing that only a margin venue has. */
export function runAlike(
  feed: BarFeed,
  strategy: Strategy,
  { cash, fee }: ModelTerms,
): Promise<BacktestResult> {
  return runBacktest({
    markets: [
      {
        asset: 'X',
        feed,
        parameters: {
          feeRate: fp9(String(fee)),
          spread: 0n,
          fundingRate: 0n,
          scalpingCoefficient: ONE,
          minStopDistance: 0n,
          maintenanceMarginRate: 0n,
          minNotional: 0n,
          maxOrderNotional: null,
        },
      },
    ],
    strategy,
    account: {
      balance: fp9(String(cash)),
      maxDailyLoss: ONE,
      maxTotalLoss: ONE,
      profitTarget: fp9('100000'),
      allowedCategories: ['crypto'],
    },
    rules: { profitWindowMs: 0 },
    afterVerdict: 'go-on',
  })
}
