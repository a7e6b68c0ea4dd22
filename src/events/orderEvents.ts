/** What can happen to an order. Past tense; every terminal event states the reserve it releases. */

import type { Base, Leverage, Price, Quote, Rate } from '../quantity/units.ts'
import type { CancelReason } from '../terms/closeReason.ts'
import type { Direction } from '../terms/direction.ts'
import type { ExecutionErrorCode } from '../terms/errors.ts'
import type { SizeMode } from '../terms/orderStatus.ts'
import type { OrderType } from '../terms/orderTypes.ts'

/** An order was accepted, spawned (`parentOrderId`), or created to replace another. It never expires (F17). */
export interface OrderPlaced {
  readonly type: 'orderPlaced'
  /** The order. */
  readonly orderId: string
  /** Whose it is. */
  readonly accountId: string
  /** Where it trades. */
  readonly marketId: string
  /** What it does and what it waits for. */
  readonly orderType: OrderType
  /** Of the position it opens or closes. */
  readonly direction: Direction
  /** The index price that makes it act, after {@link requestedTriggerPrice} was pushed; 0 = none. */
  readonly triggerPrice: Price
  /** What was asked for, where a stop was too close and was pushed away (F9); else null. */
  readonly requestedTriggerPrice: Price | null
  /** The worst execution price of an order that has one; 0 = none. */
  readonly limitPrice: Price
  /** Stop-loss of what it opens; 0 = none (F11). */
  readonly stopTriggerPrice: Price
  /** Take-profit of what it opens; 0 = none (F11). */
  readonly takeTriggerPrice: Price
  /** The index price from which on it trails; 0 = from its creation (F8). */
  readonly trailingStopActivationPrice: Price
  /** How far it stays behind the best price; 0 = by {@link trailingStopOffsetPercent} (F8). */
  readonly trailingStopOffset: Price
  /** The same as a fraction of the best price; 0 = by {@link trailingStopOffset} (F8). */
  readonly trailingStopOffsetPercent: Rate
  /** Of what it opens; null of an order that closes. */
  readonly leverage: Leverage | null
  /** The position it closes some of; null of an increase order. */
  readonly positionId: string | null
  /** The order that it was spawned or edited from; else null (F4, I3). */
  readonly parentOrderId: string | null
  /** Increase: quote reserve as asked for; close: base size; fp9. */
  readonly amount: bigint
  /** Whether `amount` or `baseSize` sizes it (C1, C2). */
  readonly sizeMode: SizeMode
  /** What is opened with `sizeMode` `base`; else null. */
  readonly baseSize: Base | null
  /** The size wanted: a long fails with less, a short with more (C3); 0 = no limit. */
  readonly expectedAmount: Base
  /** Running best price of a trailing stop that is active from its creation; null otherwise. */
  readonly watermark: Price | null
  /** Quote held back from the free balance, or taken over from the parent (`reserveInherited`, F4). */
  readonly reserve: Quote
  /** Whether the reserve was the parent's and nothing moved (F4). */
  readonly reserveInherited: boolean
}

/** What every end of an order says. */
export interface OrderEnded {
  /** The order. */
  readonly orderId: string
  /** Whose it was. */
  readonly accountId: string
  /** Where it traded. */
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
  /** Increase: what was spent, quote; close: the size as requested, base; fp9. */
  readonly amount: bigint
  /** Adjusted; null on increase orders. */
  readonly realizedPnl: Quote | null
  /** Before the 60-second adjustment (D1); null on increase orders. */
  readonly rawRealizedPnl: Quote | null
  /** Whether the 60-second rule took some of the profit (D1). */
  readonly profitAdjustmentApplied: boolean
}

/** An order was cancelled: by its owner, with its position, or by the platform (F16, `reason`); none takes another along (F15). */
export interface OrderCanceled extends OrderEnded {
  readonly type: 'orderCanceled'
  /** By itself, or with its position. */
  readonly status: 'canceled' | 'canceled_by_position'
  /** Why the platform did; null of its owner and of its position. */
  readonly reason: CancelReason | null
}

/** An order's turn came, and it could not be executed (F12). */
export interface OrderFailed extends OrderEnded {
  readonly type: 'orderFailed'
  /** What stood in its way. */
  readonly errorCode: ExecutionErrorCode
}

/** An edited order has ended; the one that replaces it has an id of its own (I3). */
export interface OrderReplaced extends OrderEnded {
  readonly type: 'orderReplaced'
  /** The order in its place. */
  readonly replacementId: string
}

/** How an order can end. */
export type OrderEnd = OrderExecuted | OrderCanceled | OrderFailed | OrderReplaced

/** What can happen to an order: it is placed, and it ends. */
export type OrderEvent = OrderPlaced | OrderEnd
