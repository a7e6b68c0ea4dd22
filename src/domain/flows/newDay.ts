/** A UTC midnight (H5, J7, K15). */

import { equityOf } from '../formulas/equity.ts'
import { hasDays, wasProfitableDay } from '../formulas/profitTarget.ts'
import { type Account, balanceOf } from '../state/account.ts'
import type { Decision } from './decision.ts'

/** A day starts for everybody; only accounts with something to be judged are looked at, one by one (J7, K15). */
export function startDays(decision: Decision): void {
  const { accounts, days } = decision.world
  if (days.boundary === 'account') {
    for (const account of accounts.values()) if (hasDays(account)) startDay(decision, account)
    return
  }
  for (const account of days.due()) if (days.hasDayToJudge(account, decision.at)) startDay(decision, account)
  decision.emit({ type: 'dayBegan' })
}

/** Moves the floors of an account, thaws a soft freeze, and has it checked (J7). */
function startDay(decision: Decision, account: Account): void {
  if (account.frozenUntil !== null && account.frozenUntil <= decision.at)
    decision.emit({ type: 'accountUnfrozen', accountId: account.id })
  decision.emit({
    type: 'dayStarted',
    accountId: account.id,
    equity: equityOf(decision.world, account, decision.at, account.positions.worths()),
    balance: balanceOf(account),
    profitable: wasProfitableDay(account),
  })
  decision.touched.add(account)
}
