/** Geometric Brownian motion (P. A. Samuelson 1965): d ln S = (μ − σ²/2) dt + σ dW. */
import { type PriceModel, requireAtLeast } from './priceModel.ts'

/** The numbers of {@link geometricBrownianMotion}, per year. */
export interface GeometricBrownianMotion {
  /** μ: expected growth per year; 0.1 doubles the expected price in ln 2 / 0.1 years. */
  readonly drift: number
  /** σ: standard deviation of the logarithm over a year. */
  readonly volatility: number
}

/**
 * Growth with noise: every change of the logarithm is independent of the others.
 *
 * ```ts
 * const [feed] = demoFeeds('plain', [geometricBrownianMotion({ drift: 0, volatility: 0.6 })], { days: 1 })
 * feed.intervalMs // → 60000
 * ```
 *
 * @throws RangeError for a volatility below zero.
 */
export function geometricBrownianMotion({ drift, volatility }: GeometricBrownianMotion): PriceModel {
  requireAtLeast('the volatility', volatility, 0)
  return {
    start(stepYears) {
      const mean = (drift - (volatility * volatility) / 2) * stepYears
      const deviation = volatility * Math.sqrt(stepYears)
      return (logPrice, shock) => logPrice + mean + deviation * shock
    },
  }
}
