/** The Account resource and its risk status (H8). Quantities are fp9 integers, times epoch milliseconds. */

import { dailyLossFloor, totalLossFloor } from '../domain/formulas/drawdown.ts'
import { equityOf } from '../domain/formulas/equity.ts'
import type { Account } from '../domain/state/account.ts'
import { balanceOf } from '../domain/state/account.ts'
import type { World } from '../domain/state/world.ts'
import type { Quote, Rate } from '../quantity/units.ts'
import type { AccountType } from '../terms/accountParameters.ts'
import type { AccountPhase, AccountStatus } from '../terms/accountStatus.ts'
import { nextMidnight } from '../terms/instants.ts'

/**
 * How far the account is from its drawdown floors (H8). A rule that is off has floor and remaining null (J26). It is looked at after
 * the events of a command (J5), and resting orders leave it as it is (J28).
 */
export interface RiskStatus {
  /** Balance and unrealized pnl at the index prices, capped inside the 60-second window (C11, D7). */
  readonly currentEquity: Quote
  readonly currentBalance: Quote
  readonly freeBalance: Quote
  readonly dayStartEquity: Quote
  /** Equity the phase started with. */
  readonly periodStartEquity: Quote
  /** Largest gain of equity over one finished day of the phase. */
  readonly maxPeriodDailyEquityDelta: Quote
  /** This venue has no consistency rule: it never applies and is always met. */
  readonly consistencyRuleApplies: false
  readonly consistencyRuleMet: true
  readonly consistencyRuleRatio: null
  readonly consistencyRuleLimit: null
  readonly dailyLossFloor: Quote | null
  readonly dailyLossRemaining: Quote | null
  readonly totalLossFloor: Quote | null
  readonly totalLossRemaining: Quote | null
  readonly drawdownMode: 'static' | 'trailing_eod'
  /** Next UTC midnight, epoch ms. */
  readonly nextDayAt: number
}

/** The Account resource of the Margin Trading API: an account as its user sees it. */
export interface AccountRecord {
  readonly accountId: string
  readonly status: AccountStatus
  /** Whether the account may be used with API keys (H10). */
  readonly apiTrading: boolean
  readonly type: AccountType
  readonly currentPhase: AccountPhase
  /** Quote; what the phase started with (J8). */
  readonly initialAccountBalance: Quote
  /** Quote; free, reserved and in margins, without unrealized pnl (C11). */
  readonly accountBalance: Quote
  /** Fraction that may be lost in a UTC day; 1 = off (H5). */
  readonly maxDailyDrawdown: Rate
  /** Fraction of the initial balance that may be lost in all; 1 = off (H6). */
  readonly maxTotalDrawdown: Rate
  /** Fraction of the initial balance to earn in the phase (H7). */
  readonly profitTarget: Rate
  /** How many days of the phase were profitable so far (J13). */
  readonly profitableDays: number
  /** How many have to be before the next phase (H7). */
  readonly minTradingDays: number
  readonly riskStatus: RiskStatus
}

export function accountRecord(world: World, account: Account): AccountRecord {
  const { parameters } = account
  return Object.freeze({
    accountId: account.id,
    status: account.status,
    apiTrading: account.apiTrading,
    type: parameters.type,
    currentPhase: account.phase,
    initialAccountBalance: account.initialBalance,
    accountBalance: balanceOf(account),
    maxDailyDrawdown: parameters.maxDailyLoss,
    maxTotalDrawdown: parameters.maxTotalLoss,
    profitTarget: parameters.profitTarget,
    profitableDays: world.days.profitableDaysOf(account),
    minTradingDays: parameters.minProfitableDays,
    riskStatus: riskStatus(world, account),
  })
}

export function riskStatus(world: World, account: Account): RiskStatus {
  const equity = equityOf(world, account, world.now)
  const daily = dailyLossFloor(account)
  const total = totalLossFloor(account)
  return Object.freeze({
    currentEquity: equity,
    currentBalance: balanceOf(account),
    freeBalance: account.free,
    dayStartEquity: account.dayStartEquity,
    periodStartEquity: account.initialBalance,
    maxPeriodDailyEquityDelta: account.bestDayGain,
    consistencyRuleApplies: false,
    consistencyRuleMet: true,
    consistencyRuleRatio: null,
    consistencyRuleLimit: null,
    dailyLossFloor: daily,
    dailyLossRemaining: remaining(equity, daily),
    totalLossFloor: total,
    totalLossRemaining: remaining(equity, total),
    drawdownMode: account.parameters.drawdownMode,
    nextDayAt: nextMidnight(world.now),
  })
}

function remaining(equity: Quote, floor: Quote | null): Quote | null {
  if (floor === null) return null
  return equity > floor ? equity - floor : 0n
}
