/**
 * Mean reversion: an Ornstein–Uhlenbeck process on the logarithm of the price, d x = κ (θ − x) dt + σ dW, by its exact
 * transition: x' = θ + (x − θ) e^(−κ dt) + σ √((1 − e^(−2κ dt)) / 2κ) · shock.
 */
import { exp } from './exponential.ts'
import { type PriceModel, requireAtLeast } from './priceModel.ts'

/** The numbers of the model of prices that are drawn back, per year. */
export interface MeanReversion {
  /** θ: where ln S is drawn to, relative to the start: 0 is the starting price. */
  readonly mean: number
  /** κ per year: half of a distance is gone after ln 2 / κ years. Above 0. */
  readonly speed: number
  /** σ: standard deviation of the logarithm over a year, if nothing drew it back. */
  readonly volatility: number
}

/**
 * Prices that are drawn back to a level.
 *
 * ```ts
 * const model = meanRevertingPrices({ mean: 50_000, speed: 50, volatility: 0.6 })
 * demoFeeds('drawn back', [model], { days: 1 }).length // → 1
 * ```
 *
 * @throws RangeError for a volatility below zero, or a speed not above it.
 */
export function meanReversion({ mean, speed, volatility }: MeanReversion): PriceModel {
  requireAtLeast('the speed of reversion', speed, Number.MIN_VALUE)
  requireAtLeast('the volatility', volatility, 0)
  return {
    start(stepYears) {
      const kept = exp(-speed * stepYears)
      const deviation = volatility * Math.sqrt((1 - kept * kept) / (2 * speed))
      return (logPrice, shock) => mean + (logPrice - mean) * kept + deviation * shock
    },
  }
}
