/** What a model of prices has to provide. */
import type { Random } from './random.ts'

/**
 * Moves the logarithm of a price, relative to its start (0 there), by one step of time. `shock` is a standard normal
 * deviate, given from outside so that markets can be correlated; whatever else is random comes from `random`.
 */
export type PriceStep = (logPrice: number, shock: number, random: Random) => number

/** A model of prices. Rates and volatilities are per year of 365 days. */
export interface PriceModel {
  /** Called once per simulation with the length of a step in years; state that moves with the price (a regime) belongs to the step. */
  readonly start: (stepYears: number) => PriceStep
}

/** Milliseconds of a year of 365 days, the unit of rates and volatilities. */
export const YEAR_MS = 31_536_000_000

/** @throws RangeError unless `value` is finite and at least `least`. */
export function requireAtLeast(name: string, value: number, least: number): void {
  if (!(value >= least && value < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${name} must be a number from ${least} up, not ${value}`)
  }
}
