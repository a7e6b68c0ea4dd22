/** A market: what can be traded, under which parameters, at which index price. */

import type { Price, Quote } from '../../quantity/units.ts'
import type { MarketParameters } from '../../terms/marketParameters.ts'
import type { MarketStatus } from '../../terms/marketStatus.ts'
import { PositionList } from './openPositions/positionList.ts'
import { OrderList } from './restingOrders/orderList.ts'
import { TrailingPeaks } from './trailingPeaks.ts'

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
  /** What of the open notional the market allows this shard of a cluster may hold (C5); null = all of it. */
  quota: { readonly long: Quote; readonly short: Quote } | null
  /** Resting orders, oldest first. */
  readonly orders: OrderList
  /** Open positions, oldest first. */
  readonly positions: PositionList
  /** Of the resting trailing stops. */
  readonly trailing: { readonly long: TrailingPeaks; readonly short: TrailingPeaks }
}

/** A market as a plain value, without what follows from the orders and positions. */
export type MarketState = Omit<Market, 'orders' | 'positions' | 'trailing'>

/** A market on which nothing rests yet. */
export function emptyMarket(state: MarketState): Market {
  const trailing = { long: new TrailingPeaks('long'), short: new TrailingPeaks('short') }
  return {
    ...state,
    orders: OrderList.ofMarket(state.id),
    positions: PositionList.ofMarket(),
    trailing,
  }
}

/** A market as it stands. */
export function marketState({ orders, positions, trailing, ...state }: Market): MarketState {
  return state
}
