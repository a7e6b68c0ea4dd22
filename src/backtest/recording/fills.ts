/** Every fill of a run with its price, its order and what it settled, from the events alone. */

import type { Commit } from '../../events/commit.ts'
import type { Event } from '../../events/event.ts'
import type { OrderPlaced } from '../../events/orderEvents.ts'
import type { ClosePosition, ForceClose, IncreasePosition, Liquidate } from '../../events/positionEvents.ts'
import { priceDown } from '../../quantity/products.ts'
import type { Base, Price, Quote } from '../../quantity/units.ts'
import { CLOSE_REASONS } from '../../terms/closeReason.ts'
import type { Direction } from '../../terms/direction.ts'
import type { OrderType } from '../../terms/orderTypes.ts'
import type { ToldOrderEvent } from '../strategy/strategyEvent.ts'

/** What a fill did to its position. */
export type FillAction = 'open' | 'increase' | 'reduce' | 'close' | 'liquidation' | 'force_close'

/** One fill. Quantities are fp9, `at` epoch ms. */
export interface Fill {
  /** Of its commit. */
  readonly seq: number
  /** Epoch ms. */
  readonly at: number
  readonly marketId: string
  readonly positionId: string
  /** Null where the platform closed without an order. */
  readonly orderId: string | null
  readonly action: FillAction
  /** Of the position. */
  readonly side: Direction
  readonly orderType: OrderType | null
  /** What filled it, in the words of a trader: market, limit, stop-loss, take-profit, liquidation, … */
  readonly reason: string
  /** Level that fired; 0 for orders at market. */
  readonly triggerPrice: Price
  readonly indexPrice: Price
  /** Execution price, rounded down to fp9. */
  readonly price: Price
  readonly size: Base
  /** Value exchanged. */
  readonly quote: Quote
  readonly fee: Quote
  /** Gross of the fee; null when opening. */
  readonly pnl: Quote | null
  /** The strategy of a portfolio that placed the order; none where the platform closed, and for an account of one strategy. */
  readonly part?: string
}

type PlacedOrder = Pick<OrderPlaced, 'orderType' | 'triggerPrice'>

export class FillRecorder {
  readonly #orders = new Map<string, PlacedOrder>()
  /** In the order of time. */
  readonly fills: Fill[] = []

  /** `partOf` knows whose orders are, where the account is a portfolio's. */
  add(
    event: Event | ToldOrderEvent,
    { seq, at }: Pick<Commit, 'seq' | 'at'>,
    partOf: (orderId: string) => string | undefined = () => undefined,
  ): void {
    const fill = this.#fillOf(event)
    if (fill === null) return
    const part = fill.orderId === null ? undefined : partOf(fill.orderId)
    this.fills.push({ seq, at, ...fill, ...(part === undefined ? {} : { part }) })
  }

  #fillOf(event: Event | ToldOrderEvent): Omit<Fill, 'seq' | 'at'> | null {
    switch (event.type) {
      case 'orderPlaced': {
        const { orderType, triggerPrice } = event
        this.#orders.set(event.orderId, { orderType, triggerPrice })
        return null
      }
      case 'increasePosition':
        return opening(event, this.#orders.get(event.orderId))
      case 'closePosition':
        return closing(event, event.closes ? 'close' : 'reduce', this.#order(event))
      case 'liquidate':
        return closing(event, 'liquidation', this.#order(event))
      case 'forceClose':
        return closing(event, 'force_close', undefined)
      default:
        return null
    }
  }

  #order(event: ClosePosition | Liquidate): PlacedOrder | undefined {
    return this.#orders.get(event.orderId)
  }
}

function opening(event: IncreasePosition, order: PlacedOrder | undefined): Omit<Fill, 'seq' | 'at'> {
  return {
    marketId: event.marketId,
    positionId: event.positionId,
    orderId: event.orderId,
    action: event.opens ? 'open' : 'increase',
    side: event.direction,
    orderType: order?.orderType ?? null,
    reason: ENTRY_REASONS[order?.orderType ?? 'market'] ?? 'market',
    triggerPrice: order?.triggerPrice ?? 0n,
    indexPrice: event.indexPrice,
    price: priceDown(event.notional, event.size),
    size: event.size,
    quote: event.notional,
    fee: event.fee,
    pnl: null,
  }
}

function closing(
  event: ClosePosition | Liquidate | ForceClose,
  action: FillAction,
  order: PlacedOrder | undefined,
): Omit<Fill, 'seq' | 'at'> {
  const liquidated = event.type === 'liquidate'
  return {
    marketId: event.marketId,
    positionId: event.positionId,
    orderId: event.type === 'forceClose' ? null : event.orderId,
    action,
    side: event.direction,
    orderType: liquidated ? 'liquidation' : (order?.orderType ?? null),
    reason: event.type === 'forceClose' ? CLOSE_REASONS[event.closeReason] : exitReason(liquidated, order),
    triggerPrice: liquidated ? event.liquidationPrice : (order?.triggerPrice ?? 0n),
    indexPrice: event.indexPrice,
    price: priceDown(event.exchangedQuote, event.size),
    size: event.size,
    quote: event.exchangedQuote,
    fee: event.fee,
    pnl: event.pnl,
  }
}

const ENTRY_REASONS: Partial<Record<OrderType, string>> = {
  limit: 'limit',
  stop_market: 'stop entry',
  stop_limit: 'stop-limit',
}

function exitReason(liquidated: boolean, order: PlacedOrder | undefined): string {
  if (liquidated) return 'liquidation'
  if (order?.orderType === 'stop') return 'stop-loss'
  if (order?.orderType === 'trailing_stop') return 'trailing stop'
  return order === undefined || order.triggerPrice === 0n ? 'market' : 'take-profit'
}
