/** What happens by time alone: funding instants, then the day boundary (E4, E5, H5, J1, J7). */

import type { Account } from './account/account.ts'
import { balanceOf } from './account/account.ts'
import { hasDays } from './account/days.ts'
import { equityOf } from './account/equity.ts'
import { wasProfitableDay } from './account/profitTarget.ts'
import { liquidateChanged } from './account/risk.ts'
import type { Refusal } from './errors.ts'
import { fundingPayment, fundingRateOf } from './market/funding.ts'
import type { Market } from './market/market.ts'
import { DAY_MS } from './schedule.ts'
import type { Step } from './step.ts'

/**
 * Everything that falls due at the step's own time. The engine advances instant by instant, so nothing can be due
 * before it.
 */
export function advanceTime(step: Step): Refusal | null {
  if (step.at < step.world.nextDueAt) return null
  for (const market of step.world.markets.values())
    if (step.at % market.parameters.fundingIntervalMs === 0) settleFunding(step, market)
  liquidateChanged(step)
  if (step.at % DAY_MS === 0) startDays(step)
  return null
}

/** Every position opened before the instant settles in full, at the last index even if it is old; not while paused. */
function settleFunding(step: Step, market: Market): void {
  if (market.status === 'paused') return
  for (const position of [...market.positions]) {
    if (position.openedAt >= step.at) continue
    const fundingRate = fundingRateOf(market.parameters, position.direction)
    const amount = fundingPayment(position, market.indexPrice, fundingRate)
    if (amount === 0n) continue
    step.emit({
      type: 'payFunding',
      positionId: position.idx,
      accountId: position.trader,
      marketId: market.id,
      direction: position.direction,
      amount,
      indexPrice: market.indexPrice,
      fundingRate,
    })
  }
}

/** A day starts for everybody; only accounts with something to be judged are looked at, one by one (J7, K15). */
function startDays(step: Step): void {
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
