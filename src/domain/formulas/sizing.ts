/** How an increase order turns its amount into a position: quote-sized (C1) and base-sized (C2). */
import {
  exposureDown,
  fractionUp,
  marginUp,
  notionalDown,
  notionalUp,
  rateOnExposureUp,
  sizeDown,
  sizeUp,
} from '../../quantity/products.ts'
import type { Base, Leverage, Price, Quote, Rate } from '../../quantity/units.ts'
import { type Direction, increaseSide } from '../../terms/direction.ts'
import type { MarketParameters } from '../../terms/marketParameters.ts'
import type { SizeMode } from '../../terms/orderStatus.ts'
import { executionPrice, type SpreadMarket } from './executionPrice.ts'

/** What an increase would trade, before it is checked. */
export interface Fill {
  readonly size: Base
  readonly notional: Quote
  readonly margin: Quote
  readonly fee: Quote
  /** margin + fee. */
  readonly spent: Quote
}

export interface SizingTerms {
  readonly direction: Direction
  readonly sizeMode: SizeMode
  /** Quote reserve. */
  readonly amount: Quote
  readonly baseSize: Base | null
  readonly leverage: Leverage
}

/** What of a market the fill of an increase depends on. */
export interface SizingMarket extends SpreadMarket {
  readonly parameters: Pick<MarketParameters, 'spread' | 'feeRate'>
}

/** The fill of an increase at the market's index price; null when nothing would be left to trade (C1). */
export function sizeIncrease(market: SizingMarket, terms: SizingTerms): Fill | null {
  const price = executionPrice(market, increaseSide(terms.direction))
  if (price <= 0n) return null
  const fill =
    terms.sizeMode === 'quote' ? sizeByQuote(market, terms, price) : sizeByBase(market, terms, price)
  return fill.margin <= 0n || fill.size <= 0n ? null : fill
}

/** fee = ⌈amount·L·r⌉, margin = amount − fee, N = ⌊margin·L⌋, q = ⌊N/price⌋ long, ⌈N/price⌉ short (C1). */
function sizeByQuote(market: SizingMarket, { direction, amount, leverage }: SizingTerms, price: Price): Fill {
  const fee = openingFee(amount, leverage, market.parameters.feeRate)
  const margin = amount - fee
  const notional = exposureDown(margin, leverage)
  const size = direction === 'long' ? sizeDown(notional, price) : sizeUp(notional, price)
  return { size, notional, margin, fee, spent: amount }
}

/** N = ⌈q·price⌉ long, ⌊q·price⌋ short; margin = ⌈N/L⌉, fee = ⌈N·r⌉ (C2). */
function sizeByBase(
  market: SizingMarket,
  { direction, baseSize, leverage }: SizingTerms,
  price: Price,
): Fill {
  const size = baseSize ?? 0n
  const notional = direction === 'long' ? notionalUp(size, price) : notionalDown(size, price)
  const margin = marginUp(notional, leverage)
  const fee = fractionUp(notional, market.parameters.feeRate)
  return { size, notional, margin, fee, spent: margin + fee }
}

/** The fee on the gross exposure of an amount: ⌈amount·L·r / ONE²⌉ (C1). */
function openingFee(amount: Quote, leverage: Leverage, feeRate: Rate): Quote {
  return rateOnExposureUp(amount, leverage, feeRate)
}

/** Notional an amount may reach, (amount − fee)·leverage: what POST 7 checks at placement. */
export function placementNotional(amount: Quote, leverage: Leverage, feeRate: Rate): Quote {
  return exposureDown(amount - openingFee(amount, leverage, feeRate), leverage)
}
