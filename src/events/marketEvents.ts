/** What can happen to a market. */

import type { Price, Rate } from '../quantity/units.ts'
import type { MarketParameters, MarketStatus } from '../terms/marketParameters.ts'

interface OnMarket {
  readonly marketId: string
}

export interface MarketListed extends OnMarket {
  readonly type: 'marketListed'
  readonly parameters: MarketParameters
  readonly status: MarketStatus
  /** 0 = never priced. */
  readonly indexPrice: Price
  readonly priceAt: number | null
}

export interface MarketConfigured extends OnMarket {
  readonly type: 'marketConfigured'
  /** All parameters after the change. */
  readonly parameters: MarketParameters
}

export interface MarketStatusChanged extends OnMarket {
  readonly type: 'marketStatusChanged'
  readonly status: MarketStatus
}

export interface FundingRateChanged extends OnMarket {
  readonly type: 'fundingRateChanged'
  readonly fundingRate: Rate
  readonly fundingRateShort: Rate | null
}

export interface PriceUpdated extends OnMarket {
  readonly type: 'priceUpdated'
  readonly indexPrice: Price
}

export type MarketEvent =
  | MarketListed
  | MarketConfigured
  | MarketStatusChanged
  | FundingRateChanged
  | PriceUpdated
