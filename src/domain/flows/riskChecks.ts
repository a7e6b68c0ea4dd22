/**
 * What is checked at the end of every command that may have changed what an account is worth (J5): positions whose
 * liquidation price moved past the index, then the drawdown rules, then the profit target.
 */

import { Worklist } from '../../collections/worklist.ts'
import type { Breach } from '../../events/accountEvents.ts'
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

/**
 * Checks every touched account once, in creation order, so that the events never depend on how they were found. What comes of one
 * changes no other, so that only those of which anything comes are put in order: mostly none.
 */
export function checkAccounts(decision: Decision): void {
  const judged = new Worklist<Account>()
  let last: Account | null = null
  for (const account of decision.touched.toArray()) {
    if (account !== last && verdictOn(decision, account) !== null) judged.add(account)
    last = account
  }
  let checked: Account | null = null
  for (const account of inCreationOrder(judged)) {
    if (account !== checked) judge(decision, account)
    checked = account
  }
}

function inCreationOrder<T extends { readonly sequence: number }>(found: Worklist<T>): readonly T[] {
  const list = found.toArray()
  return list.length < 2 ? list : list.sort((a, b) => a.sequence - b.sequence)
}

/** Total loss, daily loss, then the target (H6, H7). Only a trading account can fail or be promoted. */
function verdictOn({ world, at }: Decision, account: Account): Breach | 'promoted' | null {
  if (!mayTrade(account)) return null
  const breach = breachOf(account, equityOf(world, account, at, account.positions.worths()))
  if (breach !== null) return breach
  if (!account.parameters.autoPromote) return null
  return isEligibleForPromotion(account, world.days.profitableDaysOf(account)) ? 'promoted' : null
}

function judge(decision: Decision, account: Account): void {
  const verdict = verdictOn(decision, account)
  if (verdict === null) return
  if (verdict === 'promoted') return promote(decision, account)
  const soft = verdict.rule === 'daily_loss' && account.parameters.dailyBreach === 'freeze'
  if (soft) stop(decision, account, 'freeze', verdict, nextMidnight(decision.at))
  else stop(decision, account, 'fail', verdict, null)
}
