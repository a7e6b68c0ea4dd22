/**
 * Accounts as streams tell them, as JSON text written field by field: every order changes one, and a generic serializer takes longer than
 * the order's own message. A test holds it equal to what that one writes.
 */

import type { RiskStatus } from '../../projections/accountRecord.ts'
import { formatInstant } from '../../projections/wire.ts'
import { quantityJson, textJson } from '../jsonField.ts'
import type { ToldAccount } from './toldAccount.ts'

/** The Account resource and two switches that it leaves out. */
export function accountJson({ record, standing }: ToldAccount): string {
  return `{"accountId":${textJson(record.accountId)},"status":"${record.status}","apiTrading":${record.apiTrading},"type":"${record.type}","currentPhase":${textJson(record.currentPhase)},"initialAccountBalance":"${record.initialAccountBalance}","accountBalance":"${record.accountBalance}","maxDailyDrawdown":"${record.maxDailyDrawdown}","maxTotalDrawdown":"${record.maxTotalDrawdown}","profitTarget":"${record.profitTarget}","profitableDays":${record.profitableDays},"minTradingDays":${record.minTradingDays},"riskStatus":${riskJson(record.riskStatus)},"locked":${standing.locked},"loaded":${standing.loaded}}`
}

function riskJson(risk: RiskStatus): string {
  return `{"currentEquity":"${risk.currentEquity}","currentBalance":"${risk.currentBalance}","freeBalance":"${risk.freeBalance}","dayStartEquity":"${risk.dayStartEquity}","periodStartEquity":"${risk.periodStartEquity}","maxPeriodDailyEquityDelta":"${risk.maxPeriodDailyEquityDelta}","consistencyRuleApplies":${risk.consistencyRuleApplies},"consistencyRuleMet":${risk.consistencyRuleMet},"consistencyRuleRatio":${risk.consistencyRuleRatio},"consistencyRuleLimit":${risk.consistencyRuleLimit},"dailyLossFloor":${quantityJson(risk.dailyLossFloor)},"dailyLossRemaining":${quantityJson(risk.dailyLossRemaining)},"totalLossFloor":${quantityJson(risk.totalLossFloor)},"totalLossRemaining":${quantityJson(risk.totalLossRemaining)},"drawdownMode":"${risk.drawdownMode}","nextDayAt":"${formatInstant(risk.nextDayAt)}"}`
}

/** What an account is worth, and how far it is from its floors. */
export function equityJson(risk: RiskStatus): string {
  const { currentEquity, currentBalance, dailyLossRemaining, totalLossRemaining } = risk
  return `{"currentEquity":"${currentEquity}","unrealizedPnl":"${currentEquity - currentBalance}","dailyLossRemaining":${quantityJson(dailyLossRemaining)},"totalLossRemaining":${quantityJson(totalLossRemaining)}}`
}
