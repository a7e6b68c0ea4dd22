/** The model's accounts: money in and out of the venue, status, and the floors' bases. */
import type { AccountEvent } from '../events/accountEvents.ts'
import { ONE } from '../quantity/fp9.ts'
import { unrealized } from './modelLevel.ts'
import type { ModelAccount, ModelPosition, ModelState } from './modelState.ts'

export function foldAccountEvent(model: ModelState, event: AccountEvent): void {
  if (event.type === 'accountOpened') {
    model.created += 1
    const { balance } = event.parameters
    model.house -= balance
    model.accounts.set(event.accountId, {
      id: event.accountId,
      parameters: event.parameters,
      sequence: model.created,
      status: event.status,
      phase: event.phase,
      phaseOrdinal: event.phase === null ? 0 : 1,
      apiTrading: event.apiTrading,
      loaded: event.loaded,
      locked: event.locked,
      free: balance,
      reserve: 0n,
      margin: 0n,
      inFlight: 0n,
      initialBalance: balance,
      dayStartEquity: balance,
      dayStartBalance: balance,
      highWater: balance,
    })
    return
  }
  const account = model.account(event.accountId)
  switch (event.type) {
    case 'balanceAdjusted':
      account.free += event.amount
      model.house -= event.amount
      account.initialBalance += event.amount
      account.dayStartEquity += event.amount
      account.dayStartBalance += event.amount
      account.highWater += event.amount
      return
    case 'apiTradingChanged':
      account.apiTrading = event.enabled
      return
    case 'accountLockChanged':
      account.locked = event.locked
      return
    case 'accountLoadedChanged':
      account.loaded = event.loaded
      return
    case 'accountStopped':
      account.status = event.status
      return
    case 'accountUnfrozen':
      account.status = 'active'
      return
    case 'accountPromoted':
      account.phase = event.phase
      account.phaseOrdinal += 1
      account.free += event.adjustment
      model.house -= event.adjustment
      account.initialBalance = event.initialBalance
      account.dayStartEquity = event.initialBalance
      account.dayStartBalance = event.initialBalance
      account.highWater = event.initialBalance
      return
    case 'dayStarted':
      account.dayStartEquity = event.equity
      account.dayStartBalance = event.balance
      if (event.balance > account.highWater) account.highWater = event.balance
  }
}

function positionsOf(model: ModelState, account: ModelAccount): ModelPosition[] {
  return [...model.open.values()].filter(({ accountId }) => accountId === account.id)
}

/** Balance and capped unrealized pnl at the index prices (C11, D7). */
export function equity(model: ModelState, account: ModelAccount, at: number): bigint {
  return positionsOf(model, account).reduce(
    (sum, position) => sum + unrealized(position, model.market(position.marketId).indexPrice, at),
    account.free + account.reserve + account.margin,
  )
}

/** The drawdown floors an equity must not be below (H5, H6); those that are on. */
export function floors({
  parameters,
  initialBalance,
  dayStartEquity,
  dayStartBalance,
  highWater,
}: ModelAccount): bigint[] {
  const { maxTotalLoss, drawdownMode, maxDailyLoss, dailyLossBase, dailyLossOf } = parameters
  const found: bigint[] = []
  if (maxTotalLoss < ONE) {
    const allowance = down(initialBalance * maxTotalLoss)
    const trailing = highWater - allowance
    found.push(
      drawdownMode === 'static'
        ? initialBalance - allowance
        : trailing < initialBalance
          ? trailing
          : initialBalance,
    )
  }
  if (maxDailyLoss < ONE) {
    const larger = dayStartEquity > dayStartBalance ? dayStartEquity : dayStartBalance
    const base = { equity: dayStartEquity, balance: dayStartBalance, max: larger }[dailyLossBase]
    found.push(base - down((dailyLossOf === 'initial' ? initialBalance : base) * maxDailyLoss))
  }
  return found
}

function down(product: bigint): bigint {
  const quotient = product / ONE
  return product < 0n && quotient * ONE !== product ? quotient - 1n : quotient
}
