/**
 * A strategy: a small object with hooks, and a context to act through. The same object runs in a backtest and against
 * a live host, so hooks may wait for what they do and a backtest does not mind either way.
 */

import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionRecord } from '../../domain/state/position.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { Base, Price, Quote } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import type { Rejection } from '../../terms/errors.ts'
import type { Learned } from '../learned/learned.ts'
import type { Learning } from '../learned/learning.ts'
import type { PartLedger } from '../portfolio/partLedger.ts'
import type { Bar } from './bar.ts'
import type { Calculation, Candle, Indicator, IndicatorOptions } from './indicator.ts'
import type { StrategyEvent } from './strategyEvent.ts'

export type { Bar } from './bar.ts'

/** A value now, or later. */
export type MaybePromise<T> = T | Promise<T>

/** What decides: is told of prices in their order, and trades through its context. */
export interface Strategy {
  readonly name: string
  /** Before the first price. */
  onStart?(context: StrategyContext): MaybePromise<void>
  /** A bar of one market is complete; the time is the bar's last millisecond, the price its close. */
  onBar?(bar: Bar, context: StrategyContext): MaybePromise<void>
  /** The price of one market moved: every tick, and every point on the path of a bar. */
  onTick?(tick: Tick, context: StrategyContext): MaybePromise<void>
  /**
   * Something happened to the strategy's account: orders, fills, liquidations, funding, stops, new days. A live run calls it where the
   * venue has a stream, with what happens to orders and positions.
   */
  onEvent?(event: StrategyEvent, context: StrategyContext): MaybePromise<void>
  /** After the last price. */
  onEnd?(context: StrategyContext): MaybePromise<void>
  /** Of a portfolio: what each of its strategies has and has earned, for the result of a run. */
  readonly parts?: PartLedger
}

/** A price of a market at a time. */
export interface Tick {
  readonly asset: string
  /** Epoch ms. */
  readonly time: number
  readonly price: Price
}

/**
 * How much to open. People's decimals: "100" is quote currency, "5%" a fraction of equity.
 * - `margin`: what is reserved, fees included.
 * - `notional`: the size of the position in quote currency.
 * - `risk`: what is lost in all, spreads and both fees included, when the attached stop-loss fills at its price outside
 *   the scalping window. Without a stop-loss, at the first level of the trailing stop; with both, at the nearer.
 * - `base`: a size in units of the asset; no percentage.
 */
export type SizeBy =
  | { readonly margin: string }
  | { readonly notional: string }
  | { readonly risk: string }
  | { readonly base: string }

/** An order that opens or grows a position. */
export interface EntryOrder {
  readonly asset: string
  readonly direction: Direction
  readonly sizeBy: SizeBy
  /** "10" is 10x. */
  readonly leverage: string
  /** Default `market`. */
  readonly type?: 'market' | 'limit' | 'stop_market' | 'stop_limit'
  /** Where a resting order fires; required unless `market`. */
  readonly triggerPrice?: Price
  /** The limit a `stop_limit` turns into. */
  readonly stopLimitPrice?: Price
  readonly stopLoss?: Price
  readonly takeProfit?: Price
  /**
   * Follows the price from the fill on, for as much as this entry opened. The run places it as the entry
   * fills, also when that is later; an entry that is edited keeps it.
   */
  readonly trailingStop?: TrailingStop
  /** How much less (long) or more (short) size than expected is still accepted: "0.5%" (C3). Not for `base` sizes. */
  readonly maxSlippage?: string
}

/** An order that closes a position, in full unless a size is given. */
export interface ExitOrder {
  readonly position: PositionRecord
  /** Default `take` without trigger: at market, now. */
  readonly type?: 'take' | 'stop' | 'trailing_stop'
  readonly size?: Base
  readonly triggerPrice?: Price
  readonly activationPrice?: Price
  /** Trailing distance in quote currency. */
  readonly offset?: Price
  /** Trailing distance as a percentage: "1.5%". */
  readonly offsetPercent?: string
}

/** How a trailing stop follows the price: by one of both distances. */
export type TrailingStop = Pick<ExitOrder, 'activationPrice' | 'offset' | 'offsetPercent'>

