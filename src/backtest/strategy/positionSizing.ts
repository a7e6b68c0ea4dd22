/** From how much a strategy wants to open to what an order asks the engine for. */

import { executionPrice, limitLevel } from '../../domain/formulas/executionPrice.ts'
import { atMinimumDistance } from '../../domain/formulas/minimumStopDistance.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import { ONE } from '../../quantity/fp9.ts'
import {
  fractionDown,
  fractionUp,
  marginUp,
  notionalDown,
  notionalUp,
  sizeDown,
  sizeUp,
} from '../../quantity/products.ts'
import { divideDown, divideUp } from '../../quantity/rounding.ts'
import type { Base, Leverage, Price, Quote, Rate } from '../../quantity/units.ts'
import { closeSide, increaseSide } from '../../terms/direction.ts'
import type { SizeMode } from '../../terms/orderStatus.ts'
import { decimal } from '../numbers/decimals.ts'
import type { EntryOrder } from './strategy.ts'
import { firstTrailingLevel } from './trailingEntries.ts'

/** The size fields of a `placeOrder`. */
export interface EntrySize {
  readonly amount: Quote
  readonly sizeMode: SizeMode
  readonly baseSize: Base | null
  /** Smallest size accepted of a long, largest of a short; 0 = any (C3). */
  readonly expectedAmount: Base
}

/** Reserved above the expected cost of a base-sized order that waits: what is not spent returns (C2). */
const RESERVE_BUFFER = 20_000_000n

/**
 * The size of an entry order.
 *
 * @param equity what percentages are taken of.
 * @throws RangeError for an order that says no leverage or size, for a size by risk
 *   without a stop, and for text that is no decimal.
 */
export function entrySize(order: EntryOrder, market: MarketRecord, equity: Quote): EntrySize {
  mustSayWhat(order)
  const leverage = decimal(order.leverage)
  const { sizeBy } = order
  const entry = entryPrices(order, market)
  if ('base' in sizeBy) return baseSize(order, decimal(sizeBy.base), leverage, market, entry)
  const amount =
    'margin' in sizeBy
      ? quoteOf(sizeBy.margin, equity)
      : 'notional' in sizeBy
        ? amountFor(quoteOf(sizeBy.notional, equity), leverage, market)
        : amountAtRisk(order, quoteOf(sizeBy.risk, equity), leverage, market, entry)
  return {
    amount,
    sizeMode: 'quote',
    baseSize: null,
    expectedAmount: expectedAmount(order, amount, leverage, market, entry.execution),
  }
}

/** A strategy in plain JavaScript may have left something out. */
function mustSayWhat({ leverage, sizeBy }: Partial<EntryOrder>): void {
  if (leverage === undefined) throw new RangeError("an entry needs leverage, such as '5'")
  const ways = ['base', 'margin', 'notional', 'risk']
  if (typeof sizeBy !== 'object' || sizeBy === null || !ways.some((way) => way in sizeBy))
    throw new RangeError(
      "an entry needs sizeBy, such as { margin: '10%' }, { notional: '5000' }, { base: '0.1' } or { risk: '1%' }",
    )
}

/** Where an order is expected to fill: the index price, and the price it then executes at (B1, F1, F3). */
interface EntryPrices {
  readonly index: Price
  readonly execution: Price
}

function entryPrices(order: EntryOrder, market: MarketRecord): EntryPrices {
  const { direction } = order
  const limit = order.type === 'limit' ? order.triggerPrice : order.stopLimitPrice
  const parameters = market.config
  if (limit !== undefined) return { index: limitLevel({ parameters }, direction, limit), execution: limit }
  const index = order.triggerPrice ?? market.state.indexPrice
  return { index, execution: executionPrice({ indexPrice: index, parameters }, increaseSide(direction)) }
}

function quoteOf(text: string, equity: Quote): Quote {
  return text.trim().endsWith('%') ? fractionDown(equity, decimal(text)) : decimal(text)
}

/** The amount whose notional is `notional`: margin/(1 − leverage·feeRate), the fee being on the gross exposure (C1). */
function amountFor(notional: Quote, leverage: Leverage, market: MarketRecord): Quote {
  return divideUp(marginUp(notional, leverage) * ONE * ONE, shareLeftAfterFee(leverage, market))
}

