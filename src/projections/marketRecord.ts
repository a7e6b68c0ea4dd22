/** The Market resource as the market list serves it (G5). Quantities are fp9 integers, times epoch milliseconds. */

import { nextFundingAt } from '../domain/formulas/funding.ts'
import { maximumLeverage } from '../domain/formulas/maximumLeverage.ts'
import type { Account } from '../domain/state/account.ts'
import type { Market } from '../domain/state/market.ts'
import type { Leverage, Price, Quote, Rate } from '../quantity/units.ts'
import type { MarketCategory } from '../terms/marketParameters.ts'

/** The Market resource of the Margin Trading API: a market as an account sees it. */
export interface MarketRecord {
  readonly id: string
  /** What the market is set to. */
  readonly config: {
    readonly baseAsset: string
    readonly ticker: string
    readonly category: MarketCategory
    readonly minLeverage: Leverage
    /** The bound that applies to the account the list was asked for (I1). */
    readonly maxLeverage: Leverage
    readonly feeRate: Rate
    readonly spread: Rate
    readonly minNotional: Quote
    readonly maxOpenNotionalLong: Quote | null
    readonly maxOpenNotionalShort: Quote | null
    readonly minStopDistance: Rate
    /** Milliseconds (B2). */
    readonly scalpingWindowMs: number
    readonly scalpingCoefficient: Leverage
    readonly maintenanceMarginRate: Rate
  }
  readonly settings: { readonly isPaused: boolean; readonly isCloseOnly: boolean }
  /** How it stands. */
  readonly state: {
    /** 0 = never priced. */
    readonly indexPrice: Price
    /** When the price was current, epoch ms; null = never priced. */
    readonly updatedAt: number | null
    readonly fundingRate: Rate
    /** Next funding instant, epoch ms (E4). */
    readonly nextFundingAt: number
  }
}

/** A market as an account sees it; without an account, with the market's own bounds. */
export function marketRecord(market: Market, account: Account | null, now: number): MarketRecord {
  const { parameters } = market
  return Object.freeze({
    id: market.id,
    config: Object.freeze({
      baseAsset: parameters.baseAsset,
      ticker: parameters.ticker,
      category: parameters.category,
      minLeverage: parameters.minLeverage,
      maxLeverage: account === null ? parameters.maxLeverage : maximumLeverage(account, market),
      feeRate: parameters.feeRate,
      spread: parameters.spread,
      minNotional: parameters.minNotional,
      maxOpenNotionalLong: parameters.maxOpenNotionalLong,
      maxOpenNotionalShort: parameters.maxOpenNotionalShort,
      minStopDistance: parameters.minStopDistance,
      scalpingWindowMs: parameters.scalpingWindowMs,
      scalpingCoefficient: parameters.scalpingCoefficient,
      maintenanceMarginRate: parameters.maintenanceMarginRate,
    }),
    settings: Object.freeze({
      isPaused: market.status === 'paused',
      isCloseOnly: market.status === 'close_only',
    }),
    state: Object.freeze({
      indexPrice: market.indexPrice,
      updatedAt: market.priceAt,
      fundingRate: parameters.fundingRate,
      nextFundingAt: nextFundingAt(parameters.fundingIntervalMs, now),
    }),
  })
}
