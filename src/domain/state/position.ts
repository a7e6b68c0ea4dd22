import type { Base, Leverage, Quote, Rate } from '../../quantity/units.ts'
import type { CloseReason } from '../../terms/closeReason.ts'
import type { Direction } from '../../terms/direction.ts'
import type { PositionEventName, PositionStatus } from '../../terms/positionStatus.ts'
import type { OrderRecord } from './order.ts'

/** The Position resource of the Margin Trading API: exactly 28 fields. Times are epoch milliseconds. */
export interface PositionRecord {
  readonly id: string
  /** Revision, a count: 1 on opening, +1 with every event (C13). */
  readonly version: number
  /** Epoch ms. */
  readonly openedAt: number
  /** When its last event happened, epoch ms. */
  readonly lastUpdatedAt: number
  /** When it was closed or liquidated, epoch ms; null while it is open. */
  readonly closedAt: number | null
  readonly status: PositionStatus
  readonly marketId: string
  /** The owning account. */
  readonly accountId: string
  /** Magnitude; the sign lives in `direction` (A3). 0 once closed. */
  readonly size: Base
  /** Size at entry price. */
  readonly notional: Quote
  /** Margin now backing the position. */
  readonly margin: Quote
  /** Realized pnl over the life, adjusted, gross of fees and funding. */
  readonly pnl: Quote
  /** Paid (negative) or received (positive) over the life. */
  readonly funding: Quote
  /** Fees over the life. */
  readonly fee: Quote
  /** Rate of the last trade (C13, J17). */
  readonly feeRate: Rate
  /** Quote exchanged by the last event; 0 on margin and funding events. */
  readonly exchangedQuote: Quote
  /** Base exchanged by the last event; 0 on margin and funding events. */
  readonly exchangedBase: Base
  readonly direction: Direction
  readonly eventName: PositionEventName
  /** Realized by the last event, adjusted, gross of fees and funding; 0 where it closed nothing. */
  readonly pnlInEvent: Quote
  /** Before the 60-second adjustment. */
  readonly rawPnlInEvent: Quote
  readonly profitAdjustmentApplied: boolean
  /** Milliseconds from the open or last increase to the last close; null on other events. */
  readonly holdingTimeMs: number | null
  /** Fee of the last event. */
  readonly feeInEvent: Quote
  /** Funding paid (negative) or received (positive) in the last event. */
  readonly fundingInEvent: Quote
  /** ⌊pnl·ONE / margin put up⌋ (C12). */
  readonly roe: Rate
  /** Spread multiplier charged by the last event (B2). */
  readonly scalpingCoefficient: Leverage
  /** Why the platform closed it; null where it did not (H2, G3). */
  readonly closeReason: CloseReason | null
}

/** The Position event resource: the record after an event, and the order that produced it (I13). */
export interface PositionEventRecord extends PositionRecord {
  readonly order: OrderRecord | null
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] }

/** The aggregate the seven reducers work on: the record and its bookkeeping. Plain data, primitives only. */
export interface Position extends Mutable<PositionRecord> {
  /** Creation sequence over the whole engine. */
  readonly sequence: number
  /** Which of the account's phases the position belongs to, a count (H3). */
  readonly phaseOrdinal: number
  /** Reference of the 60-second profit cap: the pnl the position may not exceed inside the window (D2–D4). */
  profitReference: Quote
  /** Opening or last increase, epoch ms: the window's start, and where `holdingTimeMs` counts from. */
  lastIncreaseAt: number
  /** Σ margin from increases and added margin over the life, the denominator of roe (C12). */
  contributedMargin: Quote
}
