/** A market: what can be traded, under which parameters, at which index price. */

import type { Roster } from '../../collections/roster.ts'
import type { Price, Quote } from '../../quantity/units.ts'
import type { MarketParameters } from '../../terms/marketParameters.ts'
import type { MarketStatus } from '../../terms/marketStatus.ts'
import type { Order } from './order.ts'
import type { Position } from './position.ts'

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
