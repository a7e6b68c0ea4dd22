/**
 * What fires when a price moves. One interface, so that the way levels are kept can change without a rule changing:
 * every implementation must return the same firings in the same order.
 */
import type { Price } from '../../quantity/units.ts'
import type { Account } from './account.ts'
import type { Market } from './market.ts'
import type { Order } from './order.ts'
import type { Position } from './position.ts'

/** An order or a position whose condition holds at the new price. */
export type Firing =
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'liquidation'; readonly position: Position }

/** Index prices strictly between the two change nothing but the market's own price. */
export interface QuietRange {
  readonly above: Price
  readonly below: Price
}

/** The running best prices of trailing stops as they were at one moment, while prices go on. */
export interface Peaks {
  /** Of a resting order that was there then; null while it waited for activation, and for other orders. */
  of(order: Order): Price | null
  release(): void
}

/** What fires when a price moves. Every implementation returns the same firings in the same order. */
export interface Triggers {
  /** A resting order appeared. Orders that cannot fire may be passed and are ignored. */
  addOrder(order: Order): void
  /** A resting order ended. Its last trailing state stays readable through {@link peakOf} until this returns. */
  removeOrder(order: Order): void
  /** A position opened, or its size, notional or margin changed. */
  setPosition(position: Position): void
  /** A position ended. */
  removePosition(position: Position): void
  /** An account's money, floors or status changed other than through a position. */
  accountChanged(account: Account): void
  /** A market's parameters changed: levels that depend on spread or maintenance margin rate move. */
  marketConfigured(market: Market): void
  /**
   * The market's price moved to its `indexPrice`: trailing stops activate and ratchet (F8, J21). While it is paused they
   * do not, but what accounts are worth moves all the same (G1, J6).
   */
  priceMoved(market: Market): void
  /**
   * Whether the market's next price, which this is, fires nothing and makes no account due. Trailing stops have then
   * moved with it, which is no event, and {@link priceMoved} need not be told.
   */
  takeQuietly(market: Market, indexPrice: Price): boolean
  /** Running best price of a trailing stop; null while it waits for activation, and for other orders. */
  peakOf(order: Order): Price | null
  /** Keeps the running best prices as they are now until they are released; one at a time. */
  peaks(): Peaks
  /**
   * Everything on the market whose condition holds at its `indexPrice`, in the order in which the straight path from
   * `from` reaches it (B5): by distance of the level from `from`, 0 where the condition held there already; then
   * liquidations, closes, increases; then by creation sequence.
   */
  firing(market: Market, from: Price): readonly Firing[]
  /**
   * The accounts with a position on the market that are below a drawdown floor at the time `at` of the tick (H6), in any
   * order. Others may be among them: every account is checked before anything happens to it.
   */
  accountsAtRisk(market: Market, at: number): Iterable<Account>
  /** Where the next tick of the market would find nothing to do; null where it has to be looked at. */
  quietRange(market: Market): QuietRange | null
}