/** ONE² − leverage·feeRate: what is left of an amount after the opening fee, scaled by ONE². */
function shareLeftAfterFee(leverage: Leverage, market: MarketRecord): bigint {
  const share = ONE * ONE - leverage * market.config.feeRate
  if (share <= 0n) throw new RangeError('at this leverage the fee takes the whole amount')
  return share
}

/**
 * The amount that loses `risk` from opening to stop-loss, spreads and both fees included, when the stop fills at its
 * price outside the scalping window. Per unit of notional that is r/(1 − L·r) for opening, and 1 − x·(1 − r) between
 * entry and exit, x = exit/entry execution price (short: x·(1 + r) − 1). Rounded so that the loss
 * is not more, the roundings of the fills themselves aside: 10⁻⁹ of the base at its price, and some 10⁻⁹.
 */
function amountAtRisk(
  order: EntryOrder,
  risk: Quote,
  leverage: Leverage,
  market: MarketRecord,
  entry: EntryPrices,
): Quote {
  const { feeRate } = market.config
  const long = order.direction === 'long'
  const stop = stopPrice(order, market, entry.index)
  if (stop === null)
    throw new RangeError('sizing by risk needs a stop-loss, or a trailing stop from the start')
  const exit = executionPrice({ indexPrice: stop, parameters: market.config }, closeSide(order.direction))
  const squared = ONE * ONE
  const opening = divideUp(feeRate * ONE * squared, shareLeftAfterFee(leverage, market))
  const between = long
    ? squared - divideDown(exit * (ONE - feeRate) * ONE, entry.execution)
    : divideUp(exit * (ONE + feeRate) * ONE, entry.execution) - squared
  const loss = opening + between
  // A stop-loss on the winning side: the engine refuses the order for it, whatever its amount.
  if (loss <= 0n) return risk
  const notional = divideDown(risk * squared, loss)
  // Down, where amountFor rounds up: the notional reached is the one wanted or a little less.
  return divideDown(divideDown(notional * ONE, leverage) * squared, shareLeftAfterFee(leverage, market))
}

/** The nearer of the stop-loss as it will rest, pushed out to the minimum distance from the entry (F9), and the trailing stop. */
function stopPrice(order: EntryOrder, market: MarketRecord, index: Price): Price | null {
  const { stopLoss, direction } = order
  const trailing = firstTrailingLevel(order, index)
  if (stopLoss === undefined || !isLosing(order, stopLoss, index)) return stopLoss ?? trailing
  const parameters = market.config
  const { triggerPrice } = atMinimumDistance({ indexPrice: index, parameters }, direction, stopLoss)
  if (trailing === null) return triggerPrice
  const isNearer = direction === 'long' ? trailing > triggerPrice : trailing < triggerPrice
  return isNearer ? trailing : triggerPrice
}

function isLosing(order: EntryOrder, stop: Price, index: Price): boolean {
  return order.direction === 'long' ? stop < index : stop > index
}

/** Margin and fee of a base size at the price expected (C2), with a buffer where the order waits for its price. */
function baseSize(
  order: EntryOrder,
  size: Base,
  leverage: Leverage,
  market: MarketRecord,
  entry: EntryPrices,
): EntrySize {
  const notional =
    order.direction === 'long' ? notionalUp(size, entry.execution) : notionalDown(size, entry.execution)
  const cost = marginUp(notional, leverage) + fractionUp(notional, market.config.feeRate)
  const waits = order.type !== undefined && order.type !== 'market'
  return {
    amount: waits ? cost + fractionUp(cost, RESERVE_BUFFER) : cost,
    sizeMode: 'base',
    baseSize: size,
    expectedAmount: 0n,
  }
}

/** The size at the price expected, less (long) or more (short) the slippage allowed (C3). */
function expectedAmount(
  order: EntryOrder,
  amount: Quote,
  leverage: Leverage,
  market: MarketRecord,
  execution: Price,
): Base {
  if (order.maxSlippage === undefined) return 0n
  const slippage: Rate = decimal(order.maxSlippage)
  const notional = divideDown(amount * leverage * shareLeftAfterFee(leverage, market), ONE * ONE * ONE)
  return order.direction === 'long'
    ? divideDown(sizeDown(notional, execution) * (ONE - slippage), ONE)
    : divideUp(sizeUp(notional, execution) * (ONE + slippage), ONE)
}
