/** What an operator configures of a market. */
import type { Leverage, Quote, Rate } from '../quantity/units.ts'

/** Crypto markets trade around the clock; RWA (real-world asset) markets have sessions (G4). */
export type MarketCategory = 'crypto' | 'rwa'

/** What the operator configures. All rates are per fill or per funding instant, as fp9 fractions. */
export interface MarketParameters {
  /** Names the market for good. */
  readonly id: string
  /** Base asset ticker, unique among markets and the `{asset}` of the read paths (G5). Never `portfolio` (I12). */
  readonly baseAsset: string
  /** What the market is shown as. */
  readonly ticker: string
  /** Which accounts may trade it depends on it (G4). */
  readonly category: MarketCategory
  /** Fraction per side, inside the execution price (B1); below 1. */
  readonly spread: Rate
  /** Opening and closing fee as a fraction of exposure (C1, C8); below 1. */
  readonly feeRate: Rate
  /** Least leverage of an increase (I1). */
  readonly minLeverage: Leverage
  /** Highest leverage of an increase (I1), at least `minLeverage`; the account has a bound of its own. */
  readonly maxLeverage: Leverage
  /** Maintenance margin as a fraction of the current value (E1); below (1 − spread) / maxLeverage − spread, or a fill would be liquidated at once. */
  readonly maintenanceMarginRate: Rate
  /** Smallest notional of one increase (C4). */
  readonly minNotional: Quote
  /** Largest notional one increase may fill, the market's depth (B8); null = unlimited. */
  readonly maxOrderNotional: Quote | null
  /** Open notional of longs allowed over all accounts (C5); null = unlimited. */
  readonly maxOpenNotionalLong: Quote | null
  /** The same of shorts. */
  readonly maxOpenNotionalShort: Quote | null
  /** Fraction of the index a stop keeps its distance by (F9), below 1; 0 = none. */
  readonly minStopDistance: Rate
  /** Milliseconds: a close this soon after the last increase pays the multiplied spread (B2); 0 = never. */
  readonly scalpingWindowMs: number
  /** What the spread is multiplied by then (B2): at least 1, and the product below 1. */
  readonly scalpingCoefficient: Leverage
  /** Milliseconds: from this age on a price is stale (B7). */
  readonly maxPriceAgeMs: number
  /** Milliseconds, at least 1000: funding instants are the multiples of this interval since the UTC epoch (E4). */
  readonly fundingIntervalMs: number
  /** What longs pay per instant, signed (E4). */
  readonly fundingRate: Rate
  /** What shorts pay per instant, signed; null = the mirror, −fundingRate (J2). */
  readonly fundingRateShort: Rate | null
  /** A weekly session close spares positions at or below this effective leverage (G3); null = spares none. */
  readonly weekendMaxLeverage: Leverage | null
}
