/** A strategy played on bars written by hand, with what it saw and what it did noted at every bar. */

import { barFeedOf } from '../../../../src/backtest/feed/feed.ts'
import type { FundingRates } from '../../../../src/backtest/feed/funding.ts'
import { type BacktestMarket, runBacktest } from '../../../../src/backtest/run/run.ts'
import type { Bar, Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import type { OrderRecord } from '../../../../src/domain/state/order.ts'
import type { PositionRecord } from '../../../../src/domain/state/position.ts'
import type { Command } from '../../../../src/events/command.ts'
import { type Candle, HOUR_MS, hours } from '../report/runs.ts'

export interface Moment {
  readonly bar: Bar
  /** As the strategy found them. */
  readonly positions: readonly PositionRecord[]
  readonly orders: readonly OrderRecord[]
  readonly equity: bigint
  readonly fundingRate: bigint
  /** What it then asked for and got. */
  readonly commands: Command[]
}

export interface Stage {
  readonly candles: readonly Candle[]
  readonly parameters?: BacktestMarket['parameters']
  readonly funding?: FundingRates
}

const FREE = { feeRate: 0n, spread: 0n, fundingRate: 0n }

/** An account that no rule of an evaluation stops. */
const UNBOUND = {
  maxDailyLoss: 1_000_000_000n,
  maxTotalLoss: 1_000_000_000n,
  autoPromote: false,
  maxLeverage: 100_000_000_000n,
}

export async function rehearse(
  strategy: Strategy,
  { candles, parameters, funding }: Stage,
): Promise<Moment[]> {
  const moments: Moment[] = []
  const bars = hours(candles)
  await runBacktest({
    markets: [
      {
        asset: 'BTC',
        feed: barFeedOf('written by hand', HOUR_MS, () => [bars]),
        parameters: { ...FREE, ...parameters },
        ...(funding === undefined ? {} : { funding }),
      },
    ],
    strategy: {
      ...strategy,
      onBar(bar, context) {
        moments.push(momentOf(bar, context))
        return strategy.onBar?.(bar, context)
      },
    },
    account: UNBOUND,
    recorder: {
      start() {},
      bar() {},
      tick() {},
      commit({ at, command }) {
        // Whatever else a commit may hold at that time, only the strategy sends these.
        if (ASKED.has(command.type)) moments.find(({ bar }) => bar.closeTime === at)?.commands.push(command)
      },
    },
  })
  return moments
}

const ASKED: ReadonlySet<Command['type']> = new Set(['placeOrder', 'cancelOrder', 'changeMargin', 'closeAll'])

const momentOf = (bar: Bar, context: StrategyContext): Moment => ({
  bar,
  positions: context.positions(),
  orders: context.orders(),
  equity: context.equity(),
  fundingRate: context.market(bar.asset).state.fundingRate,
  commands: [],
})
