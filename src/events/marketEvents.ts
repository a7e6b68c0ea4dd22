/** What can happen to a market. */

import type { Price, Quote, Rate } from '../quantity/units.ts'
import type { MarketParameters } from '../terms/marketParameters.ts'
import type { MarketStatus } from '../terms/marketStatus.ts'

/** What every event of a market says. */
export interface MarketEventFields {
  /** The market. */
  readonly marketId: string
}

/** A market can be traded from here on (I12). */
export interface MarketListed extends MarketEventFields {
  readonly type: 'marketListed'
  /** All its parameters. */
  readonly parameters: MarketParameters
  /** Whether it takes orders. */
  readonly status: MarketStatus
  /** 0 = never priced. */
  readonly indexPrice: Price
  /** When `indexPrice` was current, epoch ms; null = never priced. */
  readonly priceAt: number | null
}

/** The parameters of a market have changed; its base asset is one of its own as before (I12). */
export interface MarketConfigured extends MarketEventFields {
  readonly type: 'marketConfigured'
  /** All parameters after the change. */
  readonly parameters: MarketParameters
}

/** A market was opened, paused or set to close-only (G1, G2). */
export interface MarketStatusChanged extends MarketEventFields {
  readonly type: 'marketStatusChanged'
  /** What it is from here on. */
  readonly status: MarketStatus
}

/** What longs and shorts pay at the next funding instants (E4, J2). */
export interface FundingRateChanged extends MarketEventFields {
  readonly type: 'fundingRateChanged'
  /** What longs pay, signed. */
  readonly fundingRate: Rate
  /** What shorts pay, signed; null = −fundingRate. */
  readonly fundingRateShort: Rate | null
}

/** The index price of a market moved (B3–B6). */
export interface PriceUpdated extends MarketEventFields {
  readonly type: 'priceUpdated'
  /** What it is from here on. */
  readonly indexPrice: Price
}

/** What of the market's open notional this shard of a cluster may hold (C5). */
export interface NotionalQuotaSet extends MarketEventFields {
  readonly type: 'notionalQuotaSet'
  /** Of longs, from here on. */
  readonly quotaLong: Quote
  /** Of shorts, from here on. */
  readonly quotaShort: Quote
}

/** What can happen to a market. */
export type MarketEvent =
  | MarketListed
  | MarketConfigured
  | MarketStatusChanged
  | FundingRateChanged
  | PriceUpdated
  | NotionalQuotaSet
