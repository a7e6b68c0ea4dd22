// Prices that wait until somebody looks lead to the same run as prices that go in one by one.

import { describe, expect, test } from 'vitest'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import {
  createStrategy,
  STRATEGY_NAMES,
  type StrategyKind,
  strategyKind,
} from '../../../../src/backtest/strategies/catalogue.ts'
import type { StrategyParameters } from '../../../../src/backtest/strategies/parameterValue.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { wildMarket, wildRun, wildRunOfOne } from './venue.ts'

/** The same strategy, looking at the engine at every price. */
function watchful(strategy: Strategy): Strategy {
  return {
    ...strategy,
    onTick(tick, context) {
      expect(context.now).toBe(tick.time)
      expect(context.market(tick.asset).state.indexPrice).toBe(tick.price)
      return strategy.onTick?.(tick, context)
    },
  }
}

/** Warm within the run. */
function quick({ parameters }: StrategyKind): StrategyParameters {
  return parameters !== null && 'lookback' in parameters ? { lookback: 30 } : {}
}

async function comparison(make: () => BacktestOptions) {
  const quiet = await runBacktest(make())
  const options = make()
  const eager = await runBacktest({ ...options, strategy: watchful(options.strategy) })
  return { quiet, eager }
}

describe('quiet prices', () => {
  test.each(STRATEGY_NAMES)('%s: same state, trades, costs and curve', async (name) => {
    const kind = strategyKind(name)
    if (kind === undefined) throw new Error(name)
    const parameters = name === 'funding-carry' ? { threshold: '0.001%' } : quick(kind)
    const { quiet, eager } = await comparison(() => ({
      markets: [wildMarket('BTC', 'quiet', 2_000)],
      strategy: createStrategy(kind, 'BTC', parameters),
    }))
    expect(quiet).toEqual(eager)
    expect(quiet.fills).toBeGreaterThan(0)
  })

  /** The last two are about, and beyond, what doubles hold exactly: 9,007,199.254740991. */
  test.each(['0.5', '20000', '9007199', '50000000'])(
    'two accounts on one market at %s: the same, bar by bar and price by price',
    async (startPrice) => {
      for (const path of ['adverse', 'optimistic'] as const) {
        const { quiet, eager } = await comparison(() => ({ ...wildRunOfOne('one', 2_000, startPrice), path }))
        expect(quiet).toEqual(eager)
        expect(quiet.fills).toBeGreaterThan(20)
      }
    },
  )

  test('two accounts on two markets: the same', async () => {
    for (const seed of ['q1', 'q2', 'q3']) {
      const { quiet, eager } = await comparison(() => wildRun(seed, 300))
      expect(quiet).toEqual(eager)
    }
  })

  test('the same inputs give the same run', async () => {
    expect(await runBacktest(wildRun('again', 200))).toEqual(await runBacktest(wildRun('again', 200)))
  })
})
