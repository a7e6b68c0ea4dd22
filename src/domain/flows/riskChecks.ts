/**
 * What is checked at the end of every command that may have changed what an account is worth (J5): positions whose
 * liquidation price moved past the index, then the drawdown rules, then the profit target.
 */

import type { Worklist } from '../../collections/worklist.ts'
import { mayTrade } from '../../terms/accountStatus.ts'
import { nextMidnight } from '../../terms/instants.ts'
import { MARKET_STATUSES } from '../../terms/marketStatus.ts'
import { breachOf } from '../formulas/drawdown.ts'
import { equityOf } from '../formulas/equity.ts'
import { isLiquidatable } from '../formulas/liquidation.ts'
import { isEligibleForPromotion } from '../formulas/profitTarget.ts'
import type { Account } from '../state/account.ts'
import type { Decision } from './decision.ts'
import { promote, stop } from './endPhase.ts'
import { liquidatePosition } from './liquidatePosition.ts'

/** Liquidates the positions a command changed and left beyond their liquidation price (B6). Not while paused (G1). */
export function liquidateChanged(decision: Decision): void {
  const changed = inCreationOrder(decision.changed)
  decision.changed.clear()
  for (const position of changed) {
    if (position.status !== 'opened') continue
    const market = decision.world.markets.known(position.marketId)
    if (!MARKET_STATUSES[market.status].evaluates) continue
    if (isLiquidatable(position, market.parameters.maintenanceMarginRate, market.indexPrice))
      liquidatePosition(decision, position, market)
  }
}

/** Checks every touched account once, in creation order, so that the events never depend on how they were found. */
export function checkAccounts(decision: Decision): void {
  let checked: Account | null = null
  for (const account of inCreationOrder(decision.touched)) {
    if (account !== checked) checkAccount(decision, account)
    checked = account
  }
}

function inCreationOrder<T extends { readonly sequence: number }>(found: Worklist<T>): readonly T[] {
  const list = found.toArray()
  return list.length < 2 ? list : list.sort((a, b) => a.sequence - b.sequence)
}

/** Total loss, daily loss, then the target (H6, H7). Only a trading account can fail or be promoted. */
function checkAccount(decision: Decision, account: Account): void {
  if (!mayTrade(account)) return
  const breach = breachOf(account, equityOf(decision.world, account, decision.at, account.positions.worths()))
  if (breach !== null) {
    const soft = breach.rule === 'daily_loss' && account.parameters.dailyBreach === 'freeze'
    if (soft) stop(decision, account, 'freeze', breach, nextMidnight(decision.at))
    else stop(decision, account, 'fail', breach, null)
    return
  }
  if (!account.parameters.autoPromote) return
  if (isEligibleForPromotion(account, decision.world.days.profitableDaysOf(account)))
    promote(decision, account)
}
