/** The drawdown rules: how much may be lost in a day and in all (H5, H6, J9, J14). */

import type { Breach } from '../../events/accountEvents.ts'
import { ONE } from '../../quantity/fp9.ts'
import { fractionDown } from '../../quantity/products.ts'
import type { Quote } from '../../quantity/units.ts'
import type { AccountFields } from '../state/account.ts'

/** The equity a day must not fall below; null when the rule is off (H5, J9). */
export function dailyLossFloor(account: AccountFields): Quote | null {
  const { maxDailyLoss, dailyLossOf } = account.parameters
  if (maxDailyLoss === ONE) return null
  const base = dayBase(account)
  return base - fractionDown(dailyLossOf === 'initial' ? account.initialBalance : base, maxDailyLoss)
}

function dayBase(account: AccountFields): Quote {
  const { dayStartEquity, dayStartBalance } = account
  switch (account.parameters.dailyLossBase) {
    case 'equity':
      return dayStartEquity
    case 'balance':
      return dayStartBalance
    case 'max':
      return dayStartEquity > dayStartBalance ? dayStartEquity : dayStartBalance
  }
}

/**
 * The equity the phase must not fall below; null when the rule is off. Static: a fraction below the initial balance.
 * Trailing end-of-day: the same distance below the highest end-of-day balance, locked at the initial balance (J14).
 */
export function totalLossFloor(account: AccountFields): Quote | null {
  const { maxTotalLoss, drawdownMode } = account.parameters
  if (maxTotalLoss === ONE) return null
  const allowance = fractionDown(account.initialBalance, maxTotalLoss)
  if (drawdownMode === 'static') return account.initialBalance - allowance
  const trailing = account.highWater - allowance
  return trailing < account.initialBalance ? trailing : account.initialBalance
}

/** The higher of the two floors: above it neither rule is broken; null when both rules are off (J9). */
export function lossFloor(account: AccountFields): Quote | null {
  const total = totalLossFloor(account)
  const daily = dailyLossFloor(account)
  if (total === null || daily === null) return total ?? daily
  return total > daily ? total : daily
}

/** The rule an equity breaks, total before daily; strictly below the floor only (H5, H6). */
export function breachOf(account: AccountFields, equity: Quote): Breach | null {
  if (account.lossFloor === null || equity >= account.lossFloor) return null
  const total = totalLossFloor(account)
  if (total !== null && equity < total) return { rule: 'total_loss', floor: total, equity }
  const daily = dailyLossFloor(account)
  if (daily !== null && equity < daily) return { rule: 'daily_loss', floor: daily, equity }
  return null
}
