/** An order: the documented 29 fields, and what the engine tracks beside them. */

import type { Base, Leverage, Price, Quote, Rate } from '../../quantity/units.ts'
import type { CancelReason } from '../../terms/closeReason.ts'
import type { Direction } from '../../terms/direction.ts'
import type { ExecutionErrorCode } from '../../terms/errors.ts'
import type { OrderStatus, SizeMode } from '../../terms/orderStatus.ts'
import type { OrderType } from '../../terms/orderTypes.ts'
import type { RunningPeak } from './runningPeak.ts'

/** The Order resource of the Margin Trading API: exactly 29 fields. Times are epoch milliseconds. */
export interface OrderRecord {
  readonly id: string
  /** The account the order belongs to. */
  readonly accountId: string
  readonly marketId: string
  readonly status: OrderStatus
  readonly orderType: OrderType
  readonly direction: Direction
  /** The level that fires the order now (F5); 0 = no trigger, or a trailing stop that waits (F8). */
  readonly triggerPrice: Price
  /** As requested, where the engine pushed it out to the minimum stop distance (F9); else null. */
  readonly requestedTriggerPrice: Price | null
  /** Trigger price of `stop_market` and `stop_limit`; 0 for other types (F5). */
  readonly stopPrice: Price
  /** The stop-limit price of a `stop_limit`, else the trigger price (F5). */
  readonly limitPrice: Price
  /** Attached stop-loss; 0 = none. */
  readonly stopTriggerPrice: Price
  /** Attached take-profit; 0 = none. */
  readonly takeTriggerPrice: Price
  /** Where a trailing stop starts trailing; 0 = from creation. */
  readonly trailingStopActivationPrice: Price
  /** Absolute trailing distance; 0 when in percent. */
  readonly trailingStopOffset: Price
  /** Trailing distance as a fraction of the peak; 0 when absolute. */
  readonly trailingStopOffsetPercent: Rate
  /** Null on close orders, which inherit the position's. */
  readonly leverage: Leverage | null
  /** The position a close order closes; null on increase orders. */
  readonly positionId: string | null
  /** The order this one was spawned from; null when placed directly. */
  readonly parentOrderId: string | null
  /** Increase: quote reserve while waiting, then what was spent, quote. Close: base size it closes, as requested. */
  readonly amount: bigint
  /** Index price at execution; null until executed. */
  readonly indexPrice: Price | null
  /** Epoch ms. */
  readonly createdAt: number
  /** Set on an executed close order only. */
  readonly realizedPnl: Quote | null
  /** Realized pnl before the 60-second adjustment. */
  readonly rawRealizedPnl: Quote | null
  readonly profitAdjustmentApplied: boolean
  readonly sizeMode: SizeMode
  /** Null on quote-sized orders. */
  readonly baseSize: Base | null
  /** The original reserve of a base-sized order, kept after execution; null on quote-sized orders. */
  readonly reservedAmount: Quote | null
  readonly errorCode: ExecutionErrorCode | null
  readonly reason: CancelReason | null
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] }

/** The record, to be assigned to. */
export type EditableOrderRecord = Mutable<OrderRecord>

/** The aggregate the engine keeps: the record and its bookkeeping. Mutable; never handed to readers. */
export interface Order extends EditableOrderRecord {
  /** Creation sequence over the whole engine: breaks ties on the path (B5) and orders lists (I10). */
  readonly sequence: number
  /** Ordinal of the account's phase the order belongs to (H3). */
  readonly phaseOrdinal: number
  /** Quote held back from the free balance now. */
  reserve: Quote
  /** The trader's size limit (C3); 0 = none. Not readable back. */
  readonly expectedAmount: Base
  /** Of a resting trailing stop that trails: the best index price since activation (F8). Null while it waits, and on others. */
  peak: RunningPeak | null
  /** The row that it has while it rests (`restingOrders`); else {@link NO_ROW}. */
  row: number
}

/** Of an order that rests nowhere. */
export const NO_ROW = -1

/**
 * The leverage of what an increase order opens.
 *
 * @throws TypeError for an order that closes.
 */
export function leverageOf({ id, leverage }: Order): Leverage {
  if (leverage === null) throw new TypeError(`order ${id} opens nothing`)
  return leverage
}

/** An order as a plain value, which nothing moves. */
export interface OrderState extends Omit<Order, 'peak' | 'row'> {
  /** The running peak, as it was; null on other types and while waiting for activation. */
  peak: Price | null
}

/** An order as it stands. Fields are named, because a copy of a copy is made more slowly. */
export function orderState(order: Order): OrderState {
  return {
    id: order.id,
    accountId: order.accountId,
    marketId: order.marketId,
    status: order.status,
    orderType: order.orderType,
    direction: order.direction,
    triggerPrice: order.triggerPrice,
    requestedTriggerPrice: order.requestedTriggerPrice,
    stopPrice: order.stopPrice,
    limitPrice: order.limitPrice,
    stopTriggerPrice: order.stopTriggerPrice,
    takeTriggerPrice: order.takeTriggerPrice,
    trailingStopActivationPrice: order.trailingStopActivationPrice,
    trailingStopOffset: order.trailingStopOffset,
    trailingStopOffsetPercent: order.trailingStopOffsetPercent,
    leverage: order.leverage,
    positionId: order.positionId,
    parentOrderId: order.parentOrderId,
    amount: order.amount,
    indexPrice: order.indexPrice,
    createdAt: order.createdAt,
    realizedPnl: order.realizedPnl,
    rawRealizedPnl: order.rawRealizedPnl,
    profitAdjustmentApplied: order.profitAdjustmentApplied,
    sizeMode: order.sizeMode,
    baseSize: order.baseSize,
    reservedAmount: order.reservedAmount,
    errorCode: order.errorCode,
    reason: order.reason,
    sequence: order.sequence,
    phaseOrdinal: order.phaseOrdinal,
    reserve: order.reserve,
    expectedAmount: order.expectedAmount,
    peak: order.peak?.price ?? null,
  }
}
