/**
 * What is checked at the end of every command that may have changed what an account is worth (J5): positions whose
 * liquidation price moved past the index, then the drawdown rules, then the profit target.
 */

import type { Worklist } from '../../collections/worklist.ts'
import { nextMidnight } from '../../terms/instants.ts'
import { breachOf } from '../formulas/drawdown.ts'
import { equityOf } from '../formulas/equity.ts'
import { isLiquidatable } from '../formulas/liquidation.ts'
import { isEligibleForPromotion } from '../formulas/profitTarget.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import { liquidatePosition } from './closing.ts'
import type { Step } from './step.ts'
import { promote, stop } from './stop.ts'

/** Liquidates the positions a command changed and left beyond their liquidation price (B6). Not while paused (G1). */
export function liquidateChanged(step: Step): void {
  const changed = inCreationOrder(step.changed)
  step.changed.clear()
  for (const position of changed) {
    if (position.status !== 'opened') continue
    const market = step.world.markets.get(position.marketId) as Market
    if (market.status === 'paused') continue
    if (isLiquidatable(position, market.parameters.maintenanceMarginRate, market.indexPrice))
      liquidatePosition(step, position, market)
  }
}

/** Checks every touched account once, in creation order, so that the events never depend on how they were found. */
export function checkAccounts(step: Step): void {
  let checked: Account | null = null
  for (const account of inCreationOrder(step.touched)) {
    if (account !== checked) checkAccount(step, account)
    checked = account
  }
}

function inCreationOrder<T extends { readonly sequence: number }>(found: Worklist<T>): readonly T[] {
  const list = found.toArray()
  return list.length < 2 ? list : list.sort((a, b) => a.sequence - b.sequence)
}

/** Total loss, daily loss, then the target (H6, H7). Only a trading account can fail or be promoted. */
function checkAccount(step: Step, account: Account): void {
  if (account.status !== 'active' || account.phase === null) return
  const breach = breachOf(account, equityOf(step.world, account, step.at))
  if (breach !== null) {
    const soft = breach.rule === 'daily_loss' && account.parameters.dailyBreach === 'freeze'
    if (soft) stop(step, account, 'freeze', breach, nextMidnight(step.at))
    else stop(step, account, 'fail', breach, null)
    return
  }
  if (!account.parameters.autoPromote) return
  if (isEligibleForPromotion(account, step.world.days.profitableDaysOf(account))) promote(step, account)
}
