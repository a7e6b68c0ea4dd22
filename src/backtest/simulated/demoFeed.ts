/** The markets a backtest runs on when it is given no data: thirty days of seeded one-minute bars. */
import { fp9 } from '../../quantity/decimal.ts'
import { type BarFeed, barFeedOf } from '../feed/feed.ts'
import { priceModelOf } from './marketModel.ts'
import type { PriceModel } from './priceModel.ts'
import { simulateMarkets } from './simulatedBars.ts'

const MINUTE_MS = 60_000
const DAYS = 30

/**
 * One minute-market of ordinary jumps, so many whole `days` of it. The same seed gives the same bars on every machine.
 *
 * ```ts
 * const feed = demoFeed('demo', 1) // a day of simulated minutes, the same for every seed 'demo'
 * const { verdict } = await runBacktest({
 *   markets: [{ asset: 'BTC', feed }],
 *   strategy: breakout({ asset: 'BTC' }),
 * })
 * verdict.outcome // → undecided
 * ```
 *
 * @throws RangeError, when it is read, for days that are not a whole number above 0.
 */
export function demoFeed(seed: string, days = DAYS): BarFeed {
  return demoFeeds(seed, [priceModelOf()], { days })[0] as BarFeed
}

/** How markets are simulated together. */
export interface DemoOptions {
  /** How many, whole, above 0. Default 30. */
  readonly days?: number | undefined
  /** Correlation of the shocks of each pair, above −1/(n − 1) and below 1. Default 0: none knows of another. */
  readonly correlation?: number | undefined
}

/**
 * Markets of these models that move together. The first is the same whatever the others are.
 *
 * ```ts
 * const models = [priceModelOf(), priceModelOf('brownian')]
 * demoFeeds('pair', models, { days: 1, correlation: 0.5 }).length // → 2
 * ```
 *
 * @throws RangeError for a correlation that cannot be.
 */
export function demoFeeds(
  seed: string,
  models: readonly PriceModel[],
  { days = DAYS, correlation = 0 }: DemoOptions = {},
): BarFeed[] {
  checkCorrelation(correlation, models.length)
  const settings = {
    seed,
    startTime: Date.UTC(2026, 0, 5),
    intervalMs: MINUTE_MS,
    length: days * 1440,
    markets: models.map((model) => ({
      model,
      startPrice: fp9('50000'),
      tickSize: fp9('0.1'),
      meanVolume: 20,
    })),
    correlation: models.map((_, row) => models.map((_, column) => (row === column ? 1 : correlation))),
  }
  return models.map((_, market) =>
    barFeedOf(`simulated with seed ${seed}`, MINUTE_MS, function* () {
      for (const bars of simulateMarkets(settings)) {
        const own = bars[market]
        if (own !== undefined) yield own
      }
    }),
  )
}

/** Below the least, all of them could not be as far apart as each pair is. */
function checkCorrelation(correlation: number, markets: number): void {
  if (markets < 2) return
  const least = -1 / (markets - 1)
  if (correlation > least && correlation < 1) return
  const bound = Number(least.toFixed(3)).toString().replace('-', '−')
  throw new RangeError(
    `the correlation of ${markets} markets must be above ${bound} and below 1, not ${correlation}`,
  )
}
