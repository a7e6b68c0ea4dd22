/** A market: what can be traded, under which parameters, at which index price. */
import type { Leverage, Price, Quote, Rate } from '../../quantity/units.ts'
import type { Order } from '../order/order.ts'
import type { Position } from '../position/position.ts'
import type { Roster } from '../roster.ts'

export type Direction = 'long' | 'short'

/** Crypto markets trade around the clock; RWA (real-world asset) markets have sessions (G4). */
export type MarketCategory = 'crypto' | 'rwa'

/** Open ⇄ paused, open ⇄ close-only (G1, G2). */
export type MarketStatus = 'open' | 'paused' | 'close_only'

/** What the operator configures. All rates are per fill or per funding instant, as fp9 fractions. */
export interface MarketParameters {
  readonly id: string
  /** Base asset ticker, unique among markets and the `{asset}` of the read paths (G5). Never `portfolio` (I12). */
  readonly baseAsset: string
  readonly ticker: string
  readonly category: MarketCategory
  /** Fraction per side, inside the execution price (B1). */
  readonly spread: Rate
  /** Opening and closing fee as a fraction of exposure (C1, C8). */
  readonly feeRate: Rate
  readonly minLeverage: Leverage
  readonly maxLeverage: Leverage
  /** Maintenance margin as a fraction of the current value (E1). */
  readonly maintenanceMarginRate: Rate
  /** Smallest notional of one increase (C4). */
  readonly minNotional: Quote
  /** Largest notional one increase may fill, the market's depth (B8); null = unlimited. */
  readonly maxOrderNotional: Quote | null
  /** Open notional allowed per direction over all accounts (C5); null = unlimited. */
  readonly maxOpenNotionalLong: Quote | null
  readonly maxOpenNotionalShort: Quote | null
  /** Fraction of the index a stop keeps its distance by (F9); 0 = none. */
  readonly minStopDistance: Rate
  /** A close this soon after the last increase pays the multiplied spread (B2); 0 = never. */
  readonly scalpingWindowMs: number
  /** The multiplier of B2, at least `ONE`. */
  readonly scalpingCoefficient: Rate
  /** From this age on a price is stale (B7). */
  readonly maxPriceAgeMs: number
  /** Funding instants are the multiples of this interval since the UTC epoch (E4). */
  readonly fundingIntervalMs: number
  /** What longs pay per instant, signed (E4). */
  readonly fundingRate: Rate
  /** What shorts pay per instant, signed; null = the mirror, −fundingRate (J2). */
  readonly fundingRateShort: Rate | null
  /** A weekly session close spares positions at or below this effective leverage (G3); null = spares none. */
  readonly weekendMaxLeverage: Leverage | null
}

/** A listed market: parameters and everything the engine tracks of it. */
export interface Market {
  parameters: MarketParameters
  readonly id: string
  status: MarketStatus
  /** The last accepted index price; 0 = never priced (G5). */
  indexPrice: Price
  /** When `indexPrice` arrived, epoch ms; null = never priced. */
  priceAt: number | null
  /** The index price that triggers were last evaluated at; it stands still while the market is paused (G1). */
  evaluatedPrice: Price
  /** Σ notional of open positions per direction (C5). */
  openNotionalLong: Quote
  openNotionalShort: Quote
  /** Resting orders, oldest first. */
  readonly orders: Roster<Order>
  /** Open positions, oldest first. */
  readonly positions: Roster<Position>
}

/** Whether `notional` more fits under what the market allows open in a direction; equality fits (C5). */
export function fitsOpenNotional(market: Market, direction: Direction, notional: Quote): boolean {
  const maximum = maxOpenNotional(market, direction)
  if (maximum === null) return true
  const open = direction === 'long' ? market.openNotionalLong : market.openNotionalShort
  return open + notional <= maximum
}

/** The notional a market allows open in a direction; null = unlimited. */
export function maxOpenNotional({ parameters }: Market, direction: Direction): Quote | null {
  return direction === 'long' ? parameters.maxOpenNotionalLong : parameters.maxOpenNotionalShort
}

/** A size is bought or sold; the position's direction and whether it grows decide which (B1). */
export type BookSide = 'buy' | 'sell'

export function increaseSide(direction: Direction): BookSide {
  return direction === 'long' ? 'buy' : 'sell'
}

export function closeSide(direction: Direction): BookSide {
  return direction === 'long' ? 'sell' : 'buy'
}
