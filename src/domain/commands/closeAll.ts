/** `POST /positions/{accountId}/close-all`: flattens the account as far as its markets allow (I9). */

import type { Caller, CloseAll } from '../../events/command.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import { MARKET_STATUSES } from '../../terms/marketStatus.ts'
import { isIncreaseType } from '../../terms/orderTypes.ts'
import { executeClose } from '../flows/closePosition.ts'
import { createOrder, newClosingOrder } from '../flows/createOrder.ts'
import type { Decision } from '../flows/decision.ts'
import { cancelOrder } from '../flows/endOrder.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import { accessAccount, tradingRejection } from './access.ts'
import { priceRejection } from './marketAvailability.ts'
import type { Ruling } from './ruling.ts'

export function closeAll(decision: Decision, command: CloseAll, caller: Caller | null): Ruling {
  const access = accessAccount(decision.world, command.accountId, caller, true)
  if (access.rejected !== null) return access
  const { account } = access
  const closed = tradingRejection(account)
  if (closed !== null) return { rejected: closed }

  // A flat account must not re-open itself: resting entries go first.
  for (const order of [...account.orders])
    if (isIncreaseType(order.orderType)) cancelOrder(decision, order, null)

  const orders: Order[] = []
  const failed: { positionId: string; error: Rejection }[] = []
  for (const position of [...account.positions]) {
    const market = decision.world.markets.known(position.marketId)
    const { takes, rejectsWith } = MARKET_STATUSES[market.status]
    const error = takes === 'nothing' ? rejection(rejectsWith) : priceRejection(market, decision.at)
    if (error === null) orders.push(closeAtMarket(decision, position, market))
    else failed.push({ positionId: position.id, error })
  }
  return { rejected: null, about: 'closeAll', orders, failed }
}

/** A `take` without trigger for the whole position, placed and executed here. */
function closeAtMarket(decision: Decision, position: Position, market: Market): Order {
  const order = createOrder(decision, newClosingOrder(decision, position, 'take', position.size))
  executeClose(decision, order, position, market)
  return order
}
