/**
 * What a live fill and its backtest's differ by, in quote currency and to the last 10⁻⁹. A fill counts with the change of what its position
 * is worth at the last price that was told, which it bought or sold at another:
 *
 *   result = worth(after) − worth(before) ± quote − fee + adjustment + funding
 *
 * so that the fills of an account add up to its result, closed or open. The difference of two fills has causes that add up to it.
 */
import { ONE } from '../../quantity/fp9.ts'
import { notionalDown, notionalUp } from '../../quantity/products.ts'
import type { Base, Price, Quote } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import type { LoggedFill } from '../replay/fillLog.ts'
import type { FillPair } from './pairedFills.ts'

/** Causes of a difference, in the words of a table. */
export const CAUSES = {
  slippage: 'Slippage',
  delay: 'Delay',
  size: 'Other sizes',
  missing: 'Missing fills',
  extra: 'Extra fills',
  fees: 'Fees',
  funding: 'Funding',
  profitCap: 'The 60-second rule',
} as const

export type Cause = keyof typeof CAUSES

/** Quote, by cause: above zero the live run is better off. */
export type ByCause = Readonly<Record<Cause, Quote>>

export const NO_DIFFERENCE: ByCause = Object.freeze({
  ...{ slippage: 0n, delay: 0n, size: 0n, missing: 0n, extra: 0n, fees: 0n, funding: 0n, profitCap: 0n },
})

/** What was told of the market of a fill. */
export interface ToldMarket {
  readonly lastPrice: Price
  /** The price that was told last at a time, epoch ms. */
  priceAt(time: number): Price
}

export function differenceOf({ live, backtest }: FillPair, market: ToldMarket): ByCause {
  if (backtest === null) return { ...NO_DIFFERENCE, extra: resultOf(live, market.lastPrice) }
  if (live === null) return { ...NO_DIFFERENCE, missing: -resultOf(backtest, market.lastPrice) }
  const sign = live.isEntry === (live.side === 'long') ? -1n : 1n
  const asPriced = live.size === backtest.size ? backtest.quote : (backtest.quote * live.size) / backtest.size
  const priced = sign * (live.quote - asPriced)
  const delay = (sign * live.size * (market.priceAt(live.at) - market.priceAt(backtest.at))) / ONE
  const worth = worthChange(live, market.lastPrice) - worthChange(backtest, market.lastPrice)
  return {
    ...NO_DIFFERENCE,
    slippage: priced - delay,
    delay,
    size: worth + sign * (asPriced - backtest.quote),
    fees: backtest.fee - live.fee,
    funding: live.funding - backtest.funding,
    profitCap: live.adjusted - backtest.adjusted,
  }
}

/** What a fill adds to the result of its account, at the last price of its market. */
export function resultOf(fill: LoggedFill, lastPrice: Price): Quote {
  const sign = fill.isEntry === (fill.side === 'long') ? -1n : 1n
  return worthChange(fill, lastPrice) + sign * fill.quote - fill.fee + fill.adjusted + fill.funding
}

export function sumOf(causes: ByCause): Quote {
  return Object.values(causes).reduce((sum, amount) => sum + amount, 0n)
}

/** A short is worth what it takes to buy it back, below zero; rounded as unrealized pnl is. */
export function worthOf(side: Direction, size: Base, price: Price): Quote {
  return side === 'long' ? notionalDown(size, price) : -notionalUp(size, price)
}

function worthChange({ side, held, heldBefore }: LoggedFill, price: Price): Quote {
  return worthOf(side, held, price) - worthOf(side, heldBefore, price)
}
