/** From how much a strategy wants to open to the quote amount an order reserves. */
import type { MarketRecord } from '../projections/marketRecord.ts'
import { fp9 } from '../quantity/decimal.ts'
import { ONE } from '../quantity/fp9.ts'
import { fractionDown, marginUp, notionalDown, sizeDown } from '../quantity/products.ts'
import { divideUp } from '../quantity/rounding.ts'
import type { Leverage, Price, Quote } from '../quantity/units.ts'
import type { EntryOrder } from './strategy.ts'

/**
 * The `amount` of an entry order: margin and opening fee together.
 *
 * @param equity what percentages are taken of.
 * @param entryPrice where the order is expected to fill.
 * @throws RangeError for a size by risk without a stop-loss on the losing side, and for text that is no decimal.
 */
export function entryAmount(
  order: EntryOrder,
  market: MarketRecord,
  equity: Quote,
  entryPrice: Price,
): Quote {
  const leverage = fp9(order.leverage)
  const { sizeBy } = order
  if ('margin' in sizeBy) return quoteOf(sizeBy.margin, equity)
  if ('notional' in sizeBy) return amountFor(quoteOf(sizeBy.notional, equity), leverage, market)
  const notional = notionalAtRisk(order, quoteOf(sizeBy.risk, equity), entryPrice)
  return amountFor(notional, leverage, market)
}

function quoteOf(text: string, equity: Quote): Quote {
  return text.trim().endsWith('%') ? fractionDown(equity, fp9(text)) : fp9(text)
}

/** The amount whose notional is `notional`: margin/(1 − leverage·feeRate), the fee being on the gross exposure (C1). */
function amountFor(notional: Quote, leverage: Leverage, market: MarketRecord): Quote {
  const afterFee = ONE * ONE - leverage * market.config.feeRate
  if (afterFee <= 0n) throw new RangeError('at this leverage the fee takes the whole amount')
  return divideUp(marginUp(notional, leverage) * ONE * ONE, afterFee)
}

/** The notional that loses `risk` between entry and stop-loss. */
function notionalAtRisk(order: EntryOrder, risk: Quote, entryPrice: Price): Quote {
  const stop = order.stopLoss
  const distance =
    stop === undefined ? 0n : order.direction === 'long' ? entryPrice - stop : stop - entryPrice
  if (distance <= 0n) throw new RangeError('sizing by risk needs a stop-loss on the losing side of the entry')
  return notionalDown(sizeDown(risk, distance), entryPrice)
}
