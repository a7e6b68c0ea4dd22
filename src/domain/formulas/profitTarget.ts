/** When an account has earned its next phase (H7, J10, J13). */
import { fractionUp } from '../../quantity/products.ts'
import type { Quote } from '../../quantity/units.ts'
import { ACCOUNT_STATUSES, mayTrade, nextPhase } from '../../terms/accountStatus.ts'
import { type Account, type AccountFields, balanceOf } from '../state/account.ts'

/** Balance at which the profit target of the phase is reached. */
export function targetBalance(account: AccountFields): Quote {
  return account.initialBalance + fractionUp(account.initialBalance, account.parameters.profitTarget)
}

/** Target reached, enough of its `profitableDays`, no open position, and a phase that has a next one. */
export function isEligibleForPromotion(
  account: AccountFields & { readonly positions: { readonly size: number } },
  profitableDays: number,
): boolean {
  return (
    mayTrade(account) &&
    nextPhase(account.phase) !== null &&
    account.positions.size === 0 &&
    profitableDays >= account.parameters.minProfitableDays &&
    balanceOf(account) >= targetBalance(account)
  )
}

/** Whether the day that ends now was profitable: realized at least the plan's share of the initial balance (J13). */
export function wasProfitableDay(account: Account): boolean {
  return account.realizedToday >= fractionUp(account.initialBalance, account.parameters.profitableDayShare)
}

/** Only an account that trades, or may again, has days (H5). */
export function hasDays({ status }: Account): boolean {
  return ACCOUNT_STATUSES[status].hasDays
}

/** Whether a day on which nothing is realized is profitable: the plan asks for no profit, or there is no balance (J13). */
export function countsIdleDays(account: Account): boolean {
  return hasDays(account) && fractionUp(account.initialBalance, account.parameters.profitableDayShare) <= 0n
}
