/** Funding between longs and shorts at fixed instants (E4, E5, J2). */
import { fractionDown, fractionUp, notionalDown, notionalUp } from '../../quantity/products.ts'
import type { Price, Quote, Rate } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import type { MarketParameters } from '../../terms/marketParameters.ts'
import type { Position } from '../state/position.ts'

/** The rate one direction pays at an instant: positive pays, negative receives (E4, J2). */
export function fundingRateOf(parameters: MarketParameters, direction: Direction): Rate {
  if (direction === 'long') return parameters.fundingRate
  return parameters.fundingRateShort ?? -parameters.fundingRate
}

/** The first funding instant after `now`, epoch ms: instants are the multiples of the interval since the epoch. */
export function nextFundingAt(fundingIntervalMs: number, now: number): number {
  return (Math.floor(now / fundingIntervalMs) + 1) * fundingIntervalMs
}

/**
 * What a position settles at an instant, signed as it reaches its margin: a payer −⌈v·|ρ|/ONE⌉ with v = ⌈q·index/ONE⌉,
 * a receiver ⌊v·|ρ|/ONE⌋ with v = ⌊q·index/ONE⌋, and never more than the margin there is (E4, E5).
 */
export function fundingPayment(
  position: Pick<Position, 'size' | 'margin'>,
  indexPrice: Price,
  rate: Rate,
): Quote {
  if (rate === 0n) return 0n
  if (rate < 0n) return fractionDown(notionalDown(position.size, indexPrice), -rate)
  const due = fractionUp(notionalUp(position.size, indexPrice), rate)
  return due > position.margin ? -position.margin : -due
}
