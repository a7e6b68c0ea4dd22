/** A UTC midnight (H5, J7, K15). */

import { equityOf } from '../formulas/equity.ts'
import { hasDays, wasProfitableDay } from '../formulas/profitTarget.ts'
import { type Account, balanceOf } from '../state/account.ts'
import type { Step } from './step.ts'

/** A day starts for everybody; only accounts with something to be judged are looked at, one by one (J7, K15). */
export function startDays(step: Step): void {
  const { accounts, days } = step.world
  if (days.boundary === 'account') {
    for (const account of accounts.values()) if (hasDays(account)) startDay(step, account)
    return
  }
  for (const account of days.due()) if (days.hasDayToJudge(account, step.at)) startDay(step, account)
  step.emit({ type: 'dayBegan' })
}

/** Moves the floors of an account, thaws a soft freeze, and has it checked (J7). */
function startDay(step: Step, account: Account): void {
  if (account.frozenUntil !== null && account.frozenUntil <= step.at)
    step.emit({ type: 'accountUnfrozen', accountId: account.id })
  step.emit({
    type: 'dayStarted',
    accountId: account.id,
    equity: equityOf(step.world, account, step.at),
    balance: balanceOf(account),
    profitable: wasProfitableDay(account),
  })
  step.touched.add(account)
}
