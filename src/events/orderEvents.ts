/** What can happen to an order. Past tense; every terminal event states the reserve it releases. */

import type { Base, Leverage, Price, Quote, Rate } from '../quantity/units.ts'
import type { Direction } from '../terms/direction.ts'
import type { ExecutionErrorCode } from '../terms/errors.ts'
import type { CancelReason, SizeMode } from '../terms/orderStatus.ts'
import type { OrderType } from '../terms/orderTypes.ts'

/** An order was accepted, spawned (`parentOrderId`), or created to replace another. */
export interface OrderPlaced {
  readonly type: 'orderPlaced'
  readonly orderId: string
  readonly accountId: string
  readonly marketId: string
  readonly orderType: OrderType
  readonly direction: Direction
  readonly triggerPrice: Price
  readonly requestedTriggerPrice: Price | null
  readonly limitPrice: Price
  readonly stopTriggerPrice: Price
  readonly takeTriggerPrice: Price
  readonly trailingStopActivationPrice: Price
  readonly trailingStopOffset: Price
  readonly trailingStopOffsetPercent: Rate
  readonly leverage: Leverage | null
  readonly positionId: string | null
  readonly parentOrderId: string | null
  /** Increase: quote reserve as asked for. Close: base size. */
  readonly amount: bigint
  readonly sizeMode: SizeMode
  readonly baseSize: Base | null
  readonly expectedAmount: Base
  /** Running best price of a trailing stop that is active from its creation; null otherwise. */
  readonly watermark: Price | null
  /** Quote held back from the free balance, or taken over from the parent (`reserveInherited`, F4). */
  readonly reserve: Quote
  readonly reserveInherited: boolean
}

interface OrderEnded {
  readonly orderId: string
  readonly accountId: string
  readonly marketId: string
  /** The level the order ended with: of a trailing stop, the last ratcheted one. */
  readonly triggerPrice: Price
  /** Reserve that returns to the free balance. */
  readonly released: Quote
}

/** An order was executed. */
export interface OrderExecuted extends OrderEnded {
  readonly type: 'orderExecuted'
  /** Index price it was executed at, before spread (B1). */
  readonly indexPrice: Price
  /** Increase: what was spent, quote. Close: the size as requested, base. */
  readonly amount: bigint
  /** Adjusted; null on increase orders. */
  readonly realizedPnl: Quote | null
  /** Before the 60-second adjustment (D1); null on increase orders. */
  readonly rawRealizedPnl: Quote | null
  readonly profitAdjustmentApplied: boolean
}

/** An order was cancelled: by its owner, with its position, or by the platform (`reason`). */
export interface OrderCanceled extends OrderEnded {
  readonly type: 'orderCanceled'
  readonly status: 'canceled' | 'canceled_by_position'
  readonly reason: CancelReason | null
}

/** An order's turn came, and it could not be executed (F12). */
export interface OrderFailed extends OrderEnded {
  readonly type: 'orderFailed'
  readonly errorCode: ExecutionErrorCode
}

/** An edited order has ended; the one that replaces it has an id of its own (I3). */
export interface OrderReplaced extends OrderEnded {
  readonly type: 'orderReplaced'
  readonly replacementId: string
}

/** How an order can end. */
export type OrderEnd = OrderExecuted | OrderCanceled | OrderFailed | OrderReplaced

/** What can happen to an order: it is placed, and it ends. */
export type OrderEvent = OrderPlaced | OrderEnd
