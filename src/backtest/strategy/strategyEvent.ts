/** What a strategy is told of what happened to its account: of every event what a backtest and a venue's stream both know. */
import type { Event } from '../../events/event.ts'
import type {
  OrderCanceled,
  OrderEvent,
  OrderExecuted,
  OrderFailed,
  OrderPlaced,
} from '../../events/orderEvents.ts'
import type {
  AddMargin,
  ClosePosition,
  ForceClose,
  IncreasePosition,
  Liquidate,
  PayFunding,
  PositionEvent,
  RemoveMargin,
} from '../../events/positionEvents.ts'

type OfOrder = 'type' | 'orderId' | 'accountId' | 'marketId'
type OfPosition = 'type' | 'positionId' | 'accountId' | 'marketId' | 'direction'
type OfClose = OfPosition | 'size' | 'exchangedQuote' | 'rawPnl' | 'pnl' | 'fee'

/** What happened to an order. */
export type ToldOrderEvent =
  | Pick<
      OrderPlaced,
      | OfOrder
      | 'orderType'
      | 'direction'
      | 'triggerPrice'
      | 'positionId'
      | 'parentOrderId'
      | 'amount'
      | 'leverage'
    >
  | Pick<OrderExecuted, OfOrder | 'indexPrice' | 'amount' | 'realizedPnl'>
  | Pick<OrderCanceled, OfOrder | 'status' | 'reason'>
  | Pick<OrderFailed, OfOrder | 'errorCode'>

/** What happened to a position. */
export type ToldPositionEvent =
  | Pick<IncreasePosition, OfPosition | 'opens' | 'orderId' | 'indexPrice' | 'size' | 'notional' | 'fee'>
  | Pick<ClosePosition, OfClose | 'closes' | 'orderId' | 'indexPrice'>
  | Pick<Liquidate, OfClose | 'orderId' | 'indexPrice'>
  | Pick<ForceClose, OfClose | 'closeReason'>
  | Pick<AddMargin, OfPosition | 'amount'>
  | Pick<RemoveMargin, OfPosition | 'amount'>
  | Pick<PayFunding, OfPosition | 'amount'>

/**
 * An event as `onEvent` has it. Those of orders and positions are told live too; the others (new days, balances, phases) in a
 * backtest only, and live `context.account()` says how they left the account.
 */
export type StrategyEvent =
  | ToldOrderEvent
  | ToldPositionEvent
  | Exclude<Event, OrderEvent | PositionEvent>
  | Replaced

type Replaced = Extract<OrderEvent, { readonly type: 'orderReplaced' }>