/** Why an action was not even tried: the run has not begun, and its strategies are only told prices. */
export interface WarmingUp {
  readonly code: 'warming_up'
}

/** Why a market order of a live run came to nothing though the venue refused nothing: it had no answer while it was of its moment, and was not placed. */
export interface NotTakenInTime {
  readonly code: 'not_taken_in_time'
}

/** What became of an action. A rejection is not an exception: the strategy decides what it means. */
export type ActionResult<T> =
  | {
      readonly ok: true
      readonly value: T
      /** What it caused at once, as far as that is known; it is told to `onEvent` afterwards. */
      readonly events?: readonly StrategyEvent[]
    }
  | { readonly ok: false; readonly error: Rejection | WarmingUp | NotTakenInTime }

/** What a strategy sees of the venue, and what it can do there. Readings are as of now. */
export interface StrategyContext {
  /** Epoch ms. */
  readonly now: number
  readonly accountId: string
  /** The markets that the strategy is told of, in the order in which the run names them. */
  readonly assets: readonly string[]
  /** The same venue from another account of the run, by its name. @throws RangeError for a name the run has not. */
  of(account: string): StrategyContext
  account(): AccountRecord
  market(asset: string): MarketRecord
  equity(): Quote
  freeBalance(): Quote
  /** Open positions, newest first. */
  positions(asset?: string): readonly PositionRecord[]
  /** Active orders, newest first. */
  orders(asset?: string): readonly OrderRecord[]
  /**
   * The closed bars of a market in a length of the strategy's own, oldest first, made of the bars that `onBar` has told; the
   * one that still runs is never among them. A strategy without `onBar` has none. Each call shows what is closed by then.
   *
   * @param interval a whole number of minutes, hours or days, no shorter than the bars of the data: `15m`, `4h`, `1d`.
   * @throws RangeError for anything else, and where an interval is first asked for after a market's second bar: bars are kept from
   * the first asking on.
   */
  bars(asset: string, interval: string): readonly Bar[]
  /**
   * An indicator that the run keeps up to date: with every bar of the market, just before `onBar` is told of it. Make it once, in
   * `onStart` or in the first `onBar`. Reports draw those of the first account under their names.
   *
   * @param calculation of the package `trading-signals`, or anything with `add`; a new one for each indicator.
   * @throws RangeError where it is made later, and for what is no interval.
   */
  indicator<Result>(
    asset: string,
    name: string,
    calculation: Calculation<number, Result>,
    options?: IndicatorOptions,
  ): Indicator<Result>
  indicator<Result>(
    asset: string,
    name: string,
    calculation: Calculation<Candle, Result>,
    options: IndicatorOptions<'candle'> & { readonly of: 'candle' },
  ): Indicator<Result>
  indicator<Result>(
    asset: string,
    name: string,
    calculation: Calculation<Bar, Result>,
    options: IndicatorOptions<'bar'> & { readonly of: 'bar' },
  ): Indicator<Result>

  /**
   * A model that the run keeps learned: of each bar that closes, before `onBar` is told of it, and only of what has happened by then. Make it
   * once, in `onStart` or in the first `onBar`. Reports tell its fits and draw the predictions of the first account.
   *
   * @throws RangeError where it is made later, for what is no interval, and for numbers out of range; LearningFailure for what it is learned
   *   by, where the first bar is told already.
   */
  learn(asset: string, name: string, learning: Learning): Learned

  open(order: EntryOrder): MaybePromise<ActionResult<OrderRecord>>
  close(order: ExitOrder): MaybePromise<ActionResult<OrderRecord>>
  edit(orderId: string, changes: OrderChanges): MaybePromise<ActionResult<OrderRecord>>
  cancel(orderId: string): MaybePromise<ActionResult<OrderRecord>>
  /** Signed quote amount: positive adds margin, negative withdraws. */
  changeMargin(position: PositionRecord, change: Quote): MaybePromise<ActionResult<PositionRecord>>
  closeAll(): MaybePromise<ActionResult<readonly OrderRecord[]>>
}

/** What an edit of an order changes; omitted = stays (I3). */
export interface OrderChanges {
  readonly triggerPrice?: Price
  /** As of the order's type: margin in quote currency of an increase, units of the base asset of a close; fp9. */
  readonly amount?: bigint
}
