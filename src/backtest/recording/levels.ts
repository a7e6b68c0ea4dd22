/** Where orders rested and where positions would have been liquidated, each for as long as it stood. */
import type { Event } from '../../events/event.ts'
import type { OrderPlaced } from '../../events/orderEvents.ts'
import type { PositionEvent } from '../../events/positionEvents.ts'
import type { Price } from '../../quantity/units.ts'
import type { ToldOrderEvent } from '../strategy/strategyEvent.ts'

/** `stop`: stop-loss. `take`: take-profit. `entry`: a resting order that would open or grow a position. */
export type LevelKind = 'stop' | 'take' | 'liquidation' | 'entry'

/** A price that an order or a liquidation waited at, and for how long. Epoch ms. */
export interface Level {
  readonly kind: LevelKind
  readonly marketId: string
  /** Null for entries. */
  readonly positionId: string | null
  readonly price: Price
  /** Epoch ms. */
  readonly from: number
  /** Null while it stands. */
  to: number | null
}

/** Levels follow orders and positions. A trailing stop has no level of its own: it moves with every tick. */
export class LevelRecorder {
  readonly #liquidationPrice: (positionId: string) => Price | undefined
  readonly #standing = new Map<string, Level>()
  readonly levels: Level[] = []

  constructor(liquidationPrice: (positionId: string) => Price | undefined) {
    this.#liquidationPrice = liquidationPrice
  }

  /** Call once the engine's state is that after the event's commit. */
  add(event: Event | ToldOrderEvent, at: number): void {
    switch (event.type) {
      case 'orderPlaced':
        return this.#rest(event, at)
      case 'orderExecuted':
      case 'orderCanceled':
      case 'orderFailed':
      case 'orderReplaced':
        return this.#end(event.orderId, at)
      case 'increasePosition':
      case 'closePosition':
      case 'addMargin':
      case 'removeMargin':
      case 'payFunding':
      case 'liquidate':
      case 'forceClose':
        return this.#moveLiquidation(event, at)
      default:
        return
    }
  }

  #rest(
    order: Pick<OrderPlaced, 'orderId' | 'orderType' | 'triggerPrice' | 'marketId' | 'positionId'>,
    at: number,
  ): void {
    const kind = LEVEL_OF[order.orderType]
    if (kind === undefined || order.triggerPrice === 0n) return
    const { marketId, positionId, triggerPrice: price } = order
    this.#begin(order.orderId, { kind, marketId, positionId, price, from: at, to: null })
  }

  #moveLiquidation({ positionId, marketId }: PositionEvent, at: number): void {
    const price = this.#liquidationPrice(positionId) ?? 0n
    if (this.#standing.get(positionId)?.price === price) return
    this.#end(positionId, at)
    if (price > 0n)
      this.#begin(positionId, { kind: 'liquidation', marketId, positionId, price, from: at, to: null })
  }

  #begin(id: string, level: Level): void {
    this.#standing.set(id, level)
    this.levels.push(level)
  }

  #end(id: string, at: number): void {
    const level = this.#standing.get(id)
    if (level === undefined) return
    level.to = at
    this.#standing.delete(id)
  }
}

const LEVEL_OF: Partial<Record<OrderPlaced['orderType'], LevelKind>> = {
  stop: 'stop',
  take: 'take',
  limit: 'entry',
  stop_market: 'entry',
  stop_limit: 'entry',
}
