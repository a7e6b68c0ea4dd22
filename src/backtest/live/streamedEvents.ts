/** Messages of a venue's stream as the events that a strategy hears in a backtest. */
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionEventRecord } from '../../domain/state/position.ts'
import type { ToldOrderEvent, ToldPositionEvent } from '../strategy/strategyEvent.ts'

/** What became of an order; null for one that another has taken the place of, which is told as placed. */
export function orderEventOf(order: OrderRecord): ToldOrderEvent | null {
  const { id: orderId, accountId, marketId, status, amount, errorCode } = order
  const ended = { orderId, accountId, marketId }
  switch (status) {
    case 'active': {
      const { orderType, direction, triggerPrice, positionId, parentOrderId, leverage } = order
      const terms = { orderType, direction, triggerPrice, positionId, parentOrderId, leverage, amount }
      return { type: 'orderPlaced', ...ended, ...terms }
    }
    case 'executed':
      return {
        type: 'orderExecuted',
        ...ended,
        amount,
        indexPrice: order.indexPrice ?? 0n,
        realizedPnl: order.realizedPnl,
      }
    case 'canceled':
    case 'canceled_by_position':
      return { type: 'orderCanceled', ...ended, status, reason: order.reason }
    case 'canceled_by_error':
      return errorCode === null ? null : { type: 'orderFailed', ...ended, errorCode }
    case 'canceled_by_update':
      return null
  }
}

/**
 * What happened to a position.
 *
 * @param margin what backed the position before, where that is known: a change of margin is the difference.
 */
export function positionEventOf(position: PositionEventRecord, margin: bigint): ToldPositionEvent {
  const { id: positionId, accountId, marketId, direction, order, status } = position
  const ofPosition = { positionId, accountId, marketId, direction }
  const filled = { orderId: order?.id ?? '', indexPrice: order?.indexPrice ?? 0n }
  const settled = {
    ...ofPosition,
    size: position.exchangedBase,
    exchangedQuote: position.exchangedQuote,
    rawPnl: position.rawPnlInEvent,
    pnl: position.pnlInEvent,
    fee: position.feeInEvent,
  }
  switch (position.eventName) {
    case 'increasePosition':
      return {
        type: 'increasePosition',
        ...ofPosition,
        ...filled,
        opens: position.version === 1,
        size: position.exchangedBase,
        notional: position.exchangedQuote,
        fee: position.feeInEvent,
      }
    case 'closePosition':
      return { type: 'closePosition', ...settled, ...filled, closes: status !== 'opened' }
    case 'liquidate':
      return { type: 'liquidate', ...settled, ...filled }
    case 'forceClose':
      return { type: 'forceClose', ...settled, closeReason: position.closeReason ?? 'force_close' }
    case 'addMargin':
      return { type: 'addMargin', ...ofPosition, amount: position.margin - margin }
    case 'removeMargin':
      return { type: 'removeMargin', ...ofPosition, amount: margin - position.margin }
    case 'payFunding':
      return { type: 'payFunding', ...ofPosition, amount: position.fundingInEvent }
  }
}
