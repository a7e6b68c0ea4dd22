/**
 * The seven position events, under the names of the Margin Trading API. Each carries the amounts its
 * decision computed, so that applying one is assignment and addition, never a decision.
 */

import type { Base, Leverage, Price, Quote, Rate } from '../quantity/units.ts'
import type { CloseReason } from '../terms/closeReason.ts'
import type { Direction } from '../terms/direction.ts'

/** What every event of a position says. */
export interface PositionEventFields {
  /** The position. */
  readonly positionId: string
  /** Whose it is. */
  readonly accountId: string
  /** Where it is open. */
  readonly marketId: string
  /** Whether it gains as the price rises, or as it falls. */
  readonly direction: Direction
}

/** An increase order filled: the position opens (`opens`) or grows. */
export interface IncreasePosition extends PositionEventFields {
  readonly type: 'increasePosition'
  /** Whether this is its first event. */
  readonly opens: boolean
  /** The order that filled. */
  readonly orderId: string
  /** Before spread (B1). */
  readonly indexPrice: Price
  /** Base bought or sold. */
  readonly size: Base
  /** Entry value of the size. */
  readonly notional: Quote
  /** What reaches the margin of the position. */
  readonly margin: Quote
  /** Of the position after this increase. */
  readonly leverage: Leverage
  /** Opening fee (C1). */
  readonly fee: Quote
  /** What the opening fee was reckoned with. */
  readonly feeRate: Rate
  /** Reference of the 60-second profit cap after this increase (D2, D3). */
  readonly profitReference: Quote
}

/** What closing a size settles, in whatever way it is closed (C7–C9, D5, D6, D8). It may leave a position no margin at all (J4). */
export interface Settlement {
  /** Base size closed. */
  readonly size: Base
  /** What the size was worth at the execution price (C7). */
  readonly exchangedQuote: Quote
  /** Entry notional of the closed size (C7). */
  readonly cost: Quote
  /** Before the 60-second adjustment. */
  readonly rawPnl: Quote
  /** After the 60-second adjustment, never below −margin (J3). */
  readonly pnl: Quote
  /** Closing fee (C8). */
  readonly fee: Quote
  /** What leaves the position's margin: its share, plus a shortfall taken from the rest (C9). */
  readonly marginReleased: Quote
  /** What reaches the free balance. marginReleased + pnl − fee = credit. */
  readonly credit: Quote
  /** The part of the profit reference used up (D4). */
  readonly profitReferenceUsed: Quote
  /** Milliseconds from the open or last increase to this close. */
  readonly holdingTimeMs: number
}

/** What every close of a position says. */
export interface Settled extends PositionEventFields, Settlement {
  /** Before spread (B1). */
  readonly indexPrice: Price
}

/** A close order filled, in full (`closes`) or in part. */
export interface ClosePosition extends Settled {
  readonly type: 'closePosition'
  /** Whether nothing is left of the position. */
  readonly closes: boolean
  /** The order that filled. */
  readonly orderId: string
  /** What the closing fee was reckoned with. */
  readonly feeRate: Rate
  /** What the spread was multiplied by: above 1 inside the scalping window (B2). */
  readonly scalpingCoefficient: Leverage
}

/**
 * The index reached the liquidation price (E1), before a stop that lies behind it (F10), or a command moved that price beyond the
 * index (J24, J31). Carries what is needed to check it again alone: position, rate, level and
 * the version of the formula.
 */
export interface Liquidate extends Settled {
  readonly type: 'liquidate'
  /** The order that the engine made for it. */
  readonly orderId: string
  /** Margin of the position before. */
  readonly margin: Quote
  /** Of the market then. */
  readonly spread: Rate
  /** Of the market then. */
  readonly maintenanceMarginRate: Rate
  /** The level that was reached. */
  readonly liquidationPrice: Price
  /** Version of the formula. */
  readonly formula: 1
}

/** The platform closed the position (G3, H2); carries what is needed to check the settlement again alone. */
export interface ForceClose extends Settled {
  readonly type: 'forceClose'
  /** Why the platform did. */
  readonly closeReason: CloseReason
  /** What the closing fee was reckoned with. */
  readonly feeRate: Rate
  /** Of the market then. */
  readonly spread: Rate
  /** Margin of the position before. */
  readonly margin: Quote
  /** Version of the formula. */
  readonly formula: 1
}

/** Margin moved from the free balance into the position (E6). */
export interface AddMargin extends PositionEventFields {
  readonly type: 'addMargin'
  /** Quote, above 0. */
  readonly amount: Quote
}

/** Margin moved from the position to the free balance (E6). */
export interface RemoveMargin extends PositionEventFields {
  readonly type: 'removeMargin'
  /** Magnitude of the withdrawal, quote. */
  readonly amount: Quote
}

/** A funding instant settled: `amount` reaches the margin, signed (E4, E5). */
export interface PayFunding extends PositionEventFields {
  readonly type: 'payFunding'
  /** Quote that reaches the margin, signed (E5). */
  readonly amount: Quote
  /** What a unit of the base was worth then. */
  readonly indexPrice: Price
  /** What its side pays, signed (E4). */
  readonly fundingRate: Rate
}

/** What can happen to a position. */
export type PositionEvent =
  | IncreasePosition
  | ClosePosition
  | AddMargin
  | RemoveMargin
  | PayFunding
  | Liquidate
  | ForceClose
