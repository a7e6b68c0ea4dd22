/** What the account events do, money aside: the ledger moves that. */

import type { AccountEvent, AccountOpened } from '../../events/accountEvents.ts'
import { lossFloor } from '../formulas/drawdown.ts'
import type { Account } from '../state/account.ts'
import { PositionList } from '../state/openPositions/positionList.ts'
import { OrderList } from '../state/restingOrders/orderList.ts'
import type { World } from '../state/world.ts'

export function applyAccountEvent(world: World, event: AccountEvent): Account {
  if (event.type === 'accountOpened') {
    world.created += 1
    const account = opened(event, world.created, world.days.seen)
    account.lossFloor = lossFloor(account)
    world.accounts.set(account.id, account)
    return account
  }
  const account = world.accounts.known(event.accountId)
  world.days.count(account)
  switch (event.type) {
    case 'balanceAdjusted':
      account.initialBalance += event.amount
      account.dayStartEquity += event.amount
      account.dayStartBalance += event.amount
      account.highWater += event.amount
      account.lossFloor = lossFloor(account)
      return account
    case 'apiTradingChanged':
      account.apiTrading = event.enabled
      return account
    case 'accountLockChanged':
      account.locked = event.locked
      return account
    case 'accountLoadedChanged':
      account.loaded = event.loaded
      return account
    case 'accountStopped':
      account.status = event.status
      account.frozenUntil = event.frozenUntil
      return account
    case 'accountUnfrozen':
      account.status = 'active'
      account.frozenUntil = null
      return account
    case 'accountPromoted':
      account.phase = event.phase
      account.phaseOrdinal += 1
      account.initialBalance = event.initialBalance
      account.dayStartEquity = event.initialBalance
      account.dayStartBalance = event.initialBalance
      account.highWater = event.initialBalance
      account.realizedToday = 0n
      account.profitableDaysSeen = 0
      account.bestDayGain = 0n
      account.lossFloor = lossFloor(account)
      return account
    case 'dayStarted': {
      const gain = event.equity - account.dayStartEquity
      if (gain > account.bestDayGain) account.bestDayGain = gain
      if (event.profitable) account.profitableDaysSeen += 1
      world.days.startedOwn(account)
      if (event.balance > account.highWater) account.highWater = event.balance
      account.dayStartEquity = event.equity
      account.dayStartBalance = event.balance
      account.realizedToday = 0n
      account.lossFloor = lossFloor(account)
      return account
    }
  }
}

function opened(event: AccountOpened, sequence: number, daysSeen: number): Account {
  const { balance } = event.parameters
  return {
    id: event.accountId,
    userId: event.parameters.userId,
    sequence,
    parameters: event.parameters,
    status: event.status,
    phase: event.phase,
    phaseOrdinal: event.phase === null ? 0 : 1,
    apiTrading: event.apiTrading,
    loaded: event.loaded,
    locked: event.locked,
    free: 0n,
    reserve: 0n,
    margin: 0n,
    initialBalance: balance,
    dayStartEquity: balance,
    dayStartBalance: balance,
    highWater: balance,
    realizedToday: 0n,
    profitableDaysSeen: 0,
    daysSeen,
    watched: false,
    bestDayGain: 0n,
    lossFloor: null,
    frozenUntil: null,
    orders: OrderList.ofAccount(event.accountId),
    positions: PositionList.ofAccount(),
  }
}
