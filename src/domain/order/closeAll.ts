/** `POST /positions/{accountId}/close-all`: flattens the account as far as its markets allow (I9). */
import { accessAccount, tradingFault } from '../account/access.ts'
import type { Caller, CloseAll } from '../command.ts'
import { type Refusal, refusal } from '../errors.ts'
import { priceFault } from '../market/availability.ts'
import type { Market } from '../market/market.ts'
import { executeClose } from '../position/closing.ts'
import type { Position } from '../position/position.ts'
import type { Step } from '../step.ts'
import { createOrder, newClosingOrder } from './creation.ts'
import { cancelOrder } from './ending.ts'
import type { Order } from './order.ts'
import { isIncreaseType } from './orderTypes.ts'

export function closeAll(step: Step, command: CloseAll, caller: Caller | null): Refusal | null {
  const access = accessAccount(step.world, command.accountId, caller, true)
  if (access.refused !== null) return access.refused
  const { account } = access
  const closed = tradingFault(account)
  if (closed !== null) return closed

  // A flat account must not re-open itself: resting entries go first.
  for (const order of [...account.orders]) if (isIncreaseType(order.type)) cancelOrder(step, order, null)

  const orders: Order[] = []
  const failed: { positionId: string; error: Refusal }[] = []
  for (const position of [...account.positions]) {
    const market = step.world.markets.get(position.market) as Market
    const error = market.status === 'paused' ? refusal('market_paused') : priceFault(market, step.at)
    if (error === null) orders.push(closeAtMarket(step, position, market))
    else failed.push({ positionId: position.idx, error })
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
