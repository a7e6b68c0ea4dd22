/** `POST /positions/{accountId}/close-all`: flattens the account as far as its markets allow (I9). */

import type { Caller, CloseAll } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import { isIncreaseType } from '../../terms/orderTypes.ts'
import { executeClose } from '../flows/closing.ts'
import { createOrder, newClosingOrder } from '../flows/creation.ts'
import { cancelOrder } from '../flows/ending.ts'
import type { Step } from '../flows/step.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import { accessAccount, tradingFault } from './access.ts'
import { priceFault } from './availability.ts'

export function closeAll(step: Step, command: CloseAll, caller: Caller | null): Refusal | null {
  const access = accessAccount(step.world, command.accountId, caller, true)
  if (access.refused !== null) return access.refused
  const { account } = access
  const closed = tradingFault(account)
  if (closed !== null) return closed

  // A flat account must not re-open itself: resting entries go first.
  for (const order of [...account.orders]) if (isIncreaseType(order.orderType)) cancelOrder(step, order, null)

  const orders: Order[] = []
  const failed: { positionId: string; error: Refusal }[] = []
  for (const position of [...account.positions]) {
    const market = step.world.markets.get(position.marketId) as Market
    const error = market.status === 'paused' ? refusal('market_paused') : priceFault(market, step.at)
    if (error === null) orders.push(closeAtMarket(step, position, market))
    else failed.push({ positionId: position.id, error })
  }
  step.answer = { orders, failed }
  return null
}

/** A `take` without trigger for the whole position, placed and executed here. */
function closeAtMarket(step: Step, position: Position, market: Market): Order {
  const order = createOrder(step, newClosingOrder(step, position, 'take', position.size))
  executeClose(step, order, position, market)
  return order
}
