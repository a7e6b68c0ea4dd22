/**
 * What fires when a price moves: an index over the state, which can be built from it again. One interface, so that the way
 * levels are kept can change without a rule changing: every implementation must return the same firings in the same order.
 */
import type { Price } from '../../quantity/units.ts'
import type { Account } from './account.ts'
import type { Market } from './market.ts'
import type { Order } from './order.ts'
import type { Position } from './position.ts'
import type { RunningPeak } from './runningPeak.ts'

/** An order, by its row in `world.orders`, or a position, by its id, whose condition holds at the new price. */
export type Firing =
  | { readonly kind: 'order'; readonly row: number; readonly sequence: number }
  | { readonly kind: 'liquidation'; readonly positionId: string }

/** Index prices strictly between the two change nothing but the market's own price. */
export interface QuietRange {
  readonly above: Price
  readonly below: Price
}

/** What a price moves that fires nothing: itself alone, or peaks of trailing stops with it, which is no event of its own. */
export type QuietMove = 'price' | 'peaks'

/** What fires when a price moves. Every implementation returns the same firings in the same order. */
export interface Triggers {
  /** A resting order appeared, or began to trail. Orders that cannot fire may be passed and are ignored. */
  addOrder(order: Order): void
  /** A resting order has ended. It has its peak until this returns. */
  removeOrder(order: Order): void
  /** A position opened, or its size, notional or margin changed. `row`: its row in `world.positions`. */
  setPosition(row: number, account: Account, marketId: string): void
  /** A position ended. */
  removePosition(position: Position, row: number): void
  /** An account's money, floors or status changed other than through a position. */
  accountChanged(account: Account): void
  /** A market's parameters changed: levels that depend on spread or maintenance margin rate move. */
  marketConfigured(market: Market): void
  /** Trailing stops of the market began, or peaks of theirs moved, with its price. */
  peaksMoved(market: Market): void
  /** Two peaks became one: the stops of the second have the first, which is about to move. */
  peaksMerged(market: Market, peak: RunningPeak, other: RunningPeak): void
  /** The market's price moved to its `indexPrice`; what accounts are worth moves while it is paused too (J6). */
  priceMoved(market: Market): void
  /**
   * What a next price of the market would move, if it fires nothing and makes no account due; else null, which is never
   * wrong and costs time. Changes nothing.
   */
  quietMove(market: Market, indexPrice: Price): QuietMove | null
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
  /** Much is about to move, and nothing fires meanwhile: where it then waits may be worked out at the end. */
  gather(): void
  /** Everything waits where it should from here on. Whoever is asked what fires before this is right as well. */
  arrange(): void
  /** Whether anything may wait at a price that the market has reached. True is never wrong and costs time. */
  mayFire(market: Market): boolean
  /** Where the next tick of the market would find nothing to do; null where it has to be looked at. */
  quietRange(market: Market): QuietRange | null
}
