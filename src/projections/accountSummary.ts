/** An account as the operator of a venue sees it among all others. */
import { dailyLossFloor, totalLossFloor } from '../domain/formulas/drawdown.ts'
import { equityOf } from '../domain/formulas/equity.ts'
import { isEligibleForPromotion, targetBalance } from '../domain/formulas/profitTarget.ts'
import { balanceOf } from '../domain/state/account.ts'
import { ratioDown } from '../quantity/products.ts'
import type { Quote, Rate } from '../quantity/units.ts'
import type { AccountType } from '../terms/accountParameters.ts'
import { type AccountPhase, type AccountStatus, mayTrade } from '../terms/accountStatus.ts'
import type { AccountsImage, AccountThen } from './accountsImage.ts'

export interface AccountSummary {
  readonly accountId: string
  readonly userId: string
  readonly status: AccountStatus
  readonly currentPhase: AccountPhase
  readonly type: AccountType
  readonly apiTrading: boolean
  readonly loaded: boolean
  readonly locked: boolean
  readonly balance: Quote
  readonly equity: Quote
  /** Of open positions, as equity counts it: within a minute of an increase not above the cap (D7). */
  readonly unrealizedPnl: Quote
  readonly initialBalance: Quote
  /** Equity less what the phase began with. */
  readonly pnl: Quote
  readonly dailyLossFloor: Quote | null
  readonly totalLossFloor: Quote | null
  readonly headroom: Rate | null
  /** Σ notional of open positions, at their entry prices. */
  readonly openNotional: Quote
  readonly openPositions: number
  readonly activeOrders: number
  /** The balance that reaches the profit target of the phase (H7). */
  readonly targetBalance: Quote
  readonly profitableDays: number
  readonly minTradingDays: number
  readonly isEligibleForPromotion: boolean
}

/** What an account is worth (C11, D7). */
export function equityThen(image: AccountsImage, account: AccountThen): Quote {
  return equityOf(image, account, image.at)
}

/**
 * By how much of itself the equity may fall until the higher of the two floors: ⌊(equity − floor)·ONE / equity⌋. Null where
 * no rule is on, where the account cannot break one because it does not trade, and where nothing is left to fall.
 */
export function headroomOf(account: AccountThen, equity: Quote): Rate | null {
  const { lossFloor } = account
  if (lossFloor === null || equity <= 0n || !mayTrade(account)) return null
  return ratioDown(equity - lossFloor, equity)
}

export function accountSummary(image: AccountsImage, account: AccountThen): AccountSummary {
  const { parameters } = account
  const equity = equityThen(image, account)
  const balance = balanceOf(account)
  const profitableDays = image.profitableDaysOf(account)
  let openNotional = 0n
  for (const { notional } of account.positions) openNotional += notional
  return {
    accountId: account.id,
    userId: account.userId,
    status: account.status,
    currentPhase: account.phase,
    type: parameters.type,
    apiTrading: account.apiTrading,
    loaded: account.loaded,
    locked: account.locked,
    balance,
    equity,
    unrealizedPnl: equity - balance,
    initialBalance: account.initialBalance,
    pnl: equity - account.initialBalance,
    dailyLossFloor: dailyLossFloor(account),
    totalLossFloor: totalLossFloor(account),
    headroom: headroomOf(account, equity),
    openNotional,
    openPositions: account.positions.size,
    activeOrders: account.orders.size,
    targetBalance: targetBalance(account),
    profitableDays,
    minTradingDays: parameters.minProfitableDays,
    isEligibleForPromotion: isEligibleForPromotion(account, profitableDays),
  }
}
