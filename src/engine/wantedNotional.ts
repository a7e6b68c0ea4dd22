/** What a command would open at most, before it is decided: a cluster gets the quota for it first (C5). */

import { placementNotional } from '../domain/formulas/sizing.ts'
import type { Account } from '../domain/state/account.ts'
import type { Market } from '../domain/state/market.ts'
import { leverageOf } from '../domain/state/order.ts'
import type { World } from '../domain/state/world.ts'
import type { Caller, Command } from '../events/command.ts'
import type { Quote } from '../quantity/units.ts'
import type { Direction } from '../terms/direction.ts'
import { isIncreaseType } from '../terms/orderTypes.ts'

/** What is wanted of a market's open notional. */
export interface WantedNotional {
  readonly marketId: string
  readonly direction: Direction
  readonly notional: Quote
}

/** Null where a command opens nothing, or cannot be paid for. */
export function wantedNotional(world: World, command: Command, caller: Caller | null): WantedNotional | null {
  if (command.type === 'placeOrder') {
    const { accountId, marketId, orderType, direction, amount } = command
    if (!isIncreaseType(orderType)) return null
    const leverage = 'leverage' in command ? (command.leverage ?? null) : null
    const [account, market] = [world.accounts.get(accountId), world.markets.get(marketId)]
    if (leverage === null || market === undefined || !canPay(account, caller, amount)) return null
    return wanted(market, direction, amount, leverage)
  }
  if (command.type !== 'editOrder') return null
  const order = world.orders.get(command.orderId)
  if (order === undefined || !isIncreaseType(order.orderType)) return null
  const account = world.accounts.known(order.accountId)
  const amount = command.amount ?? order.amount
  if (!canPay(account, caller, amount - order.reserve)) return null
  return wanted(world.markets.known(order.marketId), order.direction, amount, leverageOf(order))
}

function canPay(account: Account | undefined, caller: Caller | null, amount: Quote): boolean {
  return (
    account !== undefined && (caller === null || account.userId === caller.userId) && amount <= account.free
  )
}

function wanted(
  { id, parameters }: Market,
  direction: Direction,
  amount: Quote,
  leverage: bigint,
): WantedNotional | null {
  if (amount <= 0n || leverage <= 0n || leverage > parameters.maxLeverage) return null
  return { marketId: id, direction, notional: placementNotional(amount, leverage, parameters.feeRate) }
}
