/** What a venue's stream tells of orders, as the events that a strategy hears in a backtest. */
import type { OrderRecord } from '../../domain/state/order.ts'
import type { ToldOrderEvent } from '../strategy/strategyEvent.ts'

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
