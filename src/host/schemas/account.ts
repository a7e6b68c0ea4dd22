/** The Account and Market resources, and the risk status (G5, H8). */
import { Type } from 'typebox'
import { CLOSED_SETS } from '../../terms/closedSets.ts'
import { closed, Fp9, Instant, nullable, Uuid } from './fields.ts'

const riskFields = {
  currentEquity: Fp9,
  currentBalance: Fp9,
  freeBalance: Fp9,
  dayStartEquity: Fp9,
  periodStartEquity: Fp9,
  maxPeriodDailyEquityDelta: Fp9,
  consistencyRuleApplies: Type.Boolean(),
  consistencyRuleMet: Type.Boolean(),
  consistencyRuleRatio: nullable(Fp9),
  consistencyRuleLimit: nullable(Fp9),
  dailyLossFloor: nullable(Fp9),
  dailyLossRemaining: nullable(Fp9),
  totalLossFloor: nullable(Fp9),
  totalLossRemaining: nullable(Fp9),
  drawdownMode: Type.Enum([...CLOSED_SETS.drawdownMode]),
  nextDayAt: Instant,
}

export const RiskStatusResource = closed({ accountId: Uuid, ...riskFields })

export const AccountResource = closed({
  accountId: Uuid,
  status: Type.Enum([...CLOSED_SETS.accountStatus]),
  apiTrading: Type.Boolean(),
  type: Type.Enum([...CLOSED_SETS.accountType]),
  currentPhase: nullable(Type.Enum([...CLOSED_SETS.accountPhase])),
  initialAccountBalance: Fp9,
  accountBalance: Fp9,
  maxDailyDrawdown: Fp9,
  maxTotalDrawdown: Fp9,
  profitTarget: Fp9,
  profitableDays: Type.Integer({ minimum: 0 }),
  minTradingDays: Type.Integer({ minimum: 0 }),
  riskStatus: closed(riskFields),
})

export const MarketResource = closed({
  id: Uuid,
  config: closed({
    baseAsset: Type.String(),
    ticker: Type.String(),
    category: Type.Enum([...CLOSED_SETS.marketCategory]),
    minLeverage: Fp9,
    maxLeverage: Fp9,
    feeRate: Fp9,
    spread: Fp9,
    minNotional: Fp9,
    maxOpenNotionalLong: nullable(Fp9),
    maxOpenNotionalShort: nullable(Fp9),
    minStopDistance: Fp9,
    scalpingWindowMs: Type.Integer({ minimum: 0 }),
    scalpingCoefficient: Fp9,
    maintenanceMarginRate: Fp9,
  }),
  settings: closed({ isPaused: Type.Boolean(), isCloseOnly: Type.Boolean() }),
  state: closed({
    indexPrice: Fp9,
    updatedAt: nullable(Instant),
    fundingRate: Fp9,
    nextFundingAt: Instant,
  }),
})
