/** Trades of a run: one per position, from opening to closing, from the events alone. */
import type { Event } from '../../events/event.ts'
import type { ClosePosition, ForceClose, IncreasePosition, Liquidate } from '../../events/positionEvents.ts'
import { priceDown } from '../../quantity/products.ts'
import type { Base, Price, Quote } from '../../quantity/units.ts'
import type { ClosedTrade } from '../statistics/tradeStatistics.ts'

export type TradeEnd = 'closed' | 'liquidated' | 'force_closed'

/** A closed position. Prices are averages over its fills, rounded down; amounts are fp9. */
export interface Trade extends ClosedTrade {
  readonly positionId: string
  readonly marketId: string
  readonly end: TradeEnd
  /** Base size opened over the life. */
  readonly size: Base
  readonly entryPrice: Price
  readonly exitPrice: Price
  /** Gross of fees and funding, after the 60-second rule. */
  readonly realizedPnl: Quote
  readonly rawPnl: Quote
  readonly fees: Quote
  readonly funding: Quote
}

interface OpenTrade {
  readonly openedAt: number
  readonly first: IncreasePosition
  size: Base
  bought: Quote
  closed: Base
  sold: Quote
  realizedPnl: Quote
  rawPnl: Quote
  fees: Quote
  funding: Quote
}

export class TradeLog {
  readonly #open = new Map<string, OpenTrade>()
  readonly trades: Trade[] = []
  liquidations = 0
  /** Fills, opening and closing. */
  fills = 0

  /** Takes any event; `at` is the time of its commit. */
  add(event: Event, at: number): void {
    switch (event.type) {
      case 'increasePosition':
        return this.#increase(event, at)
      case 'closePosition':
        return this.#close(event, at, event.closes ? 'closed' : null)
      case 'liquidate':
        this.liquidations += 1
        return this.#close(event, at, 'liquidated')
      case 'forceClose':
        return this.#close(event, at, 'force_closed')
      case 'payFunding':
        this.#trade(event.positionId).funding += event.amount
        return
      default:
        return
    }
  }

  #increase(event: IncreasePosition, at: number): void {
    this.fills += 1
    if (event.opens) this.#open.set(event.positionId, opened(event, at))
    const trade = this.#trade(event.positionId)
    trade.size += event.size
    trade.bought += event.notional
    trade.fees += event.fee
  }

  #close(event: ClosePosition | Liquidate | ForceClose, at: number, end: TradeEnd | null): void {
    this.fills += 1
    const trade = this.#trade(event.positionId)
    trade.closed += event.size
    trade.sold += event.exchangedQuote
    trade.realizedPnl += event.pnl
    trade.rawPnl += event.rawPnl
    trade.fees += event.fee
    if (end === null) return
    this.#open.delete(event.positionId)
    this.trades.push(closed(trade, at, end))
  }

  #trade(positionId: string): OpenTrade {
    const trade = this.#open.get(positionId)
    if (trade === undefined) throw new ReferenceError(`no open trade of position ${positionId}`)
    return trade
  }
}

function opened(first: IncreasePosition, openedAt: number): OpenTrade {
  const nothing = {
    size: 0n,
    bought: 0n,
    closed: 0n,
    sold: 0n,
    realizedPnl: 0n,
    rawPnl: 0n,
    fees: 0n,
    funding: 0n,
  }
  return { openedAt, first, ...nothing }
}

function closed(trade: OpenTrade, closedAt: number, end: TradeEnd): Trade {
  const { first, size, bought, sold, realizedPnl, rawPnl, fees, funding, openedAt } = trade
  return {
    positionId: first.positionId,
    marketId: first.marketId,
    side: first.direction,
    openedAt,
    closedAt,
    end,
    size,
    entryPrice: priceDown(bought, size),
    exitPrice: priceDown(sold, trade.closed),
    realizedPnl,
    rawPnl,
    fees,
    funding,
    pnl: realizedPnl - fees + funding,
    traded: bought + sold,
  }
}
